#include "core/json_text.h"

#include "core/error.h"
#include "core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

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

// Builds the document. The library's own builder looks for each key among all earlier ones of its
// object, so that an object of a hundred thousand keys takes minutes. A move of ordered JSON throws
// nothing, which clang-tidy does not see. NOLINTNEXTLINE(bugprone-exception-escape)
class Builder : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& value) override { return add(std::move(value)); }
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    open_.back().key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t at, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    if (const auto* range = dynamic_cast<const Json::out_of_range*>(&error)) throw *range;
    errorAt_ = at;
    return false;
  }

  Json take() { return std::move(root_); }
  std::size_t errorAt() const { return errorAt_; } // bytes, from 1

 private:
  struct Open {
    Json* value = nullptr;
    std::string key; // key of the value that follows, in an object
    std::unordered_map<std::string, std::size_t> places;
  };

  template <class Value>
  bool add(Value&& value) {
    place(std::forward<Value>(value));
    return true;
  }
  bool open(Json value) {
    open_.push_back({place(std::move(value)), {}, {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  // The last of equal keys counts, in the first one's place.
  template <class Value>
  Json* place(Value&& value) {
    if (open_.empty()) {
      root_ = Json(std::forward<Value>(value));
      return &root_;
    }
    Open& parent = open_.back();
    if (parent.value->is_array()) {
      parent.value->emplace_back(std::forward<Value>(value));
      return &parent.value->back();
    }
    auto& members = parent.value->get_ref<Json::object_t&>();
    auto& list = static_cast<Json::object_t::Container&>(members);
    const std::size_t at = findMember(parent, list);
    if (at == list.size())
      list.emplace_back(std::move(parent.key), Json(std::forward<Value>(value)));
    else
      list[at].second = Json(std::forward<Value>(value));
    return &list[at].second;
  }

  // Where the key stands, or the end. Few keys are compared one by one.
  static std::size_t findMember(Open& parent, const Json::object_t::Container& list) {
    constexpr std::size_t kFew = 32;
    if (list.size() < kFew) {
      const auto same = [&](const auto& member) { return member.first == parent.key; };
      return static_cast<std::size_t>(std::ranges::find_if(list, same) - list.begin());
    }
    if (parent.places.empty())
      for (std::size_t i = 0; i < list.size(); ++i)
        parent.places.emplace(list[i].first, i);
    return parent.places.try_emplace(parent.key, list.size()).first->second;
  }

  Json root_;
  std::vector<Open> open_;
  std::size_t errorAt_ = 0;
};

} // namespace

Json parseJson(std::string_view text, std::string_view path, std::string_view remedy) {
  if (const std::size_t at = tooDeep(text); at != text.npos)
    throw inputError(path,
                     fmt::format("{}: more than {} brackets within one another",
                                 lineAndColumn(text, at), kMaxDepth),
                     remedy);
  try {
    Builder builder;
    if (Json::sax_parse(text, &builder)) return builder.take();
    const std::size_t at = std::min(std::max<std::size_t>(builder.errorAt(), 1) - 1, text.size());
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
