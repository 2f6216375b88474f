// Reader of lists of clues in JSON, [[2, 1], [], [[null, "red"], [3, "blue"]], "2 1"], for millions
// of clues without an object for each bracket. Linear; free of Python.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/runs.hpp"

namespace nonosat::formats {

// A position in a JSON text. The functions skip blanks, and advance past what they find.
class JsonReader {
 public:
  JsonReader(std::string_view text, size_t at) : text_(text), at_(at) {}

  size_t at() const { return at_; }

  // Returns true if the next character is `sign`.
  bool take(char sign) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  // Returns true if the next token is null.
  bool take_null() {
    skip_blanks();
    if (text_.substr(at_, 4) != "null") return false;
    at_ += 4;
    return true;
  }

  // Returns the next string, unless it contains an escape or a control character.
  std::optional<std::string_view> string() {
    if (!take('"')) return {};
    const size_t start = at_;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' || static_cast<uint8_t>(text_[at_]) < ' ') return {};
    }
    return take('"') ? std::optional(text_.substr(start, at_ - 1 - start)) : std::nullopt;
  }

  // Returns the next number, of 1 to 9 digits without leading zeros.
  std::optional<int32_t> number() {
    constexpr size_t kMostDigits = 9;
    skip_blanks();
    const size_t start = at_;
    int32_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (at_ - start == kMostDigits || (at_ > start && value == 0)) return {};
      value = value * 10 + (text_[at_] - '0');
    }
    return at_ == start ? std::nullopt : std::optional(value);
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != kNowhere) ++at_;
  }

  static constexpr size_t kNowhere = std::string_view::npos;
  std::string_view text_;
  size_t at_;
};

// Reader of clues, with the names of the colours in their order.
class ListedClues {
 public:
  explicit ListedClues(std::vector<std::string> keys) : keys_(std::move(keys)) {
    words_.plain = 1;
    words_.gap[' '] = Writing::kBlank;
    words_.gap[','] = Writing::kSeparator;
  }

  // Reads the blocks of the next clue, a list or a string; 0 alone is an empty clue. False for
  // everything else, which may be wrong or only unusual: the caller uses the general reader then.
  bool blocks(JsonReader& reader, std::vector<Run>& runs) const {
    runs.clear();
    if (!reader.take('[')) {
      const auto text = reader.string();
      return text && blocks_of(*text, words_, runs) && (is_plain() || runs.empty());
    }
    if (reader.take(']')) return true;
    bool has_zero = false;
    do {
      const auto run = reader.take('[') ? named(reader) : plain(reader);
      if (!run || has_zero) return false;
      has_zero = run->colour == 0;
      if (has_zero && !runs.empty()) return false;
      if (!has_zero) runs.push_back(*run);
    } while (reader.take(','));
    return reader.take(']');
  }

 private:
  // Reads a number or null as a block without the name of a colour. The block has colour 1, and the
  // number as its length, or an unknown length for null. 0 is no block and gives colour 0.
  std::optional<Run> plain(JsonReader& reader) const {
    if (reader.take_null())
      return is_plain() ? std::optional(Run{kUnknownLength, 1}) : std::nullopt;
    const auto length = reader.number();
    if (!length) return {};
    if (*length == 0) return Run{0, 0};
    return is_plain() ? std::optional(Run{*length, 1}) : std::nullopt;
  }

  // Reads [length, colour], after its opening bracket.
  std::optional<Run> named(JsonReader& reader) const {
    int32_t length = kUnknownLength;
    if (!reader.take_null()) {
      const auto number = reader.number();
      if (!number || *number == 0) return {};
      length = *number;
    }
    if (!reader.take(',')) return {};
    const auto key = reader.string();
    const auto found = key ? std::find(keys_.begin(), keys_.end(), *key) : keys_.end();
    if (found == keys_.end() || !reader.take(']')) return {};
    return Run{length, static_cast<int32_t>(found - keys_.begin()) + 1};
  }

  bool is_plain() const { return keys_.size() < 2; }

  std::vector<std::string> keys_;
  Writing words_;
};

// Calls `clue(runs)` for each clue of the list that begins at `at`. Returns the position after the
// list, or nothing if the general reader is needed.
template <class Clue>
std::optional<size_t> listed_clues(std::string_view text, size_t at, const ListedClues& lists,
                                   Clue clue) {
  JsonReader reader(text, at);
  std::vector<Run> runs;
  if (!reader.take('[')) return {};
  if (reader.take(']')) return reader.at();
  do {
    if (!lists.blocks(reader, runs)) return {};
    clue(runs);
  } while (reader.take(','));
  if (!reader.take(']')) return {};
  return reader.at();
}

}  // namespace nonosat::formats
