#include "proof/check_prices.hpp"

#include <algorithm>
#include <string>

#include "cost.hpp"
#include "proof/check_text.hpp"

namespace nonosat {
namespace {

constexpr int64_t kNever = -(int64_t{1} << 62);  // value of no filling
constexpr int64_t kMaxPaid = int64_t{1} << 59;   // sum over a table
constexpr int64_t kMaxValues = int64_t{1} << 25, kMaxPlaces = int64_t{1} << 23;

using Sums = std::vector<int64_t>;

bool is_never(int64_t sum) { return sum < kNever / 2; }

int64_t plus(int64_t one, int64_t other) {
  return is_never(one) || is_never(other) ? kNever : one + other;
}

// One line: its clue, and its payments for values of cells.
class PricedLine {
 public:
  PricedLine(const std::vector<PricedBlock>& clue, int64_t length, int num_values)
      : blocks_(clue), length_(length), paid_(num_values, Sums(length, 0)) {
    for (size_t b = 0; b < clue.size(); ++b) {
      separated_.push_back(b > 0 && clue[b - 1].colour == clue[b].colour);
      slack_ += separated_.back();
      first_.push_back(slack_);
      slack_ += std::max<int64_t>(clue[b].length, 1);  // of all blocks: below 2^23 * 2^31
    }
    separated_.push_back(false);
    first_.push_back(slack_);
    slack_ = length - slack_;
  }

  // The line's payment for a value of a cell; kNever if the cell cannot have it.
  int64_t& paid(int value, int64_t cell) { return paid_[value][cell]; }

  // Computes the maximum payment of a filling, overall and given each value of each cell.
  void run(Watch& watch) {
    with_.assign(paid_.size(), Sums(length_, kNever));
    total_ = kNever;
    if (slack_ < 0) return;
    watch.work(cost::kPaidPlace * (length_ + (slack_ + 1)) *
               static_cast<int64_t>(blocks_.size() + 1));
    run_forward();
    run_backward(watch);
  }

  int64_t total() const { return total_; }
  int64_t with(int value, int64_t cell) const { return with_[value][cell]; }

 private:
  size_t last() const { return blocks_.size(); }
  int64_t size(size_t b) const { return std::max<int64_t>(blocks_[b].length, 1); }
  int64_t gap_start(size_t b) const { return first_[b] - separated_[b]; }  // at offset 0

  // By offset of its start, the payment for the cells of a block of known length.
  Sums block(size_t b) const {
    const Sums& mine = paid_[blocks_[b].colour];
    Sums found(slack_ + 1);
    int64_t sum = 0, num_never = 0;
    const auto take = [&](int64_t cell, int sign) {
      is_never(mine[cell]) ? num_never += sign : sum += sign * mine[cell];
    };
    for (int64_t cell = 0; cell < size(b); ++cell) take(first_[b] + cell, 1);
    for (int64_t at = 0;; ++at) {
      found[at] = num_never ? kNever : sum;
      if (at == slack_) return found;
      take(first_[b] + at, -1);
      take(first_[b] + at + size(b), 1);
    }
  }

  // By offset, the maximum payment for the cells before block b, including its separator.
  int64_t before(size_t b, int64_t at) const {
    return separated_[b] ? plus(forward_[b][at], paid_[0][gap_start(b) + at]) : forward_[b][at];
  }

  // By offset of a cell of a block of unknown length: the maximum payment for the cells up to it,
  // over the block's starts.
  Sums open_block(size_t b) const {
    const Sums& mine = paid_[blocks_[b].colour];
    Sums found(slack_ + 1);
    for (int64_t at = 0; at <= slack_; ++at) {
      const int64_t longer = at ? found[at - 1] : kNever;
      found[at] = plus(std::max(longer, before(b, at)), mine[first_[b] + at]);
    }
    return found;
  }

