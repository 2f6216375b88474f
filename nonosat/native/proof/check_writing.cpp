// Writes the proof that the backward checker found: the needed lines with hints, whose numbers
// continue those of the formula's clauses.
#include "cost.hpp"
#include "proof/check.hpp"

namespace nonosat {
int64_t Checker::num_needed() const { return static_cast<int64_t>(entries_.size()); }

// Returns the line number of a hint: of a clause of the formula, a lemma, or the unit lemma of a
// root literal. Requires `number_entries`.
int64_t Checker::id_of(int64_t hint) const {
  const int64_t clause = hint < 0 ? unit_clauses_[~hint] : hint;
  if (clause < 0) return unit_ids_[~hint];
  return clause < num_formula_ ? clause + 1 : lemma_ids_[clause - num_formula_];
}

// Numbers the entries in the order in which they are written; entries_ is in reverse order.
void Checker::number_entries() {
  lemma_ids_.assign(clauses_.size() - num_formula_, 0);
  int64_t id = num_formula_;
  for (size_t i = entries_.size(); i-- > 0;) {
    const Entry& entry = entries_[i];
    watch_.work(cost::kWrittenNumber);
    ++id;
    if (entry.clause >= 0) {
      lemma_ids_[entry.clause - num_formula_] = id;
    } else {
      unit_ids_[var_of(entry.lit)] = id;  // variable 0 for the empty clause
    }
  }
}

void Checker::put_lits(const Entry& entry, std::string& text) const {
  if (entry.clause < 0) {
    if (entry.lit) text += std::to_string(decoded(entry.lit)) + ' ';
  } else {
    const Ref ref = clauses_[entry.clause];
    for (Lit i = 0; i < size(ref); ++i) text += std::to_string(decoded(arena_[ref + i])) + ' ';
  }
  text += '0';
}

std::string Checker::lrat() {
  number_entries();
  std::string text;
  int64_t id = num_formula_;
  for (size_t i = entries_.size(); i-- > 0;) {
    const Entry& entry = entries_[i];
    text += std::to_string(++id) + ' ';
    put_lits(entry, text);
    for (size_t at = entry.first; at < entry.last; ++at) {
      text += ' ' + std::to_string(id_of(hints_[at]));
    }
    text += " 0\n";
    watch_.work(cost::kWrittenLine + cost::kHint * static_cast<int64_t>(entry.last - entry.first));
  }
  return text;
}

std::string Checker::drat() {
  number_entries();
  const size_t count = entries_.size();
  std::vector<size_t> last_use(count, count);  // by line, of its lemma
  for (size_t line = 0; line < count; ++line) {
    const Entry& entry = entries_[count - 1 - line];
    watch_.work(cost::kWrittenNumber * static_cast<int64_t>(1 + entry.last - entry.first));
    for (size_t at = entry.first; at < entry.last; ++at) {
      const int64_t used = id_of(hints_[at]) - num_formula_ - 1;
      if (used >= 0) last_use[used] = line;
    }
  }
  std::vector<std::vector<size_t>> used_up(count);
  for (size_t line = 0; line < count; ++line) {
    const Entry& entry = entries_[count - 1 - line];
    watch_.work(cost::kWrittenNumber);
    const bool is_long = entry.clause >= 0 && size(clauses_[entry.clause]) > 1;
    if (is_long && last_use[line] + 1 < count) used_up[last_use[line]].push_back(line);
  }
  std::string text;
  for (size_t line = 0; line < count; ++line) {
    put_lits(entries_[count - 1 - line], text);
    text += '\n';
    for (const size_t lemma : used_up[line]) {
      text += "d ";
      put_lits(entries_[count - 1 - lemma], text);
      text += '\n';
    }
    watch_.work(cost::kWrittenLine);
  }
  return text;
}

}  // namespace nonosat
