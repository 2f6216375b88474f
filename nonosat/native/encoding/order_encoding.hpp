// The order encoding of one line as clauses; encodings/line_order.py says what they mean and makes
// the same ones in the same order.
//
// The positions of a bound are kept in a window from its first to its last: memory and time are
// O(k s + n colours) for k blocks of slack s on n cells, and so is the number of clauses.
#pragma once

#include <cstdint>
#include <vector>

#include "line/line.hpp"
#include "watch.hpp"

namespace nonosat {

inline constexpr int32_t kTrue = INT32_MAX;  // the constants of model.py
inline constexpr int32_t kFalse = -INT32_MAX;

struct LineLits {
  int length;
  std::vector<Block> blocks;
  std::vector<std::vector<int32_t>> cells;  // cells[k - 1][i]: literal "cell i has colour k"
  std::vector<int32_t> filled;              // cells known to have some colour
};

// The literals "at or before p" of a block's start or end.
class Bound {
 public:
  Bound() = default;
  // A variable for each place but the last; `places` ascend, there is one at least.
  Bound(std::vector<int32_t> places, int32_t first_var);

  int32_t at(int p) const {
    const int64_t index = static_cast<int64_t>(p) - places.front();
    if (index < 0) return kFalse;
    return index < static_cast<int64_t>(window_.size()) ? window_[index] : kTrue;
  }

  std::vector<int32_t> places;
  std::vector<int32_t> lits;  // one a place; the last is kTrue

 private:
  std::vector<int32_t> window_;  // by position from the first place up to the last, which is kTrue
};

class OrderEncoding {
 public:
  // Works out where the blocks can stand. Needs as many literals as cells for each colour, and
  // `line` must stay as it is; `plan` is of its length, colours and blocks. Throws Stopped and
  // TooLarge.
  OrderEncoding(const LineLits& line, const Plan& plan, Watch& watch);

  bool is_feasible() const { return is_feasible_; }
  int64_t num_vars() const { return num_vars_; }

  // Appends the clauses, each ended by 0, of a feasible line; its num_vars() variables are numbered
  // from `first` on. Once. Unit propagation on them is as strong as encodings/line_order.py
  // declares.
  void clauses(int32_t first, std::vector<int32_t>& out, Watch& watch);

 private:
  // A bound of a block of known length serves as that of its end, too: `shift` cells later.
  struct End {
    const Bound* bound;
    int shift;
    int32_t at(int p) const { return bound->at(p - shift); }
    int32_t place(size_t index) const { return bound->places[index] + shift; }
    int32_t last() const { return bound->places.back() + shift; }
  };

  End end_of(size_t block) const;
  void make_bounds(int32_t first);
  void put_blocks(Watch& watch);
  void put_filled(size_t block);
  void put_gaps(Watch& watch);
  void put_chain(const std::vector<int32_t>& lits);
  template <class Consequence>
  void put_implied(const Bound& by, Consequence of);
  void put(int32_t one, int32_t other);
  void put(int32_t one, int32_t other, int32_t third);

  const LineLits& line_;
  bool is_feasible_ = false;
  int64_t num_vars_ = 0;
  std::vector<std::vector<int32_t>> start_places_, end_places_;
  std::vector<Bound> starts_, ends_;     // an end of its own only where the length is unknown
  std::vector<int32_t>* out_ = nullptr;  // while clauses are made
};

}  // namespace nonosat
