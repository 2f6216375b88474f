#include "count/shared_counts.hpp"

#include <chrono>
#include <utility>

namespace nonosat {
namespace {

constexpr std::chrono::milliseconds kWait{1};

}  // namespace

bool SharedNode::join() {
  const std::lock_guard lock(mutex_);
  if (num_taken_ == num_probes_) return false;
  ++num_probing_;
  return true;
}

bool SharedNode::leave(int64_t work) {
  const std::lock_guard lock(mutex_);
  work_ += work;
  return !--num_probing_ && num_taken_ == num_probes_;
}

std::optional<size_t> SharedNode::take_probe(size_t& num_seen,
                                             std::vector<Decision::Removal>& news) {
  const std::lock_guard lock(mutex_);
  news.assign(decision_.removed.begin() + static_cast<std::ptrdiff_t>(num_seen),
              decision_.removed.end());
  num_seen = decision_.removed.size();
  if (num_taken_ == num_probes_) return {};
  return num_taken_++;
}

void SharedNode::note_refuted(Decision::Removal removal) {
  const std::lock_guard lock(mutex_);
  decision_.removed.push_back(removal);
}

void SharedNode::note_contradiction() {
  const std::lock_guard lock(mutex_);
  decision_.count = Natural();
  num_taken_ = num_probes_;
}

void SharedNode::note_score(int cell, double score) {
  const std::lock_guard lock(mutex_);
  if (score < best_score_ || (score == best_score_ && cell > decision_.cell)) return;
  best_score_ = score, decision_.cell = cell;
}

void SharedNode::note_decided() {
  {
    const std::lock_guard lock(mutex_);
    is_decided_ = true;
  }
  changed_.notify_all();
}

bool SharedNode::await_decision() {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kWait, [&] { return is_decided_; });
}

bool SharedNode::take_parts(int at) {
  const std::lock_guard lock(mutex_);
  return !std::exchange(parts_[at].is_taken, true);
}

void SharedNode::note_parts(int at, std::vector<Component> components) {
  {
    const std::lock_guard lock(mutex_);
    parts_[at].components = std::move(components);
    parts_[at].is_known = true;
  }
  changed_.notify_all();
}

bool SharedNode::await_parts(int at) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kWait, [&] { return parts_[at].is_known; });
}

SharedCounts::SharedCounts(size_t max_bytes) {
  while (shards_.size() < kShards) {
    shards_.push_back(std::make_unique<Shard>(max_bytes / kShards));
  }
}

std::optional<Natural> SharedCounts::find(const Key& key) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  const Natural* known = shard.counts.find(key);
  return known ? std::optional(*known) : std::nullopt;
}

void SharedCounts::put(const Key& key, const Natural& number) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  shard.counts.put(key, number);
}

SharedNode* SharedCounts::enter(const Key& key, size_t num_probes, int num_values, bool may_fail) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  Visited& visited = shard.visited.try_emplace(key, num_probes, num_values).first->second;
  if (may_fail && visited.num_threads > 0) return nullptr;
  ++visited.num_threads;
  return &visited.node;
}

void SharedCounts::leave(const Key& key) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  const auto visited = shard.visited.find(key);
  if (!--visited->second.num_threads) shard.visited.erase(visited);
}

}  // namespace nonosat
