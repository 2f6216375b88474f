// Runs of filled cells in a line, and blocks in a line of text, for readers of files with millions
// of lines. Linear; free of Python.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace nonosat::formats {

constexpr int32_t kUnknownLength = 0;

struct Run {
  int32_t length;
  int32_t colour;
  bool operator==(const Run&) const = default;
};

// Finds the maximal runs of one colour other than 0 among `count` cells at distances of `step`.
inline void runs_of(const uint8_t* cells, size_t count, size_t step, std::vector<Run>& runs) {
  runs.clear();
  for (size_t at = 0; at < count;) {
    const uint8_t colour = cells[at * step];
    const size_t start = at;
    while (++at < count && cells[at * step] == colour) {
    }
    if (colour) runs.push_back({static_cast<int32_t>(at - start), colour});
  }
}

// Syntax of the blocks of a clue: the characters between two blocks, and the colour of a character
// that follows a length; 0 is none.
struct Writing {
  enum Gap : uint8_t { kNone, kBlank, kSeparator };
  std::array<Gap, 128> gap{};
  std::array<int32_t, 128> colour{};
  int32_t plain = 0;  // colour of a length without a character

  Gap gap_at(std::string_view text, size_t at) const {
    const auto sign = static_cast<uint8_t>(text[at]);
    return sign < gap.size() ? gap[sign] : kNone;
  }
};

// Skips blanks and at most one separator, which must be between two blocks; false otherwise.
inline bool skip_gap(std::string_view text, const Writing& writing, size_t& at) {
  int num_separators = 0;
  const size_t start = at;
  for (; at < text.size() && writing.gap_at(text, at); ++at) {
    num_separators += writing.gap_at(text, at) == Writing::kSeparator;
  }
  return num_separators <= (start > 0 && at < text.size());
}

// Reads the blocks of a text; a 0 alone is an empty clue. False for everything else, which may be
// wrong or only unusual: the caller uses the general reader then.
inline bool blocks_of(std::string_view text, const Writing& writing, std::vector<Run>& runs) {
  constexpr size_t kMostDigits = 9;
  runs.clear();
  for (size_t at = 0; skip_gap(text, writing, at);) {
    if (at == text.size()) return true;
    const size_t start = at;
    int32_t length = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      if (at - start == kMostDigits) return false;
      length = length * 10 + (text[at] - '0');
    }
    if (at == start) return false;
    if (length == 0) {
      const auto is_end = [&](size_t place) { return place == std::string_view::npos; };
      return at - start == 1 && runs.empty() && is_end(text.find_first_not_of(' ', at)) &&
             is_end(text.substr(0, start).find_first_not_of(' '));
    }
    int32_t colour = writing.plain;
    if (at < text.size() && !writing.gap_at(text, at)) {
      const auto sign = static_cast<uint8_t>(text[at++]);
      colour = sign < writing.colour.size() ? writing.colour[sign] : 0;
      if (at < text.size() && !writing.gap_at(text, at)) return false;
    }
    if (colour == 0) return false;
    runs.push_back({length, colour});
  }
  return false;
}

}  // namespace nonosat::formats
