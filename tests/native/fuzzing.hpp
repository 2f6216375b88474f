// Shared by the fuzzers: random draws, description of the current case, ends of the program, and
// planes in the core's layout.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "drawing.hpp"

namespace fuzzing {

using nonosat::kWordBits, nonosat::Word, nonosat::words_for;
using reference::Table;

inline std::string place;  // description of the current case

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzzing: %s, at %s\n", what, place.c_str());
  std::exit(1);
}

// Draws depend only on the seed and the number of the case, so that a failure can be reproduced.
inline void start(const char* kind, int number, int seed) {
  place = std::string(kind) + " " + std::to_string(number) + " of seed " + std::to_string(seed);
  std::seed_seq sequence{seed, number, int{kind[0]}};
  drawing::rng.seed(sequence);
}

inline std::vector<Word> packed(const Table& table, int length) {
  std::vector<Word> words(table.size() * words_for(length), 0);
  for (size_t value = 0; value < table.size(); ++value) {
    for (int i = 0; i < length; ++i) {
      words[value * words_for(length) + i / kWordBits] |= Word(table[value][i]) << i % kWordBits;
    }
  }
  return words;
}

// Prints named numbers as one line of JSON, for programs that read the output.
inline void print_figures(const std::vector<std::pair<std::string, int64_t>>& figures) {
  const char* separator = "{";
  for (const auto& [name, number] : figures) {
    std::printf("%s\"%s\": %lld", separator, name.c_str(), static_cast<long long>(number));
    separator = ", ";
  }
  std::printf("}\n");
}

}  // namespace fuzzing
