// Components: sets of open cells that are connected through segments of lines, and so depend on
// each other. A board is a `Board`, or a `LaneBoard` with lanes as its lines.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "board/board.hpp"
#include "board/lanes.hpp"
#include "count/aging.hpp"
#include "count/diagram.hpp"
#include "watch.hpp"

namespace nonosat {

// A segment of a line, with a number that all equal segments of the line share.
struct Strip {
  std::shared_ptr<const Segment> segment;
  int line;
  int index;  // index of the line among the rows or the columns, or among all lanes
  uint64_t id;
};

// Size of a value for Aging: the strips of a line, with their segments.
size_t owned_bytes(const std::vector<Strip>& strips);

// Invariant: each cell lies in one strip of a row and in one of a column, and the strips have no
// other cells. On a board of lanes, each cell lies in one strip of each of its lanes, and all
// strips are stored as rows. The number of fillings that agree with all strips depends on the
// strips alone.
struct Component {
  std::vector<int> cells;            // ascending
  std::vector<Strip> rows, columns;  // ascending

  // Returns a key that is equal for components of equal strips, and for no others.
  std::vector<uint64_t> key() const;
};

// Numbers of segments for the threads of a count; they are never reused.
class SharedNumbers {
 public:
  explicit SharedNumbers(size_t max_bytes) : numbers_(max_bytes) {}

  // Returns the number of the segment with this key: that of an equal earlier one that is not
  // forgotten, or the next one.
  uint64_t number_of(std::vector<int32_t> key);

 private:
  std::mutex mutex_;
  Aging<int32_t, uint64_t> numbers_;  // by segment
  uint64_t next_ = 0;
};

// Finds the components of a board, or of a board of lanes, at a line fixpoint. Caches diagrams in
// at most `max_bytes`.
template <class AnyBoard>
class Splitter {
 public:
  Splitter(AnyBoard& board, SharedNumbers& numbers, size_t max_bytes);

  // Returns the components of the open cells among `cells`, the smallest first. Needs a board at
  // its line fixpoint, and `cells` ascending: all cells of some components of an earlier state, of
  // which some may have been decided since. Throws Stopped and TooLarge. O(cells), and the diagrams
  // of lines that are not cached.
  std::vector<Component> split(const std::vector<int>& cells, Watch& watch);

 private:
  using Strips = std::vector<Strip>;

  const Strips& strips_of(int line, Watch& watch);
  Strips make_strips(int line, Watch& watch);
  Strips strips_through(const std::vector<int>& cells, Watch& watch);
  static bool is_row(const AnyBoard& board, int line) {
    if constexpr (AnyBoard::kIsRectangle) return line < board.height();
    return true;
  }
  int find(int at);
  void join(const Strip& strip);

  AnyBoard& board_;
  SharedNumbers& numbers_;
  Aging<uint64_t, Strips> strips_;  // by line and the domains of its cells
  std::vector<int32_t> place_of_;   // by cell: its index among the cells being split, or -1
  std::vector<int32_t> parent_;     // by that index
};

extern template class Splitter<Board>;
extern template class Splitter<LaneBoard>;

}  // namespace nonosat
