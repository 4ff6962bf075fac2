#include "core/json_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {

Error JsonValue::wrong(std::string_view what, const std::string& remedy) const {
  return inputError(path_, name_.empty() ? std::string(what) : fmt::format("{} {}", name_, what),
                    remedy);
}

Error JsonValue::mustBe(std::string_view kind, const std::string& remedy) const {
  return wrong(fmt::format("is {}; it must be {}", shown(*json_), kind), remedy);
}

bool JsonValue::boolean() const {
  if (!json_->is_boolean()) throw mustBe("true or false");
  return json_->get<bool>();
}

float JsonValue::number() const {
  if (!json_->is_number()) throw mustBe("a number");
  const float value = json_->get<float>();
  if (!std::isfinite(value)) throw wrong(fmt::format("is {}, which is too large", shown(*json_)));
  return value;
}

float JsonValue::number(float minimum, float maximum) const {
  const float value = number();
  if (value < minimum || value > maximum)
    throw wrong(fmt::format("is {}; it goes from {:g} to {:g}", shown(*json_), minimum, maximum));
  return value;
}

int JsonValue::whole() const {
  if (!json_->is_number_integer()) throw mustBe("a whole number");
  const auto value = json_->get<double>();
  if (std::abs(value) > 2147483647.0)
    throw wrong(fmt::format("is {}, which is too large", shown(*json_)));
  return static_cast<int>(value);
}

std::string JsonValue::text() const {
  if (!json_->is_string()) throw mustBe("a text");
  return json_->get<std::string>();
}

std::size_t JsonValue::word(std::span<const std::string_view> words) const {
  if (json_->is_string())
    if (const auto found = std::ranges::find(words, json_->get_ref<const std::string&>());
        found != words.end())
      return static_cast<std::size_t>(found - words.begin());
  throw wrong(fmt::format("is {}", shown(*json_)),
              fmt::format("one of {}", fmt::join(words, ", ")));
}

std::vector<std::string> JsonValue::texts() const {
  const auto isText = [](const Json& each) { return each.is_string(); };
  if (!json_->is_array() || !std::ranges::all_of(*json_, isText)) throw mustBe("a list of names");
  return json_->get<std::vector<std::string>>();
}

std::vector<float> JsonValue::numbers() const {
  if (!json_->is_array()) throw mustBe("a list of numbers");
  std::vector<float> out(json_->size());
  numbers(out);
  return out;
}

void JsonValue::numbers(std::span<float> out) const {
  if (!json_->is_array() || json_->size() != out.size())
    throw mustBe(fmt::format("{} numbers", out.size()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = (*json_)[i].is_number() ? (*json_)[i].get<float>() : NAN;
    if (!std::isfinite(out[i])) throw mustBe(fmt::format("{} finite numbers", out.size()));
  }
}

vec3 JsonValue::vector() const {
  std::array<float, 3> v{};
  numbers(v);
  return {v[0], v[1], v[2]};
}

quat JsonValue::rotation() const {
  std::array<float, 4> v{};
  numbers(v);
  const quat q(v[3], v[0], v[1], v[2]);
  const float length = glm::length(q);
  if (!(length > 0.5f && length < 2.0f)) throw mustBe("a unit quaternion");
  return std::abs(length - 1.0f) < 1e-6f ? q : glm::normalize(q);
}

std::vector<JsonValue> JsonValue::elements(std::string_view kind, const std::string& whole) const {
  if (!json_->is_array()) throw mustBe("a list");
  std::vector<JsonValue> out;
  for (const Json& element : *json_)
    out.emplace_back(
        element, path_,
        fmt::format("{} {}{}{}", kind, out.size() + 1, whole.empty() ? "" : " of ", whole));
  return out;
}

JsonObject::JsonObject(JsonValue value) : value_(std::move(value)) {
  if (!value_.json().is_object())
    throw wrong(fmt::format("is {}, not an object", shown(value_.json())));
}

std::string JsonObject::makeName(std::string_view key) const {
  return value_.name().empty() ? fmt::format("'{}'", key)
                               : fmt::format("'{}' of {}", key, value_.name());
}

std::optional<JsonValue> JsonObject::find(std::string_view key) {
  known_.emplace_back(key);
  const auto found = value_.json().find(known_.back());
  if (found == value_.json().end()) return std::nullopt;
  return JsonValue(*found, value_.path(), makeName(key));
}

JsonValue JsonObject::at(std::string_view key) {
  if (const auto found = find(key)) return *found;
  throw inputError(value_.path(), makeName(key) + " is missing");
}

std::vector<JsonValue> JsonObject::list(std::string_view key, std::string_view kind) {
  const auto found = find(key);
  return found ? found->elements(kind, value_.name()) : std::vector<JsonValue>();
}

std::vector<std::pair<std::string, JsonValue>> JsonObject::members(std::string_view kind) const {
  std::vector<std::pair<std::string, JsonValue>> out;
  for (const auto& [key, each] : value_.json().items())
    out.emplace_back(key, JsonValue(each, value_.path(), fmt::format("{} '{}'", kind, key)));
  return out;
}

void JsonObject::rejectUnknown() const {
  for (const auto& [key, each] : value_.json().items())
    if (std::ranges::find(known_, key) == known_.end())
      throw inputError(value_.path(), makeName(key) + " is unknown",
                       fmt::format("one of {}", fmt::join(known_, ", ")));
}

JsonObject readDocument(const Json& json, std::string_view path, std::string_view kind,
                        const std::string& otherwise, const std::string& remedy) {
  if (!json.is_object() || json.value("sinew", Json()) != kind)
    throw inputError(path, otherwise, remedy);
  JsonObject out(JsonValue(json, path, ""));
  out.find("sinew");
  return out;
}

} // namespace sinew
