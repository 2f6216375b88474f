#include "knight/construction.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "knight/search.hpp"
#include "knight/warnsdorff.hpp"

namespace nonosat::knight {

namespace {

using Path = std::vector<Place>;

constexpr int kPart = 8;              // rows and columns of most blocks
constexpr int kNumAttempts = 10'000;  // attempts at a block, of at most 225 squares each
// Tours of a block that are tried for joining it to its neighbours.
constexpr int kNumTours = 50;
// Squares entered in a search for a block of few rows.
constexpr int64_t kSearchBudget = 20'000'000;

// A block of the board: its first row and column, and its size.
struct Block {
  int row;
  int column;
  int rows;
  int columns;
};

Path to_path(const Board& board, const std::vector<Square>& squares) {
  Path path;
  path.reserve(squares.size());
  for (const Square square : squares) path.push_back(board.place(square));
  return path;
}

// Returns the first tour of a small board that the exact search finds; nothing if its budget is
// spent.
std::optional<Path> searched(const Board& board, Requirements required, Watch& watch) {
  Search search(board, std::move(required));
  if (search.next(watch, kSearchBudget) != Search::Outcome::kSolution) return {};
  return to_path(board, search.path());
}

// Returns a tour of a block, closed or from `start`, by attempts of Warnsdorff's rule with random
// ties. Closed tours of the smallest blocks are too rare for that and are searched for. Nothing if
// all attempts fail.
std::optional<Path> block_tour(int rows, int columns, bool is_closed, Place start, Random& random,
                               Watch& watch) {
  const Board board(rows, columns);
  const Square first = board.square(start);
  if (is_closed && board.num_free() <= 36) {
    return searched(board, {.starts = {first}, .fixed = {}, .is_closed = true}, watch);
  }
  for (int i = 0; i < kNumAttempts; ++i) {
    if (auto squares = warnsdorff(board, first, is_closed, Ties::kRandom, random, watch)) {
      return to_path(board, *squares);
    }
  }
  return {};
}

// Divides a length of at least 5 into one part of 5 to 12 and parts of 8.
std::vector<int> in_parts(int length) {
  const int num_eights = std::max(0, (length - 5) / kPart);
  std::vector<int> parts{length - num_eights * kPart};
  parts.insert(parts.end(), num_eights, kPart);
  return parts;
}

// Divides an odd length into even parts and one odd part, which contains `place`. The odd part
// begins at an even position, and the parts before and after it have a total length of 0 or at
// least 8. Empty if there is no such division.
std::vector<int> around(int length, int place) {
  for (int odd = 5; odd < 2 * kPart; odd += 2) {
    for (int before = 0; before <= place && before + odd <= length; before += 2) {
      const int after = length - before - odd;
      const bool fits = (before == 0 || before >= kPart) && (after == 0 || after >= kPart);
      if (!fits || before + odd <= place) continue;
      std::vector<int> parts;
      if (before > 0) parts = in_parts(before);
      parts.push_back(odd);
      if (after > 0) std::ranges::copy(in_parts(after), std::back_inserter(parts));
      return parts;
    }
  }
  return {};
}

// Joins the tours of blocks, stored as links between squares of the whole board.
//
// Invariant: links_ represent one tour through all squares of the blocks added so far: two
// neighbours for each square, or one for the ends of an open tour.
class Joiner {
 public:
  Joiner(int rows, int columns, uint64_t seed, Watch& watch)
      : columns_(columns),
        board_(rows, columns),
        watch_(watch),
        random_(seed),
        links_(board_.num_squares(), {-1, -1}),
        is_new_(board_.num_squares(), 0) {}

  // Adds a block next to the existing ones, with a tour of its own; false if none of kNumTours
  // tours can be joined to them. O(squares of the block) for each tour.
  bool add(const Block& block, bool is_closed, Place start) {
    for (int i = 0; i < kNumTours; ++i) {
      const auto tour = tour_of(block, is_closed, start, i);
      if (!tour) return false;
      const std::vector<Square> squares = link(block, *tour, is_closed);
      if (is_first_ || join(squares)) {
        is_first_ = false;
        return true;
      }
      for (const Square square : squares) links_[square] = {-1, -1};
    }
    return false;
  }

  // Returns the whole tour from `start`, which must be an end of an open tour.
  Path walk(Place start) const {
    Path path;
    path.reserve(board_.num_free());
    Square before = -1;
    Square at = board_.square(start);
    for (int i = 0; i < board_.num_free(); ++i) {
      path.push_back(board_.place(at));
      const auto& [one, other] = links_[at];
      const Square next = one == before || one < 0 ? other : one;
      before = at;
      at = next;
    }
    return path;
  }

