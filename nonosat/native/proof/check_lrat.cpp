#include "proof/check_lrat.hpp"

#include "cost.hpp"

namespace nonosat {
namespace {

// Invariant: between two lines no variable is assigned and trail_ is empty.
class LratChecker {
 public:
  LratChecker(const Formula& formula, std::string_view proof, Watch& watch)
      : reader_(proof), watch_(watch), lits_(formula.clauses), values_(formula.num_vars + 1, 0) {
    starts_.push_back(0);
    for (size_t i = 0; i < lits_.size(); ++i) {
      if (lits_[i] == 0) {
        watch.work(cost::kLratLit);
        starts_.push_back(i + 1);
      }
    }
  }

  int64_t run() {
    int64_t num_lines = 0;
    bool is_empty = false;
    for (; !reader_.at_end(); ++num_lines) {
      if (is_empty) reader_.refuse("a line after the empty clause");
      is_empty = check_line();
    }
    if (!is_empty) reader_.refuse("the proof ends without the empty clause");
    return num_lines;
  }

 private:
  int64_t num_clauses() const { return static_cast<int64_t>(starts_.size()) - 1; }
  bool is_true(int32_t lit) const { return values_[std::abs(lit)] == (lit > 0 ? 1 : -1); }
  bool is_false(int32_t lit) const { return is_true(-lit); }
  void set(int32_t lit) {
    values_[std::abs(lit)] = lit > 0 ? 1 : -1;
    trail_.push_back(lit);
  }

  // Checks a line and adds its clause: with its literals false, the hints must lead to a conflict
  // at the last hint. Returns true if the clause is empty.
  bool check_line() {
    const auto num_vars = static_cast<int64_t>(values_.size()) - 1;
    const int64_t number = reader_.number(1, INT64_MAX);
    if (number != num_clauses() + 1) {
      reader_.refuse("the line is numbered " + std::to_string(number) + ", expected " +
                     std::to_string(num_clauses() + 1));
    }
    bool is_refuted = false;  // a tautology needs no hints
    const size_t first = lits_.size();
    while (const int64_t lit = reader_.number(-num_vars, num_vars)) {
      watch_.work(cost::kLratLit);
      const auto mine = static_cast<int32_t>(lit);
      if (is_true(mine)) is_refuted = true;
      if (!is_true(mine) && !is_false(mine)) set(-mine);
      lits_.push_back(mine);
    }
    lits_.push_back(0);
    while (const int64_t hint = reader_.number(0, num_clauses())) {
      if (is_refuted) reader_.refuse("a hint after the conflict");
      is_refuted = apply_hint(hint);
    }
    if (!is_refuted) reader_.refuse("the hints do not lead to a conflict");
    starts_.push_back(lits_.size());
    for (const int32_t lit : trail_) values_[std::abs(lit)] = 0;
    trail_.clear();
    return lits_.size() == first + 1;
  }

  // Propagates the clause of a hint; returns true if all its literals are false. A clause that is
  // satisfied or has two unassigned literals is refused.
  bool apply_hint(int64_t hint) {
    int32_t left = 0;
    for (size_t i = starts_[hint - 1]; lits_[i] != 0; ++i) {
      watch_.work(cost::kLratLit);
      const int32_t lit = lits_[i];
      if (is_false(lit) || lit == left) continue;
      if (left != 0 || is_true(lit)) {
        reader_.refuse("the hint " + std::to_string(hint) +
                       " is a clause that is neither unit nor false here");
      }
      left = lit;
    }
    if (left != 0) set(left);
    return left == 0;
  }

  Reader reader_;
  Watch& watch_;
  std::vector<int32_t> lits_;
  std::vector<size_t> starts_;  // start of each clause, and of the next one
  std::vector<int8_t> values_;  // by variable: 1 true, -1 false
  std::vector<int32_t> trail_;  // literals assigned by the current line
};

}  // namespace

int64_t check_lrat(const Formula& formula, std::string_view proof, Watch& watch) {
  return LratChecker(formula, proof, watch).run();
}

}  // namespace nonosat
