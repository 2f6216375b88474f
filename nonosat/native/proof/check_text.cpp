#include "proof/check_text.hpp"

#include "cost.hpp"

namespace nonosat {
namespace {

constexpr int64_t kMaxVar = INT32_MAX / 2 - 1;  // literals are stored as twice the variable

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

}  // namespace

bool Reader::at_end() {
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '\n') {
      ++line_;
    } else if (!is_blank(text_[at_])) {
      return false;
    }
  }
  return true;
}

bool Reader::ends_word(size_t place) const {
  return place >= text_.size() || is_blank(text_[place]) || text_[place] == '\n';
}

bool Reader::accept(std::string_view word) {
  if (at_end() || text_.substr(at_, word.size()) != word || !ends_word(at_ + word.size()))
    return false;
  at_ += word.size();
  return true;
}

bool Reader::skip_line(char mark) {
  if (at_end() || text_[at_] != mark) return false;
  while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  return true;
}

int64_t Reader::number(int64_t min, int64_t max) {
  if (at_end()) refuse("the text ends where a number is expected");
  size_t place = at_;
  const bool is_negative = text_[place] == '-';
  place += is_negative;
  const size_t first = place;
  int64_t value = 0;
  for (; place < text_.size() && is_digit(text_[place]); ++place) {
    if (place - first >= 18) refuse("a number of more than 18 digits");
    value = value * 10 + (text_[place] - '0');
  }
  if (place == first || !ends_word(place)) refuse("expected a number");
  if (is_negative) value = -value;
  if (value < min || value > max) {
    refuse("the number " + std::to_string(value) + ", expected " + std::to_string(min) + " to " +
           std::to_string(max));
  }
  at_ = place;
  return value;
}

void Reader::refuse(const std::string& problem) const {
  throw Refused("line " + std::to_string(line_) + ": " + problem);
}

Formula read_dimacs(std::string_view text, Watch& watch) {
  Reader reader(text);
  Formula formula;
  while (reader.skip_line('c')) watch.work(cost::kReadNumber);
  if (!reader.accept("p") || !reader.accept("cnf")) reader.refuse("expected the header 'p cnf'");
  formula.num_vars = static_cast<int32_t>(reader.number(0, kMaxVar));
  const int64_t num_clauses = reader.number(0, INT64_MAX);
  int64_t found = 0;
  while (!reader.at_end()) {
    watch.work(cost::kReadNumber);
    if (reader.skip_line('c')) continue;
    const int64_t lit = reader.number(-formula.num_vars, formula.num_vars);
    formula.clauses.push_back(static_cast<int32_t>(lit));
    found += lit == 0;
  }
  if (!formula.clauses.empty() && formula.clauses.back() != 0) {
    reader.refuse("the last clause is not ended by 0");
  }
  if (found != num_clauses) {
    reader.refuse(std::to_string(found) + " clauses, the header announces " +
                  std::to_string(num_clauses));
  }
  return formula;
}

Drat read_drat(std::string_view text, int32_t num_vars, Watch& watch) {
  Reader reader(text);
  Drat drat;
  while (!reader.at_end()) {
    watch.work(cost::kReadNumber);
    if (reader.skip_line('c')) continue;
    const bool is_deletion = reader.accept("d");
    const size_t first = drat.lits.size();
    const int64_t line = reader.line();
    while (const int64_t lit = reader.number(-num_vars, num_vars)) {
      watch.work(cost::kReadNumber);
      drat.lits.push_back(static_cast<int32_t>(lit));
    }
    drat.steps.push_back({is_deletion, first, drat.lits.size(), line});
  }
  return drat;
}

}  // namespace nonosat