 private:
  using Kind = std::tuple<int, int, bool, Place>;

  // Returns tour number `index` of a kind of block, found before or now. Null if no further one is
  // found.
  const Path* tour_of(const Block& block, bool is_closed, Place start, int index) {
    std::vector<Path>& known = tours_[{block.rows, block.columns, is_closed, start}];
    if (index == static_cast<int>(known.size())) {
      auto tour = block_tour(block.rows, block.columns, is_closed, start, random_, watch_);
      if (!tour) return nullptr;
      known.push_back(std::move(*tour));
    }
    return &known[index];
  }

  // Links a tour of the block at its position on the board; returns its squares.
  std::vector<Square> link(const Block& block, const Path& tour, bool is_closed) {
    std::vector<Square> squares;
    squares.reserve(tour.size());
    for (const Place place : tour) {
      const int row = block.row + place / block.columns;
      squares.push_back(board_.square(row * columns_ + block.column + place % block.columns));
    }
    for (size_t i = 1; i < squares.size(); ++i) connect(squares[i - 1], squares[i]);
    if (is_closed) connect(squares.back(), squares.front());
    watch_.work(static_cast<int64_t>(squares.size()) * 20);
    return squares;
  }

  // Joins the tour of the last block, consisting of `squares`, to the existing one: removes one
  // edge of each and connects their ends by two moves. False if no two edges allow this.
  bool join(const std::vector<Square>& squares) {
    for (const Square square : squares) is_new_[square] = 1;
    const bool is_joined = std::ranges::any_of(squares, [&](Square square) {
      const auto ends = links_[square];
      return std::ranges::any_of(ends, [&](Square end) { return end >= 0 && cross(square, end); });
    });
    for (const Square square : squares) is_new_[square] = 0;
    return is_joined;
  }

  // Tries this for one edge of the new tour, between `ours` and `next`.
  bool cross(Square ours, Square next) {
    for (const Square move : board_.moves()) {
      const Square theirs = ours + move;
      if (!board_.is_free(theirs) || is_new_[theirs]) continue;
      for (const Square beyond : links_[theirs]) {
        if (beyond < 0 || !board_.is_move(next, beyond)) continue;
        exchange(ours, next, theirs);
        exchange(next, ours, beyond);
        exchange(theirs, beyond, ours);
        exchange(beyond, theirs, next);
        return true;
      }
    }
    return false;
  }

  void connect(Square one, Square other) {
    exchange(one, -1, other);
    exchange(other, -1, one);
  }

  void exchange(Square at, Square old, Square now) {
    auto& [first, second] = links_[at];
    (first == old ? first : second) = now;
  }

