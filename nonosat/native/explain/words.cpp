#include "explain/words.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <utility>

namespace nonosat::explain {
namespace {

using ByValue = std::map<int, std::vector<int>, std::greater<>>;

// Returns the places of each value, the highest value first.
ByValue by_value(std::span<const Pair> pairs) {
  ByValue found;
  for (const auto& [place, value] : pairs) found[value].push_back(place);
  return found;
}

}  // namespace

const char* are(size_t number) { return number == 1 ? "is" : "are"; }

std::string counted(size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 < items.size() ? ", " : " and ";
    text += items[i];
  }
  return text;
}

std::string ranged(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::string> parts;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    std::string part = std::to_string(numbers[i] + 1);
    if (end > i + 1) part += "-" + std::to_string(numbers[end - 1] + 1);
    parts.push_back(std::move(part));
    i = end;
  }
  return listed(parts);
}

std::string positions(const std::vector<int>& numbers) {
  return (numbers.size() == 1 ? "cell " : "cells ") + ranged(numbers);
}

std::string lines_listed(std::vector<int> lines, int height) {
  std::vector<int> rows, columns;
  for (const int line : lines) {
    if (line < height) {
      rows.push_back(line);
    } else {
      columns.push_back(line - height);
    }
  }
  std::string text;
  for (const auto& [kind, numbers] : {std::pair{"row", rows}, std::pair{"column", columns}}) {
    if (numbers.empty()) continue;
    if (!text.empty()) text += " and ";
    text += std::string(kind) + (numbers.size() == 1 ? " " : "s ") + ranged(numbers);
  }
  return text;
}

std::string sentence(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

std::string Words::line(int line) const {
  return short_line(line) + " (clue " + clue(clues_[line]) + ")";
}

std::string Words::short_line(int line) const { return lines_listed({line}, height_); }

std::string Words::clue(const Clue& clue) const {
  if (clue.empty()) return "0";
  std::string text;
  for (const auto& [length, colour] : clue) {
    const bool is_named = inks_.size() > 2;
    if (!text.empty()) text += is_named && !is_short_ ? ", " : " ";
    text += length ? std::to_string(length) : "?";
    if (is_named) text += (is_short_ ? "" : " ") + inks_[colour];
  }
  return text;
}

std::string Words::places(const std::vector<int>& cells) const {
  std::vector<std::string> named;
  for (const int cell : cells) {
    named.push_back("(" + std::to_string(cell / width_ + 1) + ", " +
                    std::to_string(cell % width_ + 1) + ")");
  }
  return (named.size() == 1 ? "cell " : "cells ") + listed(named);
}

std::string Words::outcome(const std::vector<Pair>& settled,
                           const std::vector<Pair>& ruled_out) const {
  std::vector<std::string> parts;
  for (const auto& [value, mine] : by_value(settled)) {
    parts.push_back(positions(mine) + " " + are(mine.size()) + " " + inks_[value]);
  }
  const ByValue gone = by_value(ruled_out);
  for (auto one = gone.rbegin(); one != gone.rend(); ++one) {
    const auto& [value, mine] = *one;
    parts.push_back(positions(mine) + " " + are(mine.size()) + " not " + inks_[value]);
  }
  return listed(parts);
}

std::string Words::summary(const std::vector<Pair>& settled,
                           const std::vector<Pair>& ruled_out) const {
  return settled.size() + ruled_out.size() <= kShownMarks ? scattered(settled, ruled_out)
                                                          : numbered(settled, ruled_out.size());
}

std::string Words::scattered(const std::vector<Pair>& settled,
                             const std::vector<Pair>& ruled_out) const {
  std::vector<std::string> parts;
  for (const auto& [value, mine] : by_value(settled)) {
    parts.push_back(places(mine) + " " + are(mine.size()) + " " + inks_[value]);
  }
  for (const auto& [cell, value] : ruled_out) {
    parts.push_back(place(cell) + " is not " + inks_[value]);
  }
  return listed(parts);
}

std::string Words::numbered(const std::vector<Pair>& settled, size_t num_ruled_out) const {
  std::vector<std::string> kinds;
  for (const auto& [value, mine] : by_value(settled)) {
    kinds.push_back(std::to_string(mine.size()) + " " + inks_[value]);
  }
  std::string text;
  if (kinds.size() == 1) {
    text = counted(settled.size(), "cell") + " " + are(settled.size()) + " " +
           inks_[settled.front().value];
  } else if (!settled.empty()) {
    text = std::to_string(settled.size()) + " cells are settled, " + listed(kinds);
  }
  if (num_ruled_out) {
    if (!text.empty()) text += "; ";
    text +=
        counted(num_ruled_out, "value") + " of other cells " + are(num_ruled_out) + " ruled out";
  }
  return text;
}

std::string Words::wrong(std::span<const Pair> marks) const {
  const size_t num_shown = std::min(marks.size(), kShownMarks);
  std::vector<std::string> parts;
  for (const auto& [value, mine] : by_value(marks.first(num_shown))) {
    parts.push_back(places(mine) + " " + are(mine.size()) + " not " + inks_[value]);
  }
  if (const size_t more = marks.size() - num_shown) {
    parts.push_back(std::to_string(more) + " more");
  }
  const std::string count =
      marks.size() == 1 ? "one mark" : std::to_string(marks.size()) + " marks";
  return sentence(count + " " + are(marks.size()) + " wrong: " + listed(parts));
}

}  // namespace nonosat::explain
