#include "knight/warnsdorff.hpp"

#include "cost.hpp"

namespace nonosat::knight {

namespace {

// Rank of a square among those with equally few exits: the highest is chosen.
class Ranks {
 public:
  Ranks(const Board& board, Ties ties, Random& random)
      : board_(board), ties_(ties), random_(random) {}

  int64_t of(Square square) {
    if (ties_ == Ties::kRandom) return static_cast<int64_t>(random_.next() >> 1);
    if (ties_ == Ties::kOrder) return 0;
    const Place place = board_.place(square);
    const int64_t down = 2 * (place / board_.columns()) - board_.rows() + 1;
    const int64_t right = 2 * (place % board_.columns()) - board_.columns() + 1;
    return down * down + right * right;
  }

 private:
  const Board& board_;
  Ties ties_;
  Random& random_;
};

}  // namespace

std::optional<std::vector<Square>> warnsdorff(const Board& board, Square start, bool is_closed,
                                              Ties ties, Random& random, Watch& watch) {
  std::vector<uint8_t> is_open = board.free();
  std::vector<Square> path;
  path.reserve(board.num_free());
  std::vector<int8_t> num_exits(board.num_squares(), 0);
  for (const Square square : board.squares()) {
    for (const Square move : board.moves()) num_exits[square] += is_open[square + move];
  }
  Ranks ranks(board, ties, random);
  Square at = start;
  while (true) {
    path.push_back(at);
    is_open[at] = 0;
    watch.work(cost::kSquare);
    if (static_cast<int>(path.size()) == board.num_free()) break;
    Square best = -1;
    int64_t best_rank = 0;
    for (const Square move : board.moves()) {
      const Square to = at + move;
      --num_exits[to];
      if (!is_open[to]) continue;
      if (best >= 0 && num_exits[to] > num_exits[best]) continue;
      const int64_t rank = ranks.of(to);
      if (best >= 0 && num_exits[to] == num_exits[best] && rank <= best_rank) continue;
      best = to;
      best_rank = rank;
    }
    if (best < 0) return {};
    at = best;
  }
  if (is_closed && (path.size() < 3 || !board.is_move(path.back(), path.front()))) return {};
  return path;
}

}  // namespace nonosat::knight
