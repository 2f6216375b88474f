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
  Line line{Plan(given.length, num_colours, given.blocks), {}, {}, may_.size(), false};
  line.is_filled.assign(given.length, 0);
  for (const int32_t cell : given.filled) line.is_filled[cell] = 1;
  line.is_simple = line.plan.is_mono && given.filled.empty();
  const size_t num_words = static_cast<size_t>(num_colours + 1) * words_for(given.length);
  may_.resize(may_.size() + num_words, 0);
  kept_.resize(std::max(kept_.size(), num_words));
  held_[kTrue] = 1, held_[kFalse] = -1;
  const auto num_simple_words = static_cast<uint32_t>(line.is_simple ? words_for(given.length) : 0);
  for (const auto& plane : given.cells) {
    std::vector<Lit> lits;
    for (int cell = 0; cell < given.length; ++cell) {
      lits.push_back(from_model(plane[cell]));
      const Var var = var_of(lits.back());
      if (!var) continue;
      if (var >= places_.size()) places_.resize(var + 1);
      places_.push_back(
          var, {index, cell, lits.back(), static_cast<uint32_t>(line.first), num_simple_words});
    }
    line.cells.push_back(std::move(lits));
  }
  for (int cell = 0; cell < given.length; ++cell) refresh(line, cell, values);
  lines_.push_back(std::move(line));
  is_changed_.push_back(1);
  changed_.push_back(index);
}

int Lines::take_changed() {
  if (changed_.empty()) return -1;
  const int line = changed_[head_++];
  if (head_ == changed_.size()) changed_.clear(), head_ = 0;
  is_changed_[line] = 0;
  return line;
}

void Lines::refresh(const Line& line, int cell, const Values& values) {
  const int num_words = words_for(line.plan.length), num_colours = line.plan.num_colours;
  int num_true = 0, last_true = 0;
  for (int colour = 1; colour <= num_colours; ++colour) {
    if (values[line.cells[colour - 1][cell]] > 0) ++num_true, last_true = colour;
  }
  Word* const words = &may_[line.first + static_cast<size_t>(cell) / kWordBits];
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
    put_back(index);
    throw;
  }
  const int num_words = words_for(line.plan.length), num_colours = line.plan.num_colours;
  for (int value = 0; value <= num_colours; ++value) {
    for (int i = 0; i < num_words; ++i) {
      const size_t at = static_cast<size_t>(value) * num_words + i;
      for (Word lost = may_[line.first + at] & ~kept_[at]; lost; lost &= lost - 1) {
        const int cell = i * kWordBits + std::countr_zero(lost);
        if (value) {
          implied.push_back(negated(line.cells[value - 1][cell]));
          continue;
        }
        // No longer empty: literals can say so where one colour is left.
        Lit only = kFalse;
        int num_left = 0;
        for (int colour = 1; colour <= num_colours; ++colour) {
          const size_t plane = static_cast<size_t>(colour) * num_words + i;
          if (kept_[plane] >> (cell % kWordBits) & 1)
            only = line.cells[colour - 1][cell], ++num_left;
        }
        if (num_left == 1) implied.push_back(only);
      }
    }
  }
  std::erase_if(implied, [&](Lit lit) { return values[lit] != 0; });
  return true;
}

// Leaves what the cells can have in `kept_`.
bool Lines::has_filling(Line& line, Watch& watch) {
  return propagate_line(line.plan, &may_[line.first], kept_.data(), false, scratch_, watch);
}

void Lines::hold(Lit lit) {
  held_[lit] = 1, held_[negated(lit)] = -1;
  all_held_.push_back(lit);
}

// Holds what the line knew when it made `lit` true, and that `lit` is false. Literals that do not
// hold in any case go to `used_`, too.
void Lines::hold_known(const Line& line, Lit lit, const Values& values, const History& history) {
  for (const auto& plane : line.cells) {
    for (const Lit one : plane) {
      const Var var = var_of(one);
      if (!var || held_[one]) continue;
      if (var == var_of(lit)) {
        hold(negated(lit));
      } else if (values[one] != 0 && history.places[var] < history.end) {
        hold(values[one] > 0 ? one : negated(one));
        if (history.places[var] >= history.root) used_.push_back(all_held_.back());
      }
    }
  }
}

void Lines::set_held(int index, Lit lit, bool is_held) {
  held_[lit] = static_cast<int8_t>(is_held);
  held_[negated(lit)] = static_cast<int8_t>(-is_held);
  for (const Place place : places_[var_of(lit)]) {
    if (place.line == index) refresh(place, held_);
  }
}

// Gives up the literals of `used_` one by one, as long as the line has no filling without them.
void Lines::minimise(int index, const History& history, std::vector<Lit>& clause, Watch& watch) {
  // What came last is given up first, so that the clause speaks of few and early levels.
  const auto later = [&](Lit a, Lit b) {
    return history.places[var_of(a)] > history.places[var_of(b)];
  };
  std::sort(used_.begin(), used_.end(), later);
  for (const Lit one : used_) {
    set_held(index, one, false);
    if (!has_filling(lines_[index], watch)) continue;
    clause.push_back(negated(one));
    set_held(index, one, true);
  }
}

// `explain` for a simple line in a word or two: the masks themselves are what is held, and one pass
// tells whether a placement is left.
template <class B>
void Lines::explain_simple(int index, Lit lit, const History& history, std::vector<Lit>& clause) {
  const Line& line = lines_[index];
  const Lit* const lits = line.cells[0].data();
  const Word* const masks = &may_[line.first];
  const int num_words = words_for(line.plan.length);
  B may[2];
  std::array<uint64_t, kMaxMonoCells<B>> keys;  // cells that may be given up, by place
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
      const uint32_t place = history.places[var];
      if (place >= history.end) {
        may[0] |= B(1) << cell, may[1] |= B(1) << cell;
      } else if (place >= history.root) {
        keys[num_keys++] = uint64_t{place} << 8 | static_cast<uint64_t>(cell);
      }
    }
  }
  if (var_of(lit)) {  // the opposite is held
    for (const Place& place : places_[var_of(lit)]) {
      if (place.line != index) continue;
      may[lits[place.cell] == lit] &= ~(B(1) << place.cell);
      may[lits[place.cell] != lit] |= B(1) << place.cell;
    }
  }
  // What came last is given up first, so that the clause speaks of few and early levels.
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
  const auto first = may_.begin() + static_cast<ptrdiff_t>(line.first);
  const std::vector<Word> may(
      first, first + static_cast<ptrdiff_t>((line.cells.size() + 1) * words_for(line.plan.length)));
  const auto let_go = [&] {
    for (const Lit one : all_held_) held_[one] = held_[negated(one)] = 0;
    std::copy(may.begin(), may.end(), first);
  };
  used_.clear();
  all_held_.clear();
  clause.clear();
  hold_known(line, lit, values, history);
  for (int cell = 0; cell < line.plan.length; ++cell) refresh(line, cell, held_);
  try {
    minimise(index, history, clause, watch);
  } catch (...) {
    let_go();
    throw;
  }
  let_go();
}

}  // namespace nonosat::learn
