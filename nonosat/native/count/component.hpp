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

// Strips of a line, which threads share.
using Strips = std::shared_ptr<const std::vector<Strip>>;

// Size of a value for Aging: the strips of a line, with their segments.
size_t owned_bytes(const Strips& strips);

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

// Strips of lines, and numbers of their segments, for all threads of a search or a count. Both are
// cached in at most `max_bytes`.
class SharedStrips {
 public:
  explicit SharedStrips(size_t max_bytes);

  // Returns the strips of a line of a board, cached by the domains of its cells.
  template <class AnyBoard>
  Strips of(const AnyBoard& board, int line, Watch& watch);

 private:
  static constexpr size_t kShards = 8;  // few, because each may exceed its memory by an entry

  struct Shard {
    explicit Shard(size_t max_bytes) : strips(max_bytes) {}

    std::mutex mutex;
    Aging<uint64_t, Strips> strips;  // by line and the domains of its cells
  };

  template <class AnyBoard>
  Strips make(const AnyBoard& board, int line, Watch& watch);
  uint64_t number_of(std::vector<int32_t> key);

  std::vector<std::unique_ptr<Shard>> shards_;  // by line
  std::mutex mutex_;                            // of the numbers
  Aging<int32_t, uint64_t> numbers_;            // by segment; never reused
  uint64_t next_ = 0;
};

// Finds the components of a board, or of a board of lanes, at a line fixpoint.
template <class AnyBoard>
class Splitter {
 public:
  Splitter(AnyBoard& board, SharedStrips& shared);

  // Returns the components of the open cells among `cells`, the smallest first. Needs a board at
  // its line fixpoint, and `cells` ascending: all cells of some components of an earlier state, of
  // which some may have been decided since. Throws Stopped and TooLarge. O(cells), and the diagrams
  // of lines that are not cached.
  std::vector<Component> split(const std::vector<int>& cells, Watch& watch);

 private:
  std::vector<Strip> strips_through(const std::vector<int>& cells, Watch& watch);
  int find(int at);
  void join(const Strip& strip);

  AnyBoard& board_;
  SharedStrips& shared_;
  std::vector<int32_t> place_of_;  // by cell: its index among the cells being split, or -1
  std::vector<int32_t> parent_;    // by that index
};

extern template class Splitter<Board>;
extern template class Splitter<LaneBoard>;

}  // namespace nonosat