  int columns_;
  Board board_;
  Watch& watch_;
  Random random_;
  std::vector<std::array<Square, 2>> links_;  // by square: its neighbours on the tour, or -1
  std::vector<uint8_t> is_new_;               // by square: 1 in the block that is being joined
  std::map<Kind, std::vector<Path>> tours_;
  bool is_first_ = true;
};

// Constructs a closed tour for an even number of columns: all blocks have closed tours.
std::optional<Path> closed_tour(int rows, int columns, Place start, uint64_t seed, Watch& watch) {
  Joiner joiner(rows, columns, seed, watch);
  int row = 0;
  for (const int height : in_parts(rows)) {
    int column = 0;
    for (const int width : in_parts(columns)) {
      if (!joiner.add({row, column, height, width}, true, 0)) return {};
      column += width;
    }
    row += height;
  }
  return joiner.walk(std::max(start, 0));
}

// Constructs an open tour if both sides are odd: one block has an open tour from `start`, the
// others closed ones.
std::optional<Path> odd_tour(int rows, int columns, Place start, uint64_t seed, Watch& watch) {
  start = std::max(start, 0);
  const int start_row = start / columns;
  const int start_column = start % columns;
  if ((start_row + start_column) % 2 != 0) return {};
  // Blocks begin an even number of rows and columns from the corner, so that square colours are
  // preserved.
  Joiner joiner(rows, columns, seed, watch);
  int row = 0;
  for (const int height : around(rows, start_row)) {
    int column = 0;
    for (const int width : around(columns, start_column)) {
      const bool is_closed = height % 2 == 0 || width % 2 == 0;
      const Place first = is_closed ? 0 : (start_row - row) * width + start_column - column;
      if (!joiner.add({row, column, height, width}, is_closed, first)) return {};
      column += width;
    }
    row += height;
  }
  return joiner.walk(start);
}

// Boards of three rows: a tour of the first few columns, into which tours of a block are inserted,
// each into the preceding one.

// A tour of a strip, and the index after which the next block's tour is inserted.
struct Piece {
  Path path;
  int columns;
  int gap;
};

// Returns the index of `path` after which `next`, moved to the right of these columns, can be
// inserted; -1 for none.
int gap_for(const Path& next, int next_columns, const Path& path, int columns) {
  const Board both(3, columns + next_columns);
  const auto left = [&](Place place) {
    return both.square(place / columns * both.columns() + place % columns);
  };
  const auto right = [&](Place place) {
    return both.square(place / next_columns * both.columns() + columns + place % next_columns);
  };
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (both.is_move(left(path[i]), right(next.front())) &&
        both.is_move(right(next.back()), left(path[i + 1]))) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

// Returns the first tour of a small strip into which `next` can be inserted, or, if it is null, the
// tour itself; nothing if there is none.
std::optional<Piece> piece(int columns, bool is_closed, const Piece* next, Watch& watch) {
  const Board board(3, columns);
  Search search(board, {.starts = board.squares(), .fixed = {}, .is_closed = is_closed});
  while (search.next(watch, kSearchBudget) == Search::Outcome::kSolution) {
    Path path = to_path(board, search.path());
    const Path& other = next ? next->path : path;
    const int gap = gap_for(other, next ? next->columns : columns, path, columns);
    if (gap >= 0) return Piece{std::move(path), columns, gap};
  }
  return {};
}

std::optional<Path> strip_tour(int columns, bool is_closed, Watch& watch) {
  const int width = 8;  // of a block with a tour that can be inserted into itself
  const int least = is_closed ? 10 : 7;
  if (columns < least + width) {
    const Board board(3, columns);
    return searched(board, {.starts = board.squares(), .fixed = {}, .is_closed = is_closed}, watch);
  }
  const auto block = piece(width, false, nullptr, watch);
  if (!block) return {};
  const int rest = (columns - least) % width + least;
  const auto first = piece(rest, is_closed, &*block, watch);
  if (!first) return {};
  Path path;
  path.reserve(static_cast<size_t>(3) * columns);
  const auto append = [&](const Piece& part, int column, bool is_front) {
    const auto middle = part.path.begin() + part.gap + 1;
    for (auto at = is_front ? part.path.begin() : middle;
         at != (is_front ? middle : part.path.end()); ++at) {
      path.push_back(*at / part.columns * columns + column + *at % part.columns);
    }
    watch.work(100);
  };
  append(*first, 0, true);
  for (int column = rest; column < columns; column += width) append(*block, column, true);
  for (int column = columns - width; column >= rest; column -= width) append(*block, column, false);
  append(*first, 0, false);
  return path;
}

// Returns the tour from `start` (-1: from anywhere): a closed one rotated, an open one from either
// end. Nothing if an open one does not end there.
std::optional<Path> turned(std::optional<Path> path, bool is_closed, Place start) {
  if (!path || start < 0) return path;
  if (is_closed) {
    std::rotate(path->begin(), std::find(path->begin(), path->end(), start), path->end());
  } else if (path->back() == start) {
    std::reverse(path->begin(), path->end());
  }
  return path->front() == start ? path : std::nullopt;
}

std::optional<Path> upright(int rows, int columns, bool is_closed, Place start, uint64_t seed,
                            Watch& watch) {
  if (rows >= 5 && columns >= 5) {
    if (columns % 2 == 0) return closed_tour(rows, columns, start, seed, watch);
    if (rows % 2 == 0 || is_closed) return {};  // the transposed board may have one
    return odd_tour(rows, columns, start, seed, watch);
  }
  if (rows == 1 && columns == 1 && !is_closed) return Path{0};
  if (rows != 3) return {};
  const bool is_round = columns % 2 == 0 && columns >= 10;
  if (is_closed > is_round) return {};
  return turned(strip_tour(columns, is_round, watch), is_round, start);
}

}  // namespace

std::optional<std::vector<Place>> construct(int rows, int columns, bool is_closed, Place start,
                                            uint64_t seed, Watch& watch) {
  if (auto path = upright(rows, columns, is_closed, start, seed, watch)) return path;
  const Place turned = start < 0 ? start : start % columns * rows + start / columns;
  auto path = upright(columns, rows, is_closed, turned, seed, watch);
  if (!path) return {};
  for (Place& place : *path) place = place % rows * columns + place / rows;
  return path;
}

}  // namespace nonosat::knight
