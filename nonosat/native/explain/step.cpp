#include "explain/step.hpp"

#include <algorithm>

namespace nonosat::explain {

std::vector<size_t> needed(const std::vector<Dependence>& steps, std::vector<int> cells, int height,
                           int width) {
  std::vector<size_t> kept;
  std::vector<uint8_t> wanted(static_cast<size_t>(height) * width), lines(height + width);
  for (const int cell : cells) wanted[cell] = 1;
  bool is_any_wanted = false;
  for (size_t i = steps.size(); i-- > 0;) {
    const Dependence& step = steps[i];
    const bool is_needed = std::any_of(step.changed.begin(), step.changed.end(), [&](int cell) {
      return is_any_wanted || wanted[cell] || lines[cell / width] || lines[height + cell % width];
    });
    if (!is_needed) continue;
    kept.push_back(i);
    for (const int line : step.lines) lines[line] = 1;
    is_any_wanted |= step.uses_all;
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

}  // namespace nonosat::explain
