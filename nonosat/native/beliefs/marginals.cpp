#include "beliefs/marginals.hpp"

namespace nonosat {

bool Marginals::run(const WeightedLine& line, Watch& watch, std::vector<BlockShares>* blocks) {
  is_wide_ = line.log_bound() > kMaxLog;
  return is_wide_ ? wide_.run(line, watch, blocks) : narrow_.run(line, watch, blocks);
}

std::optional<LineShares> line_shares(const Plan& plan, const Word* may,
                                      const std::vector<std::vector<double>>& logs, Watch& watch) {
  const auto num_cells = static_cast<size_t>(plan.length);
  const size_t num_values = logs.size();
  LineShares shares;
  shares.values.assign(num_values, std::vector<double>(num_cells, 0.0));
  WindowFinder finder;
  if (!finder.find(plan, may, shares.windows, watch)) return {};
  WeightedLine line;
  line.lay_out(plan, may, shares.windows);
  std::vector<double> relative(num_values);
  for (size_t cell = 0; cell < num_cells; ++cell) {
    double base = WeightedLine::kNever;
    for (size_t value = 0; value < num_values; ++value) {
      const bool allowed =
          has_bit(may + value * words_for(plan.length), static_cast<int64_t>(cell));
      if (allowed && base == WeightedLine::kNever) base = logs[value][cell];
      relative[value] = allowed ? logs[value][cell] - base : WeightedLine::kNever;
    }
    line.weigh(cell, relative.data());
  }
  Marginals marginals;
  if (!marginals.run(line, watch, &shares.blocks)) return {};
  for (size_t cell = 0; cell < num_cells; ++cell) {
    for (size_t value = 0; value < num_values; ++value) {
      if (marginals.log_odds(cell, value, value) == -HUGE_VAL) continue;
      double total = 0;
      for (size_t other = 0; other < num_values; ++other)
        total += std::exp(marginals.log_odds(cell, other, value));
      shares.values[value][cell] = 1 / total;
    }
  }
  return shares;
}

}  // namespace nonosat
