// Counted work: numbers that runs produce, compared with recorded ones.
//
// The record is a text file: a line for each case, followed by a line for each of its numbers, its
// name first. A search that takes other steps to the same answers produces other numbers, which a
// comparison of answers does not notice.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace counting {

// Hash of a sequence of numbers; never negative.
class Digest {
 public:
  void add(uint64_t number) { mixed_ = (mixed_ ^ number) * 0x9e3779b97f4a7c15 ^ mixed_ >> 29; }
  int64_t value() const { return static_cast<int64_t>(mixed_ >> 32); }

 private:
  uint64_t mixed_ = 1;
};

template <class Numbers>
int64_t digest(const Numbers& numbers) {
  Digest found;
  for (const auto number : numbers) found.add(static_cast<uint64_t>(number));
  return found.value();
}

class Counts {
 public:
  // Begins a case, to which all further numbers belong.
  void start(const std::string& name) { case_ = name; }

  // Notes a number. `percent`: permitted deviation from the recorded one, for numbers that depend
  // on the last bits of floating-point operations, which differ between compilers and processors.
  void note(const std::string& what, int64_t number, int percent = 0) {
    const Name name{case_, what};
    if (!found_.try_emplace(name, number).second) {
      std::fprintf(stderr, "work: %s has two numbers named %s\n", case_.c_str(), what.c_str());
      std::exit(2);
    }
    order_.push_back({name, percent});
  }

  size_t size() const { return order_.size(); }

  void print() const {
    std::string last;
    for (const auto& [name, percent] : order_) {
      if (name.first != std::exchange(last, name.first)) std::printf("%s\n", last.c_str());
      std::printf("  %s = %lld\n", name.second.c_str(), static_cast<long long>(found_.at(name)));
    }
  }

  // Returns how many numbers differ from the record, and prints them to stderr. Only cases of the
  // record whose names begin with one of `parts` are compared.
  int compare(const std::string& path, const std::vector<std::string>& parts) const {
    std::map<Name, int64_t> recorded = read(path, parts);
    int num_wrong = 0;
    for (const auto& [name, percent] : order_) {
      const int64_t number = found_.at(name);
      const auto at = recorded.find(name);
      const std::string found = "found " + std::to_string(number);
      if (at == recorded.end()) {
        say(name, found + ", nothing is recorded", num_wrong);
        continue;
      }
      const double room = std::abs(static_cast<double>(at->second)) * percent / 100;
      if (std::abs(static_cast<double>(number - at->second)) > room) {
        const std::string about =
            percent ? ", of which it may be " + std::to_string(percent) + " % away" : "";
        say(name, found + ", recorded is " + std::to_string(at->second) + about, num_wrong);
      }
      recorded.erase(at);
    }
    for (const auto& [name, number] : recorded)
      say(name, "recorded is " + std::to_string(number) + ", nothing counts it now", num_wrong);
    return num_wrong;
  }

 private:
  using Name = std::pair<std::string, std::string>;  // name of the case and of the number

  static void say(const Name& name, const std::string& what, int& num_wrong) {
    if (++num_wrong > 20) return;
    std::fprintf(stderr, "work: %s: %s: %s\n", name.first.c_str(), name.second.c_str(),
                 what.c_str());
  }

  static std::map<Name, int64_t> read(const std::string& path,
                                      const std::vector<std::string>& parts) {
    std::ifstream file(path);
    if (!file) {
      std::fprintf(stderr, "work: there is no record %s\n", path.c_str());
      std::exit(2);
    }
    std::map<Name, int64_t> found;
    bool is_asked = false;
    std::string name;
    for (std::string line; std::getline(file, line);) {
      const size_t at = line.rfind(" = ");
      if (at == std::string::npos) {
        name = line;
        is_asked = false;
        for (const std::string& part : parts) is_asked |= line.starts_with(part);
      } else if (is_asked) {
        found[{name, line.substr(2, at - 2)}] = std::atoll(line.c_str() + at + 3);
      }
    }
    return found;
  }

  std::string case_;
  std::map<Name, int64_t> found_;
  std::vector<std::pair<Name, int>> order_;  // names and percents
};

}  // namespace counting
