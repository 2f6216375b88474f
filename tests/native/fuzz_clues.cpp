// Fuzzing of readers of clues from pictures, lines of text and JSON, to be built with
// -fsanitize=address,undefined: random clues are written in many ways and must be read back, and
// mutated texts are compared with simple readers that use regular expressions.
//
// Usage: fuzz_clues [rounds] [seed]. Prints what was checked; exit status 1 at an error.
//
// GCC 12 warns about code of the standard library's regular expressions if built with sanitizers.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "drawing.hpp"
#include "formats/lists.hpp"
#include "formats/runs.hpp"
#include "fuzzing.hpp"
#include "puzzles/verify.hpp"

using namespace drawing;
using namespace fuzzing;
using namespace nonosat::formats;
using std::string, std::vector;

namespace {

int64_t num_read = 0, num_refused = 0;

// A copy in memory of exactly its size, so that sanitizers report reads beyond it.
template <class Read>
auto exactly(const string& text, Read read) {
  const vector<char> kept(text.begin(), text.end());
  return read(std::string_view(kept.data(), kept.size()));
}

string blanks(const string& signs) {
  string text;
  while (chance(20)) text += signs[below(static_cast<int>(signs.size()))];
  return text;
}

vector<Run> draw_runs(int num_colours) {
  vector<Run> runs(below(5));
  for (Run& run : runs) {
    run = {1 + below(chance(90) ? 30 : 999'999'999), 1 + below(num_colours)};
  }
  return runs;
}

// Changes, adds or removes one character.
void spoil(string& text, const string& signs) {
  const size_t at = below(static_cast<int>(text.size()) + 1);
  const char sign = signs[below(static_cast<int>(signs.size()))];
  if (at == text.size() || chance(40)) {
    text.insert(at, 1, sign);
  } else if (chance(50)) {
    text.erase(at, 1);
  } else {
    text[at] = sign;
  }
}

// ---- Pictures ----

void check_picture() {
  const size_t count = below(70), step = 1 + below(4);
  vector<uint8_t> cells(count ? (count - 1) * step + 1 : 0);
  for (auto& cell : cells) cell = chance(50) ? 0 : 1 + below(chance(90) ? 2 : 255);
  vector<Run> expected, found;
  uint8_t before = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t cell = cells[i * step];
    if (cell && cell == before) ++expected.back().length;
    if (cell && cell != before) expected.push_back({1, cell});
    before = cell;
  }
  runs_of(cells.data(), count, step, found);
  require(found == expected, "runs of a picture");
  nonosat::verify::Runs runs({cells.data(), count, step});
  found.clear();
  while (runs.next()) found.push_back({static_cast<int32_t>(runs.length()), runs.colour()});
  require(found == expected, "runs as the verifier reads them");
}

// ---- Lines of text ----

Writing writing_of() {
  Writing writing;
  for (const char blank : {' ', '\t'}) writing.gap[blank] = Writing::kBlank;
  writing.gap[','] = Writing::kSeparator;
  writing.plain = 1;
  writing.colour['a'] = 2;
  writing.colour['#'] = 3;
  return writing;
}

// Reads the blocks of a line by regular expressions; false if the fast reader must leave it to
// Python.
bool read_line_naively(const string& text, vector<Run>& runs) {
  static const std::regex kLine("[ \t]*([0-9]+[a#]?([ \t]*,[ \t]*|[ \t]+|$))*"), kZero(" *0 *");
  static const std::regex kItem("([0-9]+)([a#]?)");
  runs.clear();
  if (std::regex_match(text, kZero)) return true;
  const size_t last = text.find_last_not_of(" \t");
  if (!std::regex_match(text, kLine) || (last != string::npos && text[last] == ',')) return false;
  for (std::sregex_iterator item(text.begin(), text.end(), kItem), end; item != end; ++item) {
    const string digits = (*item)[1], ink = (*item)[2];
    if (digits.size() > 9 || std::stoi(digits) == 0) return false;
    runs.push_back({std::stoi(digits), ink.empty() ? 1 : ink == "a" ? 2 : 3});
  }
  return true;
}

