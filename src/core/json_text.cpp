#include "core/json_text.h"

#include "core/error.h"
#include "core/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxDepth = 64; // brackets within brackets
constexpr std::size_t kShown = 60;    // bytes

std::string cut(const std::string& text) {
  if (text.size() <= kShown) return text;
  return std::string(utf8Prefix(text, kShown - 3)) + "...";
}

std::string lineAndColumn(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  return fmt::format("line {}, column {}", line,
                     1 + before.size() - (start == before.npos ? 0 : start + 1));
}

// The position at which brackets are nested too deeply, or npos.
std::size_t tooDeep(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++depth > kMaxDepth)
      return i;
    else if (!quoted && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return text.npos;
}

// The number that the parser quotes in its message.
std::string quoted(std::string_view message) {
  const std::size_t first = message.find('\'');
  const std::size_t last = message.rfind('\'');
  return first < last ? std::string(message.substr(first + 1, last - first - 1)) : std::string();
}

} // namespace

Json parseJson(std::string_view text, std::string_view path, std::string_view remedy) {
  if (const std::size_t at = tooDeep(text); at != text.npos)
    throw inputError(path,
                     fmt::format("{}: more than {} brackets within one another",
                                 lineAndColumn(text, at), kMaxDepth),
                     remedy);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::size_t at = std::min(std::max<std::size_t>(error.byte, 1) - 1, text.size());
    throw inputError(path, fmt::format("not valid JSON at {}", lineAndColumn(text, at)), remedy);
  } catch (const Json::out_of_range& error) {
    const std::string number = quoted(error.what());
    throw inputError(path,
                     fmt::format("{}: the number {} is too large",
                                 lineAndColumn(text, std::min(text.find(number), text.size())),
                                 cut(number)),
                     remedy);
  }
}

std::string shown(const Json& value) {
  return cut(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace sinew
