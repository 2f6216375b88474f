// Checkers of clausal proofs by definition, for small formulas.
//
// Without hints every added clause must follow by unit propagation from the current ones, and every
// deleted clause must exist. Literals implied at the root stay true, as in checkers of DRAT. With
// hints (LRAT) there is no search: see check_lrat.hpp for the conditions on a line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace naive {

using Clause = std::vector<int32_t>;

class Refutation {
 public:
  Refutation(int32_t num_vars, const std::vector<int32_t>& clauses) : root_(num_vars + 1, 0) {
    Clause clause;
    for (const int32_t lit : clauses) {
      if (lit) clause.push_back(lit);
      if (!lit) add(std::exchange(clause, {}));
    }
  }

  // Returns the first wrong line, from 1; 0 if all are right and the last one is empty.
  int check(const std::string& proof) {
    std::istringstream lines(proof);
    int number = 0;
    bool is_refuted = false;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      const bool is_deletion = line[0] == 'd';
      const Clause clause = read(line);
      if (is_deletion ? !remove(clause) : !follows(clause)) return number;
      if (!is_deletion) is_refuted = clause.empty(), add(clause);
    }
    return is_refuted ? 0 : number + 1;
  }

  // Returns true if the lines that follow, without the others, lead to a contradiction. The
  // deletion of a missing clause has no effect; a clause that did not follow can be deleted.
  bool refutes(const std::string& proof) {
    std::vector<Clause> left_out;
    std::istringstream lines(proof);
    for (std::string line; !conflicts(root_) && std::getline(lines, line);) {
      const bool is_deletion = line[0] == 'd';
      const Clause clause = read(line);
      const auto found = std::find(left_out.begin(), left_out.end(), clause);
      if (!is_deletion) {
        follows(clause) ? add(clause) : left_out.push_back(clause);
      } else if (found != left_out.end()) {
        left_out.erase(found);
      } else {
        remove(clause);
      }
    }
    return conflicts(root_);
  }

 private:
  // Literals of a line, sorted.
  static Clause read(const std::string& line) {
    std::istringstream words(line.substr(line[0] == 'd' ? 2 : 0));
    Clause clause;
    for (int32_t lit; words >> lit && lit;) clause.push_back(lit);
    std::sort(clause.begin(), clause.end());
    clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
    return clause;
  }

  // By variable: 1 true, -1 false.
  using Values = std::vector<int8_t>;

  static int of(const Values& values, int32_t lit) { return lit > 0 ? values[lit] : -values[-lit]; }
  static void set(Values& values, int32_t lit) { values[std::abs(lit)] = lit > 0 ? 1 : -1; }

  // Returns true if unit propagation falsifies a clause.
  bool conflicts(Values& values) const {
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (const Clause& clause : clauses_) {
        int32_t open = 0;
        int num_open = 0;
        for (const int32_t lit : clause) {
          if (of(values, lit) > 0) num_open = 2;
          if (of(values, lit) == 0) open = lit, ++num_open;
        }
        if (num_open == 0) return true;
        if (num_open == 1) set(values, open), is_new = true;
      }
    }
    return false;
  }

  bool follows(const Clause& clause) const {
    Values values = root_;
    for (const int32_t lit : clause) {
      if (of(values, lit) > 0) return true;
      set(values, -lit);
    }
    return conflicts(values);
  }

  void add(Clause clause) {
    std::sort(clause.begin(), clause.end());
    clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
    clauses_.push_back(std::move(clause));
    conflicts(root_);
  }

  // Deletes a clause; false if it does not exist. Root literals stay.
  bool remove(Clause clause) {
    std::sort(clause.begin(), clause.end());
    const auto found = std::find(clauses_.begin(), clauses_.end(), clause);
    if (found == clauses_.end()) return false;
    clauses_.erase(found);
    return true;
  }

  std::vector<Clause> clauses_;
  Values root_;  // literals implied at the root
};

// Integers of a text, of at most 18 digits; no value if a word is not one.
inline bool read_numbers(const std::string& text, std::vector<int64_t>& numbers) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string digits = word.substr(word[0] == '-');
    if (digits.empty() || digits.size() > 18) return false;
    if (digits.find_first_not_of("0123456789") != std::string::npos) return false;
    numbers.push_back(std::stoll(word));
  }
  return true;
}

// Returns true if a text is an LRAT proof that the clauses, each terminated by 0, are
// unsatisfiable.
inline bool follows_hints(int32_t num_vars, const std::vector<int32_t>& formula,
                          const std::string& text) {
  std::vector<std::set<int64_t>> clauses(1);
  for (const int32_t lit : formula) {
    if (lit) clauses.back().insert(lit);
    if (!lit) clauses.emplace_back();
  }
  clauses.pop_back();
  std::vector<int64_t> numbers;
  if (!read_numbers(text, numbers)) return false;
  bool is_over = false;
  for (auto at = numbers.begin(); at != numbers.end();) {
    if (is_over || *at++ != static_cast<int64_t>(clauses.size()) + 1) return false;
    const auto end = std::find(at, numbers.end(), 0);
    if (end == numbers.end()) return false;
    const auto stop = std::find(end + 1, numbers.end(), 0);
    if (stop == numbers.end()) return false;
    const std::set<int64_t> clause(at, end);
    std::set<int64_t> truths;
    for (const int64_t lit : clause) truths.insert(-lit);
    bool is_refuted = false;
    for (const int64_t lit : clause) {
      if (std::abs(lit) > num_vars) return false;
      is_refuted |= truths.contains(lit);
    }
    for (at = end + 1; at != stop; ++at) {
      if (is_refuted || *at < 1 || *at > static_cast<int64_t>(clauses.size())) return false;
      std::set<int64_t> left;
      for (const int64_t lit : clauses[*at - 1]) {
        if (truths.contains(lit)) return false;
        if (!truths.contains(-lit)) left.insert(lit);
      }
      if (left.size() > 1) return false;
      is_refuted = left.empty();
      truths.insert(left.begin(), left.end());
    }
    if (!is_refuted) return false;
    is_over = clause.empty();
    clauses.push_back(clause);
    at = stop + 1;
  }
  return is_over;
}

}  // namespace naive
