// 2x2 switches of a picture: two empty corners of a rectangle and two corners of one colour that
// can be exchanged without changing the runs of any line. For their use see
// `native/strategy/neighbours.hpp`.
//
// Time: linear in the number of cells and of moves of single cells, up to n for each run of length
// 1 in a line of n cells; then one look-up for each pair of rows with opposite moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "watch.hpp"

namespace nonosat::puzzles {

// A row or column, its cells `step` apart; 0 is empty.
struct PictureLine {
  const uint8_t* first;
  int64_t count;
  int64_t step;

  bool contains(int64_t at) const { return at >= 0 && at < count; }
  uint8_t operator[](int64_t at) const { return contains(at) ? first[at * step] : 0; }
  bool is_empty(int64_t at) const { return contains(at) && !first[at * step]; }
};

// Calls `visit(from, to)` for each filled cell and each place to which it can move without changing
// the runs of the line: a run slides by one cell, or a run of length 1 moves between its equal
// neighbours. It may touch runs of other colours, but not pass them.
template <class Visit>
void for_each_move(PictureLine line, Visit visit) {
  for (int64_t start = 0, end; start < line.count; start = end) {
    end = start + 1;
    const uint8_t colour = line[start];
    if (!colour) continue;
    while (line[end] == colour) ++end;
    if (line.is_empty(end) && line[end + 1] != colour) visit(start, end);
    if (line.is_empty(start - 1) && line[start - 2] != colour) visit(end - 1, start - 1);
    if (end - start > 1) continue;
    for (const int64_t step : {1, -1}) {
      if (!line.is_empty(start + step)) continue;
      for (int64_t at = start + 2 * step; line.contains(at); at += step) {
        if (const uint8_t other = line[at]) {
          // Passing this run would change the order of lengths or colours in the clue.
          if (other != colour || line[at + step] == colour) break;
        } else if (line[at - 1] != colour && line[at + 1] != colour) {
          visit(start, at);
        }
      }
    }
  }
}

class Switches {
 public:
  // `cells`: height * width values, row by row.
  Switches(std::span<const uint8_t> cells, int64_t height, int64_t width)
      : cells_(cells), height_(height), width_(width), column_moves_(width) {}

  // Returns four numbers for each switch, rows a, b and columns c < d: (a, c) and (b, d) have one
  // colour, (a, d) and (b, c) are empty; at most `most` switches. May be called once. Throws
  // Stopped.
  std::vector<int32_t> find(size_t most, Watch& watch) {
    find_rows(watch);
    std::vector<int32_t> found;
    for (const auto& [colour, source, target, rows] : moves_) {
      const auto opposite = places_.find(key_of(colour, target, source));
      if (source > target || opposite == places_.end()) continue;
      for (const int64_t one : rows) {
        for (const int64_t other : moves_[opposite->second].rows) {
          watch.work(20);
          if (!can_move(source, one, other, watch) || !can_move(target, other, one, watch))
            continue;
          if (found.size() / 4 == most) return found;
          for (const int64_t part : {one, other, source, target}) {
            found.push_back(static_cast<int32_t>(part));
          }
        }
      }
    }
    return found;
  }

 private:
  struct Move {
    uint8_t colour;
    int64_t source, target;
    std::vector<int64_t> rows;  // in which the move is possible, ascending
  };

  int64_t key_of(uint8_t colour, int64_t source, int64_t target) const {
    return (colour * width_ + source) * width_ + target;
  }

  // Collects the moves of all rows, in order of their first occurrence.
  void find_rows(Watch& watch) {
    for (int64_t row = 0; row < height_; ++row) {
      watch.work(width_);
      for_each_move({&cells_[row * width_], width_, 1}, [&](int64_t source, int64_t target) {
        watch.work(50);
        const uint8_t colour = cells_[row * width_ + source];
        const int64_t key = key_of(colour, source, target);
        const auto [place, is_new] = places_.try_emplace(key, moves_.size());
        if (is_new) moves_.push_back({colour, source, target, {}});
        moves_[place->second].rows.push_back(row);
      });
    }
  }

  // Returns true if a cell of a column can move from one row to another.
  bool can_move(int64_t column, int64_t from, int64_t to, Watch& watch) {
    auto& moves = column_moves_[column];
    if (!moves) {
      moves.emplace();
      for_each_move({&cells_[column], height_, width_}, [&](int64_t source, int64_t target) {
        watch.work(10);
        moves->push_back(source * height_ + target);
      });
      std::sort(moves->begin(), moves->end());
    }
    return std::binary_search(moves->begin(), moves->end(), from * height_ + to);
  }

  std::span<const uint8_t> cells_;
  int64_t height_, width_;
  std::vector<Move> moves_;
  std::unordered_map<int64_t, size_t> places_;  // index of a move in `moves_`
  std::vector<std::optional<std::vector<int64_t>>> column_moves_;
};

}  // namespace nonosat::puzzles
