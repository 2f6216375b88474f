#include "learn/lines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include "cost.hpp"
#include "line/line_mono.hpp"

namespace nonosat::learn {
namespace {

Lit from_model(int32_t lit) {
  if (lit == nonosat::kTrue) return kTrue;
  return lit == nonosat::kFalse ? kFalse : from_dimacs(lit);
}

}  // namespace

void Lines::add(const LineLits& given, const Values& values) {
  const int num_colours = static_cast<int>(given.cells.size());
  const auto index = static_cast<int>(lines_.size());
  Line line{Plan(given.length, num_colours, given.blocks), {}, {}, domains_.size(), false};
  line.is_filled.assign(given.length, 0);
  for (const int32_t cell : given.filled) line.is_filled[cell] = 1;
  line.is_simple = line.plan.is_mono && given.filled.empty();
  const size_t num_words = static_cast<size_t>(num_colours + 1) * words_for(given.length);
  domains_.resize(domains_.size() + num_words, 0);
  supported_.resize(std::max(supported_.size(), num_words));
  assumed_[kTrue] = 1, assumed_[kFalse] = -1;
  const auto num_simple_words = static_cast<uint32_t>(line.is_simple ? words_for(given.length) : 0);
  for (const auto& plane : given.cells) {
    std::vector<Lit> lits;
    for (int cell = 0; cell < given.length; ++cell) {
      lits.push_back(from_model(plane[cell]));
      const Var var = var_of(lits.back());
      if (!var) continue;
      if (var >= occurrences_.size()) occurrences_.resize(var + 1);
      occurrences_.push_back(
          var, {index, cell, lits.back(), static_cast<uint32_t>(line.first), num_simple_words});
    }
    line.cells.push_back(std::move(lits));
  }
  for (int cell = 0; cell < given.length; ++cell) update_domain(line, cell, values);
  lines_.push_back(std::move(line));
  is_changed_.push_back(1);
  changed_.push_back(index);
}

int Lines::pop_changed() {
  if (changed_.empty()) return -1;
  const int line = changed_[head_++];
  if (head_ == changed_.size()) changed_.clear(), head_ = 0;
  is_changed_[line] = 0;
  return line;
}

void Lines::update_domain(const Line& line, int cell, const Values& values) {
  const int num_words = words_for(line.plan.length), num_colours = line.plan.num_colours;
  int num_true = 0, last_true = 0;
  for (int colour = 1; colour <= num_colours; ++colour) {
    if (values[line.cells[colour - 1][cell]] > 0) ++num_true, last_true = colour;
  }
  Word* const words = &domains_[line.first + static_cast<size_t>(cell) / kWordBits];
  const Word bit = Word{1} << (cell % kWordBits);
  for (int value = 0; value <= num_colours; ++value) {
    const bool may = num_true ? num_true == 1 && value == last_true
                     : value  ? values[line.cells[value - 1][cell]] == 0
                              : !line.is_filled[cell];
    Word& word = words[static_cast<size_t>(value) * num_words];
    word = may ? word | bit : word & ~bit;
  }
}

bool Lines::propagate(int index, const Values& values, std::vector<Lit>& implied, Watch& watch) {
  Line& line = lines_[index];
  implied.clear();
  try {
    if (!has_filling(line, watch)) return false;
  } catch (...) {
    enqueue(index);
    throw;
  }
  const int num_words = words_for(line.plan.length), num_colours = line.plan.num_colours;
  for (int value = 0; value <= num_colours; ++value) {
    for (int i = 0; i < num_words; ++i) {
      const size_t at = static_cast<size_t>(value) * num_words + i;
      for (Word lost = domains_[line.first + at] & ~supported_[at]; lost; lost &= lost - 1) {
        const int cell = i * kWordBits + std::countr_zero(lost);
        if (value) {
          implied.push_back(negated(line.cells[value - 1][cell]));
          continue;
        }
        // The cell cannot be empty; a literal expresses this only if one colour is left.
        Lit only = kFalse;
        int num_left = 0;
        for (int colour = 1; colour <= num_colours; ++colour) {
          const size_t plane = static_cast<size_t>(colour) * num_words + i;
          if (supported_[plane] >> (cell % kWordBits) & 1)
            only = line.cells[colour - 1][cell], ++num_left;
        }
        if (num_left == 1) implied.push_back(only);
      }
    }
  }
  std::erase_if(implied, [&](Lit lit) { return values[lit] != 0; });
  return true;
}

// Computes the values that cells of the line can have in its fillings, into `supported_`; returns
// false if there is no filling.
bool Lines::has_filling(Line& line, Watch& watch) {
  return propagate_line(line.plan, &domains_[line.first], supported_.data(), false, scratch_,
                        watch);
}

void Lines::assume(Lit lit) {
  assumed_[lit] = 1, assumed_[negated(lit)] = -1;
  all_assumed_.push_back(lit);
}

// Assumes the negation of `lit` and every value that the line had when it implied `lit`. Literals
// not fixed at the root are added to `candidates_`, too.
void Lines::assume_known(const Line& line, Lit lit, const Values& values, const History& history) {
  for (const auto& plane : line.cells) {
    for (const Lit one : plane) {
      const Var var = var_of(one);
      if (!var || assumed_[one]) continue;
      if (var == var_of(lit)) {
        assume(negated(lit));
      } else if (values[one] != 0 && history.positions[var] < history.end) {
        assume(values[one] > 0 ? one : negated(one));
        if (history.positions[var] >= history.root) candidates_.push_back(all_assumed_.back());
      }
    }
  }
}

void Lines::set_assumed(int index, Lit lit, bool is_assumed) {
  assumed_[lit] = static_cast<int8_t>(is_assumed);
  assumed_[negated(lit)] = static_cast<int8_t>(-is_assumed);
  for (const Occurrence place : occurrences_[var_of(lit)]) {
    if (place.line == index) update_domain(place, assumed_);
  }
}

// Removes assumed literals of `candidates_` one by one, as long as the line has no filling without
// them; the necessary ones go to `clause`.
void Lines::minimise(int index, const History& history, std::vector<Lit>& clause, Watch& watch) {
  // Latest literals first, so that the clause keeps few and early levels.
  const auto later = [&](Lit a, Lit b) {
    return history.positions[var_of(a)] > history.positions[var_of(b)];
  };
  std::sort(candidates_.begin(), candidates_.end(), later);
  for (const Lit one : candidates_) {
    set_assumed(index, one, false);
    if (!has_filling(lines_[index], watch)) continue;
    clause.push_back(negated(one));
    set_assumed(index, one, true);
  }
}

// Like `explain`, for a simple line of one or two words: the masks represent the assumed values,
// and one pass determines if a placement is left.
template <class B>
void Lines::explain_simple(int index, Lit lit, const History& history, std::vector<Lit>& clause) {
  const Line& line = lines_[index];
  const Lit* const lits = line.cells[0].data();
  const Word* const masks = &domains_[line.first];
  const int num_words = words_for(line.plan.length);
  B may[2];
  std::array<uint64_t, kMaxMonoCells<B>> keys;  // removable cells, sorted by position on the trail
  size_t num_keys = 0;
  for (int value = 0; value < 2; ++value) {
    may[value] = masks[value * num_words];
    if (num_words > 1) may[value] |= B(masks[value * num_words + 1]) << (sizeof(B) * 4);
  }
  for (int i = 0; i < num_words; ++i) {
    for (Word known = masks[i] ^ masks[num_words + i]; known; known &= known - 1) {
      const int cell = i * kWordBits + std::countr_zero(known);
      const Var var = var_of(lits[cell]);
      if (!var) continue;
      const uint32_t place = history.positions[var];
      if (place >= history.end) {
        may[0] |= B(1) << cell, may[1] |= B(1) << cell;
      } else if (place >= history.root) {
        keys[num_keys++] = uint64_t{place} << 8 | static_cast<uint64_t>(cell);
      }
    }
  }
  if (var_of(lit)) {  // assume its negation
    for (const Occurrence& place : occurrences_[var_of(lit)]) {
      if (place.line != index) continue;
      may[lits[place.cell] == lit] &= ~(B(1) << place.cell);
      may[lits[place.cell] != lit] |= B(1) << place.cell;
    }
  }
  // Latest literals first, so that the clause keeps few and early levels.
  std::sort(keys.begin(), keys.begin() + static_cast<ptrdiff_t>(num_keys), std::greater<>());
  for (size_t i = 0; i < num_keys; ++i) {
    const int cell = static_cast<int>(keys[i] & 255);
    const B bit = B(1) << cell;
    if (!has_mono_placement<B>(line.plan, may[0] | bit, may[1] | bit)) {
      may[0] |= bit, may[1] |= bit;
    } else {
      clause.push_back(may[0] & bit ? lits[cell] : negated(lits[cell]));
    }
  }
}

void Lines::explain(int index, Lit lit, const Values& values, const History& history,
                    std::vector<Lit>& clause, Watch& watch) {
  Line& line = lines_[index];
  clause.clear();
  if (line.is_simple) {
    watch.work(cost::kExplainedCell * line.plan.length);
    if (line.plan.length <= kMaxMonoCells<Word>) {
      explain_simple<Word>(index, lit, history, clause);
    } else {
      explain_simple<DoubleWord>(index, lit, history, clause);
    }
    return;
  }
  const auto first = domains_.begin() + static_cast<ptrdiff_t>(line.first);
  const std::vector<Word> may(
      first, first + static_cast<ptrdiff_t>((line.cells.size() + 1) * words_for(line.plan.length)));
  const auto restore = [&] {
    for (const Lit one : all_assumed_) assumed_[one] = assumed_[negated(one)] = 0;
    std::copy(may.begin(), may.end(), first);
  };
  candidates_.clear();
  all_assumed_.clear();
  clause.clear();
  assume_known(line, lit, values, history);
  for (int cell = 0; cell < line.plan.length; ++cell) update_domain(line, cell, assumed_);
  try {
    minimise(index, history, clause, watch);
  } catch (...) {
    restore();
    throw;
  }
  restore();
}

}  // namespace nonosat::learn
