// Lists of clues as JSON has them, [[2, 1], [], [3]]: millions of them without an object for each
// bracket. Linear; free of Python.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/runs.hpp"

namespace nonosat::formats {

// A place in a text of JSON. What `take` and `number` find, they go behind.
class JsonReader {
 public:
  JsonReader(std::string_view text, size_t at) : text_(text), at_(at) {}

  size_t at() const { return at_; }

  // Whether this sign comes next, behind blanks.
  bool take(char sign) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  // The number that comes next, of 1 to 9 digits without a leading zero; a lone 0 is 0.
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

// The blocks of a list of lengths; a lone 0 is a clue without blocks. False where it is anything
// else: nothing is said of what is wrong, or only unusual.
inline bool listed_blocks(JsonReader& reader, std::vector<Run>& runs) {
  runs.clear();
  if (!reader.take('[')) return false;
  if (reader.take(']')) return true;
  bool has_zero = false;
  do {
    const auto length = reader.number();
    if (!length || has_zero || (*length == 0 && !runs.empty())) return false;
    has_zero = *length == 0;
    if (!has_zero) runs.push_back({*length, 1});
  } while (reader.take(','));
  return reader.take(']');
}

// Calls `clue(runs)` for each clue of the list that begins at `at`; the place behind the list, or
// none where something is unusual.
template <class Clue>
std::optional<size_t> listed_clues(std::string_view text, size_t at, Clue clue) {
  JsonReader reader(text, at);
  std::vector<Run> runs;
  if (!reader.take('[')) return {};
  if (reader.take(']')) return reader.at();
  do {
    if (!listed_blocks(reader, runs)) return {};
    clue(runs);
  } while (reader.take(','));
  if (!reader.take(']')) return {};
  return reader.at();
}

}  // namespace nonosat::formats
