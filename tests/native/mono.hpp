// Variants of the solver for lines of one colour that the core would not choose: the portable one
// on a processor with vectors, and two words for a line of one.
#pragma once

#include <vector>

#include "line/line_mono.hpp"

namespace mono {

using namespace nonosat;

template <class B>
bool agrees_in(const Plan& plan, const std::vector<Word>& may, bool any,
               const std::vector<Word>& kept) {
  if (!plan.is_mono || plan.length > kMaxMonoCells<B>) return true;
  const auto plane = [&](const std::vector<Word>& words, int value) {
    const int num_words = words_for(plan.length);
    B cells = words[value * num_words];
    for (int i = 1; i < num_words; ++i)
      cells |= B(words[value * num_words + i]) << (i * kWordBits % static_cast<int>(8 * sizeof(B)));
    return cells;
  };
  B empty, filled;
  const bool found = solve_mono_line<B>(plan, plane(may, 0), plane(may, 1), empty, filled);
  return found == any && (!any || (!(empty ^ plane(kept, 0)) && !(filled ^ plane(kept, 1))));
}

inline bool agrees(const Plan& plan, const std::vector<Word>& may, bool any,
                   const std::vector<Word>& kept) {
  return agrees_in<Word>(plan, may, any, kept) && agrees_in<DoubleWord>(plan, may, any, kept);
}

}  // namespace mono