  // Fills in forward_[b]: by offset, the maximum payment for the cells before it if they contain
  // exactly the first b blocks.
  void run_forward() {
    forward_.assign(last() + 1, Sums(slack_ + 1, kNever));
    for (size_t b = 0; b <= last(); ++b) {
      Sums ended(slack_ + 1, kNever);
      if (b == 0) {
        ended[0] = 0;
      } else if (blocks_[b - 1].length) {
        const Sums placed = block(b - 1);
        for (int64_t at = 0; at <= slack_; ++at) ended[at] = plus(before(b - 1, at), placed[at]);
      } else {
        ended = open_block(b - 1);
      }
      for (int64_t at = 0; at <= slack_; ++at) {
        const int64_t idle =
            at ? plus(forward_[b][at - 1], paid_[0][gap_start(b) + at - 1]) : kNever;
        forward_[b][at] = std::max(ended[at], idle);
      }
    }
    total_ = forward_[last()][slack_];
  }

  // Combines forward_ with the sums from the right. `rest`: by offset, the maximum payment for the
  // cells from there on if they contain block b and all later ones.
  void run_backward(Watch& watch) {
    Sums rest(slack_ + 1, 0);
    for (int64_t at = slack_ - 1; at >= 0; --at) {
      rest[at] = plus(paid_[0][first_[last()] + at], rest[at + 1]);
    }
    record_gap(last(), rest);
    for (size_t b = last(); b-- > 0;) {
      Sums after(slack_ + 1);  // by offset of the block's end
      for (int64_t at = 0; at <= slack_; ++at) {
        after[at] = separated_[b + 1] ? plus(paid_[0][gap_start(b + 1) + at], rest[at]) : rest[at];
      }
      Sums begun = blocks_[b].length ? record_known(b, after, watch) : record_unknown(b, after);
      for (int64_t at = slack_ - 1; at >= 0; --at) {
        begun[at] = std::max(begun[at], plus(paid_[0][first_[b] + at], begun[at + 1]));
      }
      rest = std::move(begun);
      record_gap(b, rest);
    }
  }

  void record(int value, int64_t cell, int64_t sum) {
    with_[value][cell] = std::max(with_[value][cell], sum);
  }

  // Records the payments with empty cells between block b - 1 and block b.
  void record_gap(size_t b, const Sums& rest) {
    for (int64_t at = 0; at <= slack_; ++at) {
      const int64_t next = at + 1 - separated_[b];  // first offset of the block after this cell
      if (next > slack_) break;
      const int64_t cell = gap_start(b) + at;
      record(0, cell, plus(plus(forward_[b][at], paid_[0][cell]), rest[next]));
    }
  }

  // Records the payments with the cells of a block of known length: for each cell the maximum over
  // the starts that cover it. Returns, by offset of the start, the payment from there on.
  Sums record_known(size_t b, const Sums& after, Watch& watch) {
    Sums begun = block(b);
    for (int64_t at = 0; at <= slack_; ++at) begun[at] = plus(begun[at], after[at]);
    Sums best(slack_ + size(b), kNever);
    for (int64_t at = 0; at <= slack_; ++at) best[at] = plus(before(b, at), begun[at]);
    for (int64_t done = 1; done < size(b);) {
      const int64_t step = std::min(done, size(b) - done);
      watch.work(cost::kPaidPlace * std::ssize(best));
      for (int64_t at = std::ssize(best) - 1; at >= step; --at) {
        best[at] = std::max(best[at], best[at - step]);
      }
      done += step;
    }
    for (int64_t at = 0; at < std::ssize(best); ++at) {
      record(blocks_[b].colour, first_[b] + at, best[at]);
    }
    return begun;
  }

  Sums record_unknown(size_t b, const Sums& after) {
    const Sums& mine = paid_[blocks_[b].colour];
    const Sums left = open_block(b);
    Sums begun(slack_ + 1);
    for (int64_t at = slack_; at >= 0; --at) {
      const int64_t longer = at < slack_ ? begun[at + 1] : kNever;
      const int64_t right = std::max(after[at], longer);
      record(blocks_[b].colour, first_[b] + at, plus(left[at], right));
      begun[at] = plus(mine[first_[b] + at], right);
    }
    return begun;
  }

