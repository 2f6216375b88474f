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

  void resize(size_t num_vars) {
    places_.resize(num_vars);
    held_.resize(2 * num_vars, 0);
  }
  void add(const LineLits& line, const Values& values);
  bool is_empty() const { return lines_.empty(); }

  // A literal of the variable has become true, or is open again.
  void tell(Var var, const Values& values) {
    for (const Place place : places_[var]) {
      refresh(lines_[place.line], place.cell, values);
      put_back(place.line);
    }
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
  };
  struct Line {
    Plan plan;
    std::vector<std::vector<Lit>> cells;  // by colour - 1
    std::vector<uint8_t> is_filled;       // known to have some colour
    std::vector<Word> may;
  };

  static void refresh(Line& line, int cell, const Values& values);
  void put_back(int line) {
    if (is_changed_[line]) return;
    is_changed_[line] = 1;
    changed_.push_back(line);
  }
  bool has_filling(Line& line, Watch& watch);
  void hold(Lit lit);
  void hold_known(const Line& line, Lit lit, const Values& values, const History& history);
  void set_held(int line, Lit lit, bool is_held);
  void minimise(int line, const History& history, std::vector<Lit>& clause, Watch& watch);

  std::vector<Line> lines_;
  std::vector<std::vector<Place>> places_;  // by variable
  std::vector<uint8_t> is_changed_;
  std::vector<int> changed_;
  std::vector<Word> kept_;
  Values held_;  // by literal, of the line under explanation; all open between calls
  std::vector<Lit> all_held_, used_;
  Scratch scratch_;
};

}  // namespace nonosat::learn
