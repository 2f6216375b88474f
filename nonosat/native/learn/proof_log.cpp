#include "learn/proof_log.hpp"

#include <algorithm>
#include <charconv>

namespace nonosat::learn {
namespace {

constexpr size_t kBlock = size_t{1} << 20;  // bytes
// Largest number of bytes of a literal: sign, digits, a blank.
constexpr size_t kNumber = 12;

}  // namespace

void ProofLog::write(std::span<const Lit> clause, bool is_deletion) {
  const size_t most = kNumber * clause.size() + 4;
  if (blocks_.empty() || blocks_.back().size() + most > blocks_.back().capacity()) {
    blocks_.emplace_back().reserve(std::max(kBlock, most));
  }
  std::string& block = blocks_.back();
  const size_t before = block.size();
  if (is_deletion) block += "d ";
  for (const Lit lit : clause) {
    char digits[kNumber];
    if (is_negated(lit)) block += '-';
    block.append(digits, std::to_chars(digits, digits + kNumber, var_of(lit)).ptr);
    block += ' ';
  }
  block += "0\n";
  num_bytes_ += block.size() - before;
}

void ProofLog::add_temporary(Lit first, std::span<const Lit> rest) {
  const size_t start = temporary_.size();
  temporary_.push_back(first);
  temporary_.insert(temporary_.end(), rest.begin(), rest.end());
  add({temporary_.data() + start, temporary_.size() - start});
  temporary_.push_back(kTrue);
}

void ProofLog::delete_temporary() {
  for (auto first = temporary_.begin(); first != temporary_.end();) {
    const auto last = std::find(first, temporary_.end(), kTrue);
    remove({&*first, static_cast<size_t>(last - first)});
    first = last + 1;
  }
  temporary_.clear();
}

}  // namespace nonosat::learn