  const std::vector<PricedBlock>& blocks_;
  int64_t length_, slack_ = 0;
  std::vector<char> separated_;  // by block and at the end: 1 if a separator precedes it
  Sums first_;                   // by block and at the end: its first possible start
  std::vector<Sums> paid_, with_, forward_;
  int64_t total_ = kNever;
};

class PriceChecker {
 public:
  PriceChecker(const PricedClaim& claim, Watch& watch)
      : claim_(claim),
        watch_(watch),
        height_(std::ssize(claim.rows)),
        width_(std::ssize(claim.columns)),
        num_values_(claim.num_colours + 1) {
    const int64_t num_cells = height_ * width_;
    if (height_ < 1 || width_ < 1 || height_ > kMaxValues || width_ > kMaxValues ||
        claim.num_colours < 1 || claim.num_colours > 255 || num_cells * num_values_ > kMaxValues) {
      throw Refused("the board has no cells, or too many for the checker of prices");
    }
    for (int64_t line = 0; line < height_ + width_; ++line) {
      if ((std::ssize(clue(line)) + 1) * length(line) > kMaxPlaces) {
        throw Refused("a line has too many blocks for the checker of prices");
      }
      for (const PricedBlock& block : clue(line)) {
        if (block.colour < 1 || block.colour > claim.num_colours || block.length < 0 ||
            block.length > INT32_MAX) {
          throw Refused("a block with an invalid colour or length");
        }
      }
    }
    const auto is_value = [&](int value) { return value >= 0 && value < num_values_; };
    may_.assign(num_cells * num_values_, 1);
    for (const auto& [row, column, value] : claim.given) {
      if (row < 0 || row >= height_ || column < 0 || column >= width_ || !is_value(value)) {
        throw Refused("a given cell outside the board");
      }
      for (int other = 0; other < num_values_; ++other) {
        if (other != value) may_[at(row * width_ + column, other)] = 0;
      }
    }
    if (!claim.solution.empty() &&
        (std::ssize(claim.solution) != num_cells ||
         !std::all_of(claim.solution.begin(), claim.solution.end(), is_value))) {
      throw Refused("the solution does not fit the board");
    }
  }

  PricedOutcome run(const std::vector<PricedTable>& tables) {
    PricedOutcome found{false, 0, 0};
    const bool is_known = !claim_.solution.empty();
    const int64_t goal = is_known ? distance(claim_.rows) * distance(claim_.columns) : 0;
    for (; propagate(); ++found.num_used) {
      if (is_known && is_decided()) return {true, found.num_used, found.bound};
      if (found.num_used == tables.size()) return found;
      const PricedTable& table = tables[found.num_used];
      check(table);
      if (!compute_bound(table, goal, found.bound)) continue;
      return {true, found.num_used + 1, found.bound};
    }
    return {!is_known, found.num_used, found.bound};
  }

 private:
  const std::vector<PricedBlock>& clue(int64_t line) const {
    return line < height_ ? claim_.rows[line] : claim_.columns[line - height_];
  }
  int64_t length(int64_t line) const { return line < height_ ? width_ : height_; }
  int64_t cell_of(int64_t line, int64_t i) const {
    return line < height_ ? line * width_ + i : i * width_ + line - height_;
  }
  size_t at(int64_t cell, int value) const { return cell * num_values_ + value; }

  // Minimal number of cells in which two different lines of the same clue differ.
  static int64_t distance(const std::vector<std::vector<PricedBlock>>& clues) {
    for (const auto& clue : clues) {
      for (const PricedBlock& block : clue) {
        if (block.length == 0) return 1;
      }
    }
    return 2;
  }

  // Computes the maximum payments of a line over the fillings that the cells allow; `paid` returns
  // the payment for a cell and value.
  template <class Paid>
  PricedLine max_payments(int64_t line, Paid paid) {
    PricedLine found(clue(line), length(line), num_values_);
    watch_.work(cost::kPaidPlace * length(line) * num_values_);
    for (int64_t i = 0; i < length(line); ++i) {
      const int64_t cell = cell_of(line, i);
      for (int value = 0; value < num_values_; ++value) {
        found.paid(value, i) = may_[at(cell, value)] ? paid(cell, value) : kNever;
      }
    }
    found.run(watch_);
    return found;
  }