void check_line() {
  static const Writing kWriting = writing_of();
  const vector<Run> runs = draw_runs(3);
  string text = blanks(" \t");
  for (size_t i = 0; i < runs.size(); ++i) {
    if (i) text += chance(50) ? " " + blanks(" \t") : blanks(" \t") + "," + blanks(" \t");
    text += std::to_string(runs[i].length);
    if (runs[i].colour > 1) text += runs[i].colour == 2 ? 'a' : '#';
  }
  text += blanks(" \t");
  vector<Run> found, expected;
  const auto read = [&](std::string_view line) { return blocks_of(line, kWriting, found); };
  require(exactly(text, read) && found == runs, "a line that is in order");
  for (int i = 0; i <= below(3); ++i) spoil(text, "0019, \ta#x-\xff");
  place += ": " + text;
  const bool is_sound = exactly(text, read);
  require(is_sound == read_line_naively(text, expected), "whether a line is in order");
  require(!is_sound || found == expected, "the blocks of a line");
  ++(is_sound ? num_read : num_refused);
}

// ---- JSON ----

// Reads the clues of a list of lists by regular expressions.
bool read_list_naively(const string& text, vector<vector<Run>>& clues, size_t& end) {
  static const std::regex kNumber("0|[1-9][0-9]{0,8}");
  static const string kBlanks = "[ \t\n\r]*", kNumbers = "(?:0|[1-9][0-9]{0,8})";
  const auto several = [](const string& one) {
    return "\\[" + kBlanks + "(?:" + one + kBlanks + "(?:," + kBlanks + one + kBlanks + ")*)?\\]";
  };
  static const std::regex kList(kBlanks + several(several(kNumbers)));
  static const std::regex kClue("\\[([0-9, \t\n\r]*)\\]");
  std::smatch list;
  if (!std::regex_search(text, list, kList, std::regex_constants::match_continuous)) return false;
  const string taken = list[0];
  end = taken.size();
  clues.clear();
  for (std::sregex_iterator clue(taken.begin(), taken.end(), kClue), none; clue != none; ++clue) {
    const string clue_text = (*clue)[1];
    vector<int> lengths;
    for (std::sregex_iterator one(clue_text.begin(), clue_text.end(), kNumber); one != none;
         ++one) {
      lengths.push_back(std::stoi((*one)[0]));
    }
    if (lengths == vector{0}) lengths.clear();
    if (std::count(lengths.begin(), lengths.end(), 0)) return false;
    clues.emplace_back();
    for (const int length : lengths) clues.back().push_back({length, 1});
  }
  if (taken.find_first_of("0123456789") == string::npos && clues.size() == 1 &&
      std::count(taken.begin(), taken.end(), '[') == 1) {
    clues.clear();  // a list without clues
  }
  return true;
}

void check_list() {
  const string kBlank = " \t\n\r";
  vector<vector<Run>> written(below(4)), found, expected;
  string text = "[" + blanks(kBlank);
  for (size_t i = 0; i < written.size(); ++i) {
    written[i] = draw_runs(1);
    text += (i ? "," : "") + blanks(kBlank) + "[" + blanks(kBlank);
    if (written[i].empty() && chance(50)) text += "0";
    for (size_t k = 0; k < written[i].size(); ++k) {
      text += (k ? "," : "") + blanks(kBlank) + std::to_string(written[i][k].length);
      text += blanks(kBlank);
    }
    text += "]" + blanks(kBlank);
  }
  text += "]";
  const size_t whole = text.size();
  const ListedClues lists({"black"});
  const auto read = [&](std::string_view all) {
    found.clear();
    return listed_clues(all, 0, lists, [&](const vector<Run>& runs) { found.push_back(runs); });
  };
  require(exactly(text, read) == whole && found == written, "a list that is in order");
  for (int i = 0; i <= below(2); ++i)
    spoil(text, "[],01- ");  // tests/test_readers.py covers clues that are strings
  place += ": " + text;
  size_t end = 0;
  const auto behind = exactly(text, read);
  const bool is_sound = read_list_naively(text, expected, end);
  require(behind.has_value() == is_sound, "whether a list is in order");
  require(!is_sound || (behind == end && found == expected), "the clues of a list");
  ++(is_sound ? num_read : num_refused);
}

}  // namespace

int main(int argc, char** argv) {
  const int num_rounds = argc > 1 ? std::atoi(argv[1]) : 3000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  for (int round = 0; round < num_rounds; ++round) {
    start("clues", round, seed);
    check_picture();
    check_line();
    start("json", round, seed);
    check_list();
  }
  require(num_read && num_refused, "all spoilt texts were in order, or none");
  print_figures({{"read", num_read}, {"refused", num_refused}});
}
