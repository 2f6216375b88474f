#include "knight/rotation.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "cost.hpp"

namespace nonosat::knight {

namespace {

constexpr uint32_t kTurnRound = 8;  // the path is reversed after one of so many rotations
constexpr int64_t kInsert = 64;     // rotations between two attempts to insert rings

class Path {
 public:
  Path(const Board& board, std::vector<Square> squares,
       const std::vector<std::vector<Square>>& rings, Random& random)
      : board_(board),
        random_(random),
        rings_(rings),
        at_(board.num_squares(), kNowhere),
        place_(board.num_squares(), 0),
        left_(rings.size()),
        squares_(std::move(squares)) {
    std::iota(left_.begin(), left_.end(), 0);
    squares_.reserve(board.num_free());
    number_from(0);
    for (size_t ring = 0; ring < rings.size(); ++ring) {
      for (size_t place = 0; place < rings[ring].size(); ++place) {
        at_[rings[ring][place]] = ~static_cast<int32_t>(ring);
        place_[rings[ring][place]] = static_cast<int32_t>(place);
      }
    }
  }

  bool is_whole() const { return static_cast<int>(squares_.size()) == board_.num_free(); }
  bool is_ring() const {
    return squares_.size() > 2 && board_.is_move(squares_.back(), squares_.front());
  }
  const std::vector<Square>& squares() const { return squares_; }

  // Appends rings next to the end of the path as long as there are any.
  void grow() {
    while (true) {
      const auto& moves = board_.moves();
      const auto move = std::ranges::find_if(
          moves, [&](Square step) { return is_on_ring(squares_.back() + step); });
      if (move == moves.end()) return;
      take_in(squares_.back() + *move);
    }
  }

  // Rotates the path at a square a move away from its end: at one after which it can grow, else at
  // a random one.
  void rotate() {
    uint32_t num_turns = 0;
    int32_t chosen = kNowhere;
    const auto last = static_cast<int32_t>(squares_.size()) - 1;
    for (const Square move : board_.moves()) {
      const int32_t turn = at_[squares_.back() + move];
      if (turn < 0 || turn >= last - 1) continue;
      if (can_continue(squares_[turn + 1])) {
        chosen = turn;
        break;
      }
      if (random_.below(++num_turns) == 0) chosen = turn;
    }
    if (chosen >= 0) reverse_from(chosen + 1);
  }

  void turn_round() { reverse_from(0); }

  // Inserts each ring between two consecutive squares of the path that are a move away from two
  // neighbours on the ring.
  void insert_rings() {
    std::erase_if(left_,
                  [&](size_t ring) { return at_[rings_[ring].front()] >= 0 || insert(ring); });
  }

 private:
  static constexpr int32_t kNowhere = std::numeric_limits<int32_t>::min();

  bool is_on_ring(Square square) const { return at_[square] < 0 && at_[square] != kNowhere; }

  // Appends the ring of a square from this square on, in a random direction.
  void take_in(Square square) {
    const auto& ring = rings_[~at_[square]];
    const size_t first = squares_.size(), length = ring.size();
    const size_t step = random_.below(2) == 0 ? 1 : length - 1;
    size_t place = place_[square];
    for (size_t i = 0; i < length; ++i, place = (place + step) % length) {
      squares_.push_back(ring[place]);
    }
    number_from(first);
  }

  bool insert(size_t number) {
    const auto& ring = rings_[number];
    for (size_t i = 0; i < ring.size(); ++i) {
      const Square last = ring[(i + 1) % ring.size()];
      for (const Square move : board_.moves()) {
        const int32_t near = at_[ring[i] + move];
        if (near < 0) continue;
        for (const int32_t neighbour : {near - 1, near + 1}) {
          if (neighbour < 0 || neighbour >= static_cast<int32_t>(squares_.size())) continue;
          if (!board_.is_move(squares_[neighbour], last)) continue;
          insert(ring, i, near, neighbour);
          return true;
        }
      }
    }
    return false;
  }

  // Inserts the ring, opened between its i-th square and the next one, with the i-th next to
  // `near`.
  void insert(const std::vector<Square>& ring, size_t i, int32_t near, int32_t neighbour) {
    std::vector<Square> opened(ring.begin() + static_cast<int64_t>(i) + 1, ring.end());
    opened.insert(opened.end(), ring.begin(), ring.begin() + static_cast<int64_t>(i) + 1);
    if (near < neighbour) std::ranges::reverse(opened);
    const int32_t first = std::max(near, neighbour);
    squares_.insert(squares_.begin() + first, opened.begin(), opened.end());
    number_from(static_cast<size_t>(first));
  }

  // Returns true if a path that ends there can grow, or, if it is complete, can be closed.
  bool can_continue(Square end) const {
    if (is_whole()) return board_.is_move(end, squares_.front());
    return std::ranges::any_of(board_.moves(), [&](Square move) { return is_on_ring(end + move); });
  }

  void reverse_from(size_t first) {
    std::reverse(squares_.begin() + static_cast<int64_t>(first), squares_.end());
    number_from(first);
  }

  void number_from(size_t first) {
    for (size_t i = first; i < squares_.size(); ++i) at_[squares_[i]] = static_cast<int32_t>(i);
  }

  const Board& board_;
  Random& random_;
  const std::vector<std::vector<Square>>& rings_;
  // By square: its index on the path, or the complement of its ring's index.
  std::vector<int32_t> at_;
  std::vector<int32_t> place_;  // by square: its index on its ring
  std::vector<size_t> left_;    // rings that may not be on the path yet
  std::vector<Square> squares_;
};

}  // namespace

std::optional<std::vector<Square>> rotated(const Board& board, std::vector<Square> path,
                                           const std::vector<std::vector<Square>>& rings,
                                           bool is_start_fixed, bool is_closed, Random& random,
                                           int64_t most, Watch& watch) {
  assert(!path.empty());
  Path growing(board, std::move(path), rings, random);
  for (int64_t rotation = 0; rotation <= most; ++rotation) {
    growing.grow();
    if (rotation % kInsert == 0) growing.insert_rings();
    if (growing.is_whole() && (!is_closed || growing.is_ring())) return growing.squares();
    growing.rotate();
    if (!is_start_fixed && random.below(kTurnRound) == 0) growing.turn_round();
    watch.work(cost::kSquare + static_cast<int64_t>(growing.squares().size()));
  }
  return {};
}

}  // namespace nonosat::knight
