// Order encoding of one line as clauses. encodings/line_order.py documents it and generates the
// same clauses in the same order.
//
// The positions of a bound are stored in a window from its first to its last: memory and time are
// O(k s + n colours) for k blocks of slack s on n cells, and so is the number of clauses.
#pragma once

#include <cstdint>
#include <vector>

#include "line/line.hpp"
#include "watch.hpp"

namespace nonosat {

inline constexpr int32_t kTrue = INT32_MAX;  // equal to the constants of model.py
inline constexpr int32_t kFalse = -INT32_MAX;

struct LineLits {
  int length;
  std::vector<Block> blocks;
  std::vector<std::vector<int32_t>> cells;  // cells[k - 1][i]: literal "cell i has colour k"
  std::vector<int32_t> filled;              // cells known to have some colour
};

// Literals "at or before p" of a block's start or end.
class Bound {
 public:
  Bound() = default;
  // Makes a variable for each place but the last; `places` ascend and are not empty.
  Bound(std::vector<int32_t> places, int32_t first_var);

  int32_t at(int p) const {
    const int64_t index = static_cast<int64_t>(p) - places.front();
    if (index < 0) return kFalse;
    return index < static_cast<int64_t>(window_.size()) ? window_[index] : kTrue;
  }

  std::vector<int32_t> places;
  std::vector<int32_t> lits;  // one for each place; the last is kTrue

 private:
  std::vector<int32_t> window_;  // by position, from the first place up to the last
};

class OrderEncoding {
 public:
  // Computes the positions of the blocks. Needs a literal for each cell and colour; `line` must
  // outlive the encoding; `plan` is that of its length, colours and blocks. Throws Stopped and
  // TooLarge.
  OrderEncoding(const LineLits& line, const Plan& plan, Watch& watch);

  bool is_feasible() const { return is_feasible_; }
  int64_t num_vars() const { return num_vars_; }

  // Appends the clauses, each terminated by 0, of a feasible line; its num_vars() variables are
  // numbered from `first` on. Must be called once only. The strength of unit propagation on them is
  // declared in encodings/line_order.py.
  void clauses(int32_t first, std::vector<int32_t>& out, Watch& watch);

 private:
  // End of a block. For a block of known length it uses the bound of its start, `shift` cells
  // later.
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
  std::vector<Bound> starts_, ends_;     // ends only of blocks of unknown length
  std::vector<int32_t>* out_ = nullptr;  // output of the clauses being generated
};

}  // namespace nonosat
