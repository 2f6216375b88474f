#include "prices/priced_board.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "beliefs/marginals.hpp"
#include "cost.hpp"

namespace nonosat {
namespace {

constexpr size_t kMaxPrices = size_t{1} << 26;

}  // namespace

PricedBoard::PricedBoard(const Board& board, const std::vector<uint8_t>& solution, Watch& watch)
    : board_(board), logs_(board.num_values()) {
  if (!board_.propagate(watch)) throw std::invalid_argument("prices of a board without a solution");
  cells_ = board_.open_cells();
  std::erase_if(cells_, [&](int cell) {
    return board.is_left_out(cell / board.width()) ||
           board.is_left_out(board.height() + cell % board.width());
  });
  if (cells_.size() * board.num_values() > kMaxPrices) {
    throw TooLarge("prices of " + std::to_string(cells_.size()) + " cells",
                   static_cast<int64_t>(cells_.size()) * board.num_values(), kMaxPrices);
  }
  add_cells();
  set_solution(solution);
  add_lines(watch);
}

// Allocates the prices of the open cells.
void PricedBoard::add_cells() {
  open_of_.assign(board_.num_cells(), -1);
  for (size_t open = 0; open < cells_.size(); ++open) {
    const int cell = cells_[open];
    open_of_[cell] = static_cast<int32_t>(open);
    price_at_.push_back(values_.size());
    int lowest = 0;
    while (!board_.may(cell, lowest)) ++lowest;
    lowest_.push_back(static_cast<uint8_t>(lowest));
    for (int value = lowest + 1; value < board_.num_values(); ++value) {
      if (board_.may(cell, value)) values_.push_back(static_cast<uint8_t>(value));
    }
  }
  price_at_.push_back(values_.size());
}

void PricedBoard::set_solution(const std::vector<uint8_t>& solution) {
  costs_.assign(values_.size(), 0);
  constant_ = 0;
  if (solution.empty()) return;
  for (size_t open = 0; open < cells_.size(); ++open) {
    const auto cost = [&](int value) { return value != solution[cells_[open]]; };
    constant_ += cost(lowest_[open]);
    for (size_t price = price_at_[open]; price < price_at_[open + 1]; ++price) {
      costs_[price] = static_cast<int8_t>(cost(values_[price]) - cost(lowest_[open]));
    }
  }
}

// Lays out the lines with priced cells. The other lines are paid nothing.
void PricedBoard::add_lines(Watch& watch) {
  WindowFinder finder;
  const int width = board_.width(), height = board_.height();
  // Reserved because lines hold pointers to their own windows.
  lines_.reserve(static_cast<size_t>(board_.num_lines()));
  for (int line = 0; line < board_.num_lines(); ++line) {
    const bool is_row = line < height;
    Line laid_out{line, is_row, {}, {}, {}, board_.planes(line), {}};
    for (int place = 0; place < (is_row ? width : height); ++place) {
      const int cell = is_row ? line * width + place : place * width + line - height;
      if (open_of_[cell] >= 0) {
        laid_out.places.push_back({place, open_of_[cell]});
      } else if (board_.num_left(cell) > 1) {
        laid_out.free.push_back(place);
      }
    }
    if (laid_out.places.empty()) continue;
    Line& added = lines_.emplace_back(std::move(laid_out));
    const Plan& plan = board_.plan(line);
    finder.find(plan, added.may, added.windows, watch, board_.windows(line));
    added.weighted.lay_out(plan, added.may, added.windows);
  }
}

// Sets the weights of a line's open cells to its payments for them, divided by the temperature.
void PricedBoard::weigh(Line& line, const std::vector<double>& prices, double temperature) {
  line.weighted.unweigh();
  for (const auto& [in_line, open] : line.places) {
    std::fill(logs_.begin(), logs_.end(), WeightedLine::kNever);
    logs_[lowest_[open]] = 0;
    for (size_t price = price_at_[open]; price < price_at_[open + 1]; ++price) {
      logs_[values_[price]] = paid(line, prices, 1.0, price) / temperature;
    }
    line.weighted.weigh(in_line, logs_.data());
  }
  for (const int32_t in_line : line.free) {
    const size_t num_words = words_for(line.weighted.plan().length);
    for (size_t value = 0; value < logs_.size(); ++value) {
      const bool may = has_bit(line.may + value * num_words, in_line);
      logs_[value] = may ? 0 : WeightedLine::kNever;
    }
    line.weighted.weigh(in_line, logs_.data());
  }
}

double PricedBoard::smoothed(const std::vector<double>& prices, double temperature,
                             std::vector<double>& gradient, std::vector<double>& shares,
                             Watch& watch) {
  gradient.resize(num_prices());
  shares.resize(num_prices());
  auto value = static_cast<double>(constant_);
  for (Line& line : lines_) {  // rows before columns
    watch.work(cost::kPricedCell * static_cast<int64_t>(line.places.size()));
    weigh(line, prices, temperature);
    const auto accumulate = [&](auto& sums) {
      sums.run(line.weighted, watch, nullptr);
      value += temperature * log_of(sums.total());
      for (const auto& [in_line, open] : line.places) {
        for (size_t price = price_at_[open]; price < price_at_[open + 1]; ++price) {
          const double share = ratio(sums.of(in_line, values_[price]), sums.total());
          if (line.is_row) {
            gradient[price] = shares[price] = share;
          } else {
            gradient[price] -= share;
          }
        }
      }
    };
    line.weighted.log_bound() > kMaxLog ? accumulate(wide_) : accumulate(narrow_);
  }
  return value;
}

int64_t PricedBoard::bound(const std::vector<int64_t>& prices, int64_t scale, Watch& watch,
                           std::vector<int64_t>* losses) {
  int64_t bound = constant_ * scale;
  if (losses) losses->assign(num_prices() + cells_.size(), 0);
  for (Line& line : lines_) {
    bound += max_payment(line, prices, scale, watch);
    if (losses) add_losses(line, *losses);
  }
  return bound;
}

// Returns the line's maximum payment over its fillings, scaled. `max_sums_` then has the maximum
// with each value of each cell.
int64_t PricedBoard::max_payment(const Line& line, const std::vector<int64_t>& prices,
                                 int64_t scale, Watch& watch) {
  watch.work(cost::kPricedCell * static_cast<int64_t>(line.places.size()));
  const WeightedLine& weighted = line.weighted;
  paid_.assign(weighted.logs().size(), 0);
  for (const auto& [in_line, open] : line.places) {
    for (size_t price = price_at_[open]; price < price_at_[open + 1]; ++price) {
      const int plane = weighted.plane_of(values_[price]);
      if (plane >= 0) {
        paid_[plane * weighted.length() + in_line] = paid(line, prices, scale, price);
      }
    }
  }
  max_sums_.run(weighted, paid_, watch, nullptr);
  return max_sums_.total().value();
}

auto PricedBoard::payments(const std::vector<int64_t>& prices, int64_t scale, Watch& watch)
    -> std::vector<Payment> {
  std::vector<Payment> payments(static_cast<size_t>(board_.num_lines()));
  for (Line& line : lines_) {
    Payment& payment = payments[line.number];
    payment.max = max_payment(line, prices, scale, watch);
    for (const auto& [in_line, open] : line.places) {
      int64_t most = 0;
      for (size_t price = price_at_[open]; price < price_at_[open + 1]; ++price) {
        most = std::max(most, paid(line, prices, scale, price));
      }
      payment.unconstrained += most;
    }
  }
  return payments;
}

// Adds, for each open cell of a line and each value, the line's maximum payment minus the maximum
// over the fillings with that value. `max_sums_` must be those of this line.
void PricedBoard::add_losses(const Line& line, std::vector<int64_t>& losses) const {
  const int64_t most = max_sums_.total().value();
  for (const auto& [in_line, open] : line.places) {
    const auto before = static_cast<size_t>(open);  // entries of lowest values before it
    losses[before + price_at_[open]] += most - max_sums_.of(in_line, lowest_[open]).value();
    for (size_t price = price_at_[open]; price < price_at_[open + 1]; ++price) {
      losses[before + price + 1] += most - max_sums_.of(in_line, values_[price]).value();
    }
  }
}

}  // namespace nonosat