  // Removes values of cells with which a line has no filling, to a fixpoint. Returns false if a
  // line has no filling.
  bool propagate() {
    std::vector<char> is_waiting(height_ + width_, 1);
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (int64_t line = 0; line < height_ + width_; ++line) {
        if (!is_waiting[line]) continue;
        is_waiting[line] = 0;
        const PricedLine found = max_payments(line, [](int64_t, int) { return 0; });
        if (is_never(found.total())) return false;
        for (int64_t i = 0; i < length(line); ++i) {
          for (int value = 0; value < num_values_; ++value) {
            char& may = may_[at(cell_of(line, i), value)];
            if (!may || !is_never(found.with(value, i))) continue;
            may = 0;
            is_waiting[line < height_ ? height_ + i : i] = 1;
            is_changed = true;
          }
        }
      }
    }
    return true;
  }

  bool is_decided() const { return std::count(may_.begin(), may_.end(), 1) == height_ * width_; }

  void check(const PricedTable& table) const {
    const int64_t num_cells = height_ * width_;
    if (table.scale < 1 || table.scale > kMaxPaid / num_cells ||
        std::ssize(table.prices) != claim_.num_colours) {
      throw Refused("a table with an invalid scale or number of colours");
    }
    int64_t paid = table.scale * num_cells;
    if (paid >= kMaxPaid) throw Refused("costs of 2^59 or more");
    for (const auto& rows : table.prices) {
      if (std::ssize(rows) != height_) throw Refused("a table with a wrong number of rows");
      for (const auto& row : rows) {
        if (std::ssize(row) > width_) throw Refused("a table with too many columns");
        for (const int64_t price : row) {
          if (price <= -kMaxPaid || price >= kMaxPaid) throw Refused("a price of 2^59 or more");
          if ((paid += std::abs(price)) >= kMaxPaid) throw Refused("prices of 2^59 or more");
        }
      }
    }
  }

  // Sets `bound` to the bound of a table. Returns true if it is below the goal; otherwise removes
  // the values of cells with which it would be.
  bool compute_bound(const PricedTable& table, int64_t goal, int64_t& bound) {
    const auto price = [&](int64_t cell, int value) -> int64_t {
      if (value == 0) return 0;
      const auto& row = table.prices[value - 1][cell / width_];
      return cell % width_ < std::ssize(row) ? row[cell % width_] : 0;
    };
    const auto left = [&](int64_t cell, int value) {
      const bool costs = !claim_.solution.empty() && claim_.solution[cell] != value;
      return costs * table.scale - price(cell, value);
    };
    Sums losses(may_.size(), 0);
    bound = 0;
    for (int64_t line = 0; line < height_ + width_; ++line) {
      const PricedLine found =
          line < height_ ? max_payments(line, price) : max_payments(line, left);
      bound += found.total();
      for (int64_t i = 0; i < length(line); ++i) {
        for (int value = 0; value < num_values_; ++value) {
          const size_t place = at(cell_of(line, i), value);
          if (may_[place]) losses[place] += found.total() - found.with(value, i);
        }
      }
    }
    if (bound < goal * table.scale) return true;
    for (size_t place = 0; place < may_.size(); ++place) {
      const bool is_known =
          !claim_.solution.empty() && claim_.solution[place / num_values_] == place % num_values_;
      if (!is_known && bound - losses[place] < goal * table.scale) may_[place] = 0;
    }
    return false;
  }

  const PricedClaim& claim_;
  Watch& watch_;
  int64_t height_, width_;
  int num_values_;
  std::vector<char> may_;  // by cell and value
};

}  // namespace

PricedOutcome check_prices(const PricedClaim& claim, const std::vector<PricedTable>& tables,
                           Watch& watch) {
  return PriceChecker(claim, watch).run(tables);
}

}  // namespace nonosat
