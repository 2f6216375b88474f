// Exact line propagator over literals of cells: finds implications beyond those of the clauses that
// encode the lines, and explains them.
//
// Invariant: the masks of a line hold exactly the values that are possible for each cell under
// the literals assigned so far (`assign`). Explanations are computed only when conflict analysis
// needs them (lazy clause generation: Ohrimenko, Stuckey, Codish 2009), and they are minimal:
// without any one of the literals, the line would have a filling.
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
  // Value of each literal: 1 true, -1 false, 0 open.
  using Values = std::vector<int8_t>;

  // Limits of an explanation: positions on the trail by variable. Literals before `root` are true
  // at the root and need not occur in an explanation; literals from `end` on are too late for it.
  struct History {
    const std::vector<uint32_t>& positions;
    uint32_t root, end;
  };

  void resize(size_t num_vars) { assumed_.resize(2 * num_vars, 0); }
  void add(const LineLits& line, const Values& values);
  bool is_empty() const { return lines_.empty(); }

  // Updates the lines of a variable that has just been assigned.
  void assign(Var var, const Values& values) {
    // Most variables are auxiliary ones of the order encoding. They occur in no line, and their
    // numbers follow those of all variables of cells.
    if (var >= occurrences_.size()) return;
    for (const Occurrence& place : occurrences_[var]) {
      update_domain(place, values);
      enqueue(place.line);
    }
  }

  // Updates the lines of a variable that is open again. This cannot cause new implications, so the
  // lines are not queued.
  void unassign(Var var, const Values& values) {
    if (var >= occurrences_.size()) return;
    for (const Occurrence& place : occurrences_[var]) update_domain(place, values);
  }

  // Clears the queue. Call it when all assignments since the last fixpoint are about to be undone.
  void clear_changed() {
    for (size_t i = head_; i < changed_.size(); ++i) is_changed_[changed_[i]] = 0;
    changed_.clear();
    head_ = 0;
  }

  // Returns the next line of the queue; -1 if it is empty.
  int pop_changed();

  // Writes the open literals that the line implies to `implied`; returns false if the line has no
  // filling. If the watch stops the call, the line is queued again.
  bool propagate(int line, const Values& values, std::vector<Lit>& implied, Watch& watch);

  // Sets `clause` to the false literals that imply `lit`, or, for kTrue, the contradiction of the
  // line. None of them is redundant. Costs a solve of the line for each known literal; if the watch
  // stops the call, nothing has changed.
  void explain(int line, Lit lit, const Values& values, const History& history,
               std::vector<Lit>& clause, Watch& watch);

 private:
  struct Occurrence {
    int line, cell;
    Lit lit;
    uint32_t first;      // offset of the line's masks in `domains_`
    uint32_t num_words;  // of each mask if the line is simple, else 0
  };
  struct Line {
    Plan plan;
    std::vector<std::vector<Lit>> cells;  // by colour - 1
    std::vector<uint8_t> is_filled;       // cells that have some colour, not known which
    size_t first;                         // offset of its masks in `domains_`
    bool is_simple;                       // one colour, short, and no cell in `is_filled`
  };

  // Recomputes the possible values of a cell from its literals.
  void update_domain(const Occurrence& place, const Values& values) {
    if (!place.num_words) return update_domain(lines_[place.line], place.cell, values);
    const int8_t value = values[place.lit];
    const Word bit = Word{1} << (place.cell % kWordBits);
    Word* const empty = &domains_[place.first + static_cast<size_t>(place.cell) / kWordBits];
    Word* const filled = empty + place.num_words;
    *empty = value <= 0 ? *empty | bit : *empty & ~bit;
    *filled = value >= 0 ? *filled | bit : *filled & ~bit;
  }
  void update_domain(const Line& line, int cell, const Values& values);
  void enqueue(int line) {
    if (is_changed_[line]) return;
    is_changed_[line] = 1;
    changed_.push_back(line);
  }
  template <class B>
  void explain_simple(int line, Lit lit, const History& history, std::vector<Lit>& clause);
  bool has_filling(Line& line, Watch& watch);
  void assume(Lit lit);
  void assume_known(const Line& line, Lit lit, const Values& values, const History& history);
  void set_assumed(int line, Lit lit, bool is_assumed);
  void minimise(int line, const History& history, std::vector<Lit>& clause, Watch& watch);

  std::vector<Line> lines_;
  Lists<Occurrence> occurrences_;  // by variable, up to the largest one of a cell
  std::vector<Word> domains_;      // masks of all lines, one for each value
  std::vector<uint8_t> is_changed_;
  std::vector<int> changed_;  // a queue that begins at `head_`
  size_t head_ = 0;
  std::vector<Word> supported_;
  Values assumed_;  // by literal, of the line being explained; all open between calls
  std::vector<Lit> all_assumed_, candidates_;
  Scratch scratch_;
};

}  // namespace nonosat::learn
