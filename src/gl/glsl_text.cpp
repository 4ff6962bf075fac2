#include "gl/glsl_text.h"

#include "core/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace sinew {
namespace {

bool isWordLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "1" of "NAME 1", "" of "NAME"; nothing where NAME is not defined.
const std::string* findDefine(std::span<const std::string> defines, std::string_view name) {
  for (const std::string& define : defines)
    if (std::string_view(define).substr(0, define.find(' ')) == name) return &define;
  return nullptr;
}

// "defined(NAME)", "NAME == NUMBER" or "NAME > NUMBER".
struct Condition {
  std::string_view name;
  enum class Kind { defined, equal, greater } kind = Kind::defined;
  int number = 0;
};

Condition parseCondition(std::string_view text) {
  std::string_view rest = text;
  Condition condition;
  if (takePrefix(rest, "defined(")) {
    condition.name = takeWord(rest);
    if (!condition.name.empty() && rest == ")") return condition;
  } else {
    condition.name = takeWord(rest);
    const bool greater = rest.starts_with(" > ");
    condition.kind = greater ? Condition::Kind::greater : Condition::Kind::equal;
    if (takePrefix(rest, " > ") || takePrefix(rest, " == ")) {
      const auto [end, error] =
          std::from_chars(rest.data(), rest.data() + rest.size(), condition.number);
      if (error == std::errc() && end == rest.data() + rest.size()) return condition;
    }
  }
  throw graphicsError("a shader has a condition that is not understood: " + std::string(text),
                      "write it as NAME == NUMBER, NAME > NUMBER or defined(NAME)");
}

bool holds(std::string_view directive, std::string_view text,
           std::span<const std::string> defines) {
  if (directive == "ifdef") return findDefine(defines, text) != nullptr;
  if (directive == "ifndef") return findDefine(defines, text) == nullptr;
  const Condition condition = parseCondition(text);
  const std::string* define = findDefine(defines, condition.name);
  if (define == nullptr || condition.kind == Condition::Kind::defined) return define != nullptr;
  const int value = std::stoi(define->substr(define->find(' ')));
  return condition.kind == Condition::Kind::equal ? value == condition.number
                                                  : value > condition.number;
}

// A line "#if NAME == 1 // why": "if" and "NAME == 1"; no word where it is another line.
struct Directive {
  std::string_view word, condition;
};

Directive parseDirective(std::string_view line) {
  static constexpr std::array<std::string_view, 6> kWords{"ifdef", "ifndef", "if",
                                                          "elif",  "else",   "endif"};
  if (!takePrefix(line, "#")) return {};
  const std::string_view word = takeWord(line);
  if (std::find(kWords.begin(), kWords.end(), word) == kWords.end()) return {};
  line = line.substr(0, line.find("//"));
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos) return {word, {}};
  return {word, line.substr(first, line.find_last_not_of(' ') + 1 - first)};
}

struct Branch {
  bool outer = true; // the text around is active
  bool taken = false;
  bool active = false;
};

} // namespace

std::vector<std::string_view> splitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::string_view takeWord(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), isWordLetter);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

bool takePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool mentions(std::string_view text, std::string_view word) {
  for (std::string_view line : splitLines(text)) {
    line = line.substr(0, line.find("//"));
    while (!line.empty()) {
      const std::string_view found = takeWord(line);
      if (found == word) return true;
      if (found.empty()) line.remove_prefix(1);
    }
  }
  return false;
}

std::vector<std::string_view> listFunctions(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::string_view line : splitLines(text)) {
    const bool prototype = line.substr(0, line.find(" //")).ends_with(';');
    if (prototype || takeWord(line).empty() || !takePrefix(line, " ")) continue;
    const std::string_view name = takeWord(line);
    if (!name.empty() && line.starts_with('(')) names.push_back(name);
  }
  return names;
}

std::string resolveConditionals(std::string_view text, std::span<const std::string> defines) {
  std::vector<Branch> open;
  std::string out;
  for (const std::string_view line : splitLines(text)) {
    const auto [directive, condition] = parseDirective(line);
    if (directive.empty()) {
      const bool active = open.empty() || open.back().active;
      // Where a choice falls out, two empty lines would meet.
      if (active && !(line.empty() && out.ends_with("\n\n"))) out.append(line).append(1, '\n');
      continue;
    }
    if (directive.starts_with("if")) {
      const bool outer = open.empty() || open.back().active;
      const bool active = outer && holds(directive, condition, defines);
      open.push_back({outer, active, active});
      continue;
    }
    if (open.empty())
      throw graphicsError("a shader has #" + std::string(directive) + " without #if", "");
    Branch& branch = open.back();
    if (directive == "endif")
      open.pop_back();
    else
      branch.active =
          branch.outer && !branch.taken && (directive == "else" || holds("if", condition, defines));
    if (directive == "elif") branch.taken = branch.taken || branch.active;
  }
  return out;
}

} // namespace sinew
