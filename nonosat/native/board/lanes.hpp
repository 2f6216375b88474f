// A board whose lanes are any sequences of its cells, under exact line propagation: the counterpart
// of Board for triddlers, outlines and grids that share cells. Templates over boards (Prober,
// Search, Counter) take either; they call lanes lines.
//
// The domains of the cells are stored once for all cells, like a single row of a Board, and once in
// each lane, as the line solvers read them. Invariant: all copies of a domain are equal. After
// `propagate` has returned true, every value left in a lane occurs in some placement of the lane's
// blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "board/board.hpp"
#include "board/line_cache.hpp"
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

  int num_cells() const { return num_cells_; }
  int num_values() const { return num_values_; }
  int num_lines() const { return static_cast<int>(parts_->plans.size()); }

  // All of these are like those of Board, with lanes as its lines.
  bool may(int cell, int value) const {
    return words_[row_word(value, cell)] >> (cell % kWordBits) & 1;
  }
  int num_left(int cell) const;
  int64_t num_pairs() const { return num_pairs_; }
  bool is_complete() const { return num_pairs_ == num_cells_; }
  bool is_copy_of(const LaneBoard& other) const {
    return parts_ == other.parts_ && clock_ == other.clock_ && versions_ == other.versions_ &&
           words_ == other.words_;
  }
  std::vector<uint8_t> cells() const;
  std::vector<uint8_t> plane(int value) const;
  std::vector<int> open_cells() const;
  void remove(int cell, int value);
  void assign(int cell, int value);
  bool propagate(Watch& watch);
  bool is_at_fixpoint() const { return next_ == queue_.size(); }
  int broken_line() const { return broken_line_; }
  size_t mark();
  void undo(size_t mark);

  // The words of all cells come first, those of one value after another, then those of the lanes.
  using Change = Board::Change;
  std::span<const Change> changes_since(size_t mark) const {
    return std::span(trail_).subspan(mark);
  }
  size_t num_row_words() const { return static_cast<size_t>(num_values_) * cell_words_; }
  Word word(size_t index) const { return words_[index]; }
  int cell_at(size_t row_word, int bit) const {
    return static_cast<int>(row_word % cell_words_) * kWordBits + bit;
  }
  int value_at(size_t row_word) const { return static_cast<int>(row_word / cell_words_); }

  static constexpr bool kIsRectangle = false;
  int cell_in(int lane, int at) const { return parts_->lanes[lane][at]; }
  template <class Visit>
  void for_lines_of(int cell, Visit visit) const {
    for (const Place& place : places_of(cell)) visit(place.lane);
  }
  const Plan& plan(int lane) const { return parts_->plans[lane]; }
  const Word* planes(int lane) const { return &words_[parts_->first_word[lane]]; }

  int num_zones() const { return static_cast<int>(versions_.size()); }
  uint64_t version(int zone) const { return versions_[zone]; }
  uint64_t clock() const { return clock_; }
  void trace(Word* zones) { traced_ = zones; }

 private:
  struct Place {
    int32_t lane, at;
  };
  struct Parts {                       // shared with the copies of this board
    std::vector<Cells> lanes;          // cells, by lane
    std::vector<Plan> plans;           // by lane
    std::vector<size_t> first_word;    // by lane
    std::vector<int32_t> lane_of;      // by word of the lanes
    std::vector<int32_t> first_place;  // by cell, and the end of the last one
    std::vector<Place> places;         // of each cell in its lanes
  };

  std::span<const Place> places_of(int cell) const {
    const auto first = static_cast<size_t>(parts_->first_place[cell]);
    return std::span(parts_->places).subspan(first, parts_->first_place[cell + 1] - first);
  }
  size_t row_word(int value, int cell) const {
    return static_cast<size_t>(value) * cell_words_ + cell / kWordBits;
  }
  size_t lane_word(int lane, int value, int at) const {
    return parts_->first_word[lane] + static_cast<size_t>(value) * words_for(plan(lane).length) +
           at / kWordBits;
  }
  int zone_of(int lane) const {
    return static_cast<int>(int64_t{lane} * num_zones() / num_lines());
  }
  void write(size_t index, Word word) {
    if (!marks_.empty()) trail_.push_back({index, words_[index]});
    words_[index] = word;
  }
  void touch(int lane) {
    if (!traced_) versions_[zone_of(lane)] = ++clock_;
  }
  void enqueue(int lane);
  void remove_from_cell(int cell, int value, int solved);
  bool filter_line(int lane, Watch& watch);
  bool solve(int lane, Watch& watch);

  int num_cells_, num_values_, cell_words_;
  std::shared_ptr<const Parts> parts_;
  std::vector<Word> words_;
  std::vector<Word> kept_;
  LineCache cache_;
  Scratch scratch_;
  int64_t num_pairs_;
  std::vector<Change> trail_;
  struct Mark {
    size_t num_changes;
    int64_t num_pairs;
  };
  std::vector<Mark> marks_;
  std::vector<int32_t> queue_;  // lanes to be solved, from `next_` on
  size_t next_ = 0;
  std::vector<uint8_t> is_queued_;  // by lane
  int broken_line_ = -1;
  Word* traced_ = nullptr;
  std::vector<uint64_t> versions_;  // by zone
  uint64_t clock_ = 0;
};

}  // namespace nonosat
