// Lines whose cells are literals, under the exact line propagator: what they imply beyond the
// clauses that encode them, and why.
//
// Invariant: the masks of a line hold exactly the values that the literals told of leave to each
// cell. Explanations are worked out only when a conflict asks for them (lazy clause generation:
// Ohrimenko, Stuckey, Codish 2009), and are minimal: without any of its literals, the line would
// have a filling.
#pragma once

#include <cstdint>
#include <vector>

#include "encoding/order_encoding.hpp"
#include "learn/lists.hpp"
#include "learn/literal.hpp"
#include "line/line.hpp"
#include "watch.hpp"

namespace nonosat::learn {

class Lines {
 public:
  // By literal: 1 true, -1 false, 0 open.
  using Values = std::vector<int8_t>;

  // When the literals that an explanation may use became true: places on the trail by variable.
  // Those before `root` hold in any case, those from `end` on came too late.
  struct History {
    const std::vector<uint32_t>& places;
    uint32_t root, end;
  };

  void resize(size_t num_vars) { held_.resize(2 * num_vars, 0); }
  void add(const LineLits& line, const Values& values);
  bool is_empty() const { return lines_.empty(); }

  // A literal of the variable has become true.
  void tell(Var var, const Values& values) {
    if (var >= places_.size()) return;  // most variables are of bounds, and come behind all cells
    for (const Place& place : places_[var]) {
      refresh(place, values);
      put_back(place.line);
    }
  }

  // The literals of the variable are open again. Lines know less then, and imply no more.
  void take_back(Var var, const Values& values) {
    if (var >= places_.size()) return;
    for (const Place& place : places_[var]) refresh(place, values);
  }

  // What was told since the lines were last at their fixpoint is about to be taken back.
  void forget_changed() {
    for (size_t i = head_; i < changed_.size(); ++i) is_changed_[changed_[i]] = 0;
    changed_.clear();
    head_ = 0;
  }

  // A line told of since it was last taken; -1 when there is none.
  int take_changed();

  // The open literals that the line makes true go to `implied`; false when it has no filling. Where
  // the watch stops it, the line counts as told of again.
  bool propagate(int line, const Values& values, std::vector<Lit>& implied, Watch& watch);

  // Makes `clause` the false literals that imply `lit`; kTrue stands for the line's contradiction.
  // None of them can be spared. Costs a solve of the line for each literal that is known; where the
  // watch stops it, everything is as it was.
  void explain(int line, Lit lit, const Values& values, const History& history,
               std::vector<Lit>& clause, Watch& watch);

 private:
  struct Place {
    int line, cell;
    Lit lit;
    uint32_t first;      // of the line's masks in `may_`
    uint32_t num_words;  // of each of them where the line is simple, else 0
  };
  struct Line {
    Plan plan;
    std::vector<std::vector<Lit>> cells;  // by colour - 1
    std::vector<uint8_t> is_filled;       // known to have some colour
    size_t first;                         // of its masks in `may_`
    bool is_simple;                       // of one colour and short, no cell in `is_filled`
  };

  // What the literals of a cell leave to it.
  void refresh(const Place& place, const Values& values) {
    if (!place.num_words) return refresh(lines_[place.line], place.cell, values);
    const int8_t value = values[place.lit];
    const Word bit = Word{1} << (place.cell % kWordBits);
    Word* const empty = &may_[place.first + static_cast<size_t>(place.cell) / kWordBits];
    Word* const filled = empty + place.num_words;
    *empty = value <= 0 ? *empty | bit : *empty & ~bit;
    *filled = value >= 0 ? *filled | bit : *filled & ~bit;
  }
  void refresh(const Line& line, int cell, const Values& values);
  void put_back(int line) {
    if (is_changed_[line]) return;
    is_changed_[line] = 1;
    changed_.push_back(line);
  }
  template <class B>
  void explain_simple(int line, Lit lit, const History& history, std::vector<Lit>& clause);
  bool has_filling(Line& line, Watch& watch);
  void hold(Lit lit);
  void hold_known(const Line& line, Lit lit, const Values& values, const History& history);
  void set_held(int line, Lit lit, bool is_held);
  void minimise(int line, const History& history, std::vector<Lit>& clause, Watch& watch);

  std::vector<Line> lines_;
  Lists<Place> places_;    // by variable, up to the last one of any line
  std::vector<Word> may_;  // of all lines, a plane a value
  std::vector<uint8_t> is_changed_;
  std::vector<int> changed_;  // a queue, which begins at `head_`
  size_t head_ = 0;
  std::vector<Word> kept_;
  Values held_;  // by literal, of the line under explanation; all open between calls
  std::vector<Lit> all_held_, used_;
  Scratch scratch_;
};

}  // namespace nonosat::learn
