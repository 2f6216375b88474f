#include "beliefs/marginals.hpp"

namespace nonosat {

bool Marginals::run(const WeightedLine& line, Watch& watch, std::vector<BlockShares>* blocks) {
  is_wide_ = line.log_bound() > kMaxLog;
  return is_wide_ ? wide_.run(line, watch, blocks) : narrow_.run(line, watch, blocks);
}

}  // namespace nonosat
