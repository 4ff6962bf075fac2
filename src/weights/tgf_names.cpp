#include "weights/tgf_names.h"

#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

namespace sinew {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Removes a leading whole number, followed by white space or the end of the text.
std::optional<long> takeIndex(std::string_view& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || (length < text.size() && text[length] != ' ' && text[length] != '\t'))
    return std::nullopt;
  text = trimmed(text.substr(length));
  return value;
}

class Lines {
 public:
  explicit Lines(TgfNames& out) : out_(out) {}

  void add(std::string_view line, std::size_t number) {
    const auto wrong = [&](std::string_view what) {
      return inputError(fmt::format("{}:{}", out_.path.string(), number), what,
                        "lines are 'index NAME' or 'parent child NAME'");
    };
    const auto first = takeIndex(line);
    if (!first) throw wrong("the joint's index is not a whole number");
    std::string_view rest = line;
    const auto second = takeIndex(rest);
    const bool isBone = second && !rest.empty();
    std::string name(isBone ? rest : line);
    if (name.empty()) throw wrong("there is no name");
    if (isBone && name.front() == '(')
      name.clear();
    else if (!names_.insert(name).second)
      throw wrong(fmt::format("the name '{}' occurs twice", name));
    const bool isNew = isBone ? out_.bones.emplace(std::pair(*first, *second), name).second
                              : out_.joints.emplace(*first, name).second;
    if (!isNew) throw wrong("the same is named twice");
    if (isBone) out_.boneLine[{*first, *second}] = number;
    if (!out_.joints.empty() && !out_.bones.empty()) throw wrong("it names joints and bones both");
  }

 private:
  TgfNames& out_;
  std::set<std::string> names_;
};

} // namespace

TgfNames readTgfNames(const std::filesystem::path& tgf) {
  TgfNames out;
  out.path = tgf;
  out.path.replace_extension(".names.txt");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(out.path, ignored)) return out;
  Lines lines(out);
  std::istringstream file(readFile(out.path.string()));
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (const std::string_view text = trimmed(line); !text.empty()) lines.add(text, number);
  }
  return out;
}

} // namespace sinew
