// A board whose lanes are any sequences of its cells, under exact line propagation and probing: the
// counterpart of Board and Prober for triddlers, outlines and grids that share cells.
//
// Each lane stores the domains of its cells, as the line solvers read them, so a cell that lies in
// several lanes is stored as often. Invariant: all copies of a domain are equal. After `propagate`
// has returned true, every value left in a lane occurs in some placement of the lane's blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "board/probe.hpp"
#include "line/line.hpp"
#include "watch.hpp"

namespace nonosat {

class LaneBoard {
 public:
  using Cells = std::vector<int32_t>;

  // Needs cells in 0 .. num_cells - 1, each at most once in a lane and at least once in all lanes,
  // and a clue a lane in 1 .. num_colours colours. Linear in the cells of all lanes and the blocks.
  LaneBoard(int num_colours, int num_cells, std::vector<Cells> lanes, std::vector<Clue> clues,
            Watch& watch);

  int num_cells() const { return static_cast<int>(left_.size()); }
  int num_values() const { return num_values_; }
  int num_lanes() const { return static_cast<int>(lanes_.size()); }
  bool may(int cell, int value) const;
  int num_left(int cell) const { return left_[cell]; }

  int num_lines() const { return num_lanes(); }
  int64_t num_pairs() const { return num_pairs_; }  // (cell, value) pairs left

  // Like those of Board, with lanes as its lines.
  std::vector<uint8_t> cells() const;
  std::vector<uint8_t> plane(int value) const;
  std::vector<int> open_cells() const;
  static constexpr bool kIsRectangle = false;
  int cell_in(int lane, int at) const { return lanes_[lane][at]; }
  template <class Visit>
  void for_lines_of(int cell, Visit visit) const {
    for (int32_t i = first_place_[cell]; i < first_place_[cell + 1]; ++i) visit(places_[i].lane);
  }
  const Plan& plan(int lane) const { return plans_[lane]; }
  const Word* planes(int lane) const { return &words_[first_word_[lane]]; }

  // Like those of Board; a mark costs nothing, `undo` the pairs removed since.
  size_t mark();
  void undo(size_t mark);

  // Removes one value of a cell, or all others, and queues its lanes. If a cell loses its last
  // value, the next `propagate` returns false.
  void remove(int cell, int value);
  void assign(int cell, int value);

  // Solves queued lanes until none is left. True: the board is at its line fixpoint. False: some
  // lane has no placement. Throws Stopped; the current lane remains queued.
  bool propagate(Watch& watch);

  // The lane without a placement that made the last `propagate` return false; -1 if there is none.
  int broken_lane() const { return broken_lane_; }

  // Propagates, then assumes every value of every open cell in turn and propagates, removes the
  // values that are refuted and those that all others exclude, until a pass over the cells finds
  // nothing new, or the watch has done `budget_end` units of work. Leaves a board at its line
  // fixpoint unless it returns kContradiction. Throws Stopped.
  Progress probe(Watch& watch, int64_t budget_end);

  int64_t num_probes() const { return num_probes_; }

 private:
  struct Place {
    int32_t lane, at;
  };

  size_t word(int lane, int value, int at) const {
    return first_word_[lane] + static_cast<size_t>(value) * words_for(plans_[lane].length) +
           at / kWordBits;
  }
  void enqueue(int lane);
  void remove_but(int cell, int value, int solved);  // without queueing the lane `solved`
  bool solve(int lane, Watch& watch);
  void intersect(size_t mark);
  bool probe_cell(int cell, Watch& watch, bool& is_changed);

  int num_values_;
  std::vector<Cells> lanes_;
  std::vector<Plan> plans_;           // by lane
  std::vector<size_t> first_word_;    // by lane
  std::vector<Word> words_;           // the domains, lane by lane, value by value
  std::vector<int32_t> first_place_;  // by cell, and the end of the last one
  std::vector<Place> places_;         // of each cell in its lanes
  std::vector<int32_t> left_;         // by cell: number of values left
  std::vector<Word> kept_;
  Scratch scratch_;
  std::vector<int32_t> queue_;  // lanes to be solved, from `next_` on
  size_t next_ = 0;
  std::vector<uint8_t> is_queued_;  // by lane
  int broken_lane_ = -1;
  int64_t num_pairs_;
  size_t num_marks_ = 0;
  std::vector<int32_t> trail_;   // pairs removed under a mark, as cell * num_values + value
  std::vector<int32_t> common_;  // pairs that all consistent assumptions have removed so far
  std::vector<uint32_t> stamp_;  // by pair: the last assumption that removed it
  uint32_t time_ = 0;
  int64_t num_probes_ = 0;
};

}  // namespace nonosat
