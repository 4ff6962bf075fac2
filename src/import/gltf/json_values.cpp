#include "import/gltf/json_values.h"

#include "core/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

namespace sinew {
namespace {

GltfError wrong(const char* key, const GltfJson& value, const char* expected) {
  return GltfError(fmt::format("'{}' is {}, not {}", key, shown(value), expected));
}

// "/nodes/3/weights" as its parts.
std::vector<std::string_view> pointerParts(std::string_view pointer) {
  std::vector<std::string_view> parts;
  while (pointer.starts_with('/')) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    parts.push_back(pointer.substr(0, end));
    pointer.remove_prefix(end);
  }
  return parts;
}

std::optional<std::size_t> wholeNumber(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

GltfAnimatedProperty ofPointer(std::string_view pointer) {
  const std::vector<std::string_view> parts = pointerParts(pointer);
  GltfAnimatedProperty out;
  if (parts.size() < 3 || parts.size() > 4) return out;
  const bool weights = parts[2] == "weights";
  const bool place = parts[2] == "translation" || parts[2] == "rotation" || parts[2] == "scale";
  const bool ofNode = parts[0] == "nodes" && (weights || (place && parts.size() == 3));
  const bool ofMesh = parts[0] == "meshes" && weights;
  if (!ofNode && !ofMesh) return out;
  if (parts.size() == 4) {
    out.weight = wholeNumber(parts[3]);
    if (!out.weight) return out;
  }
  (ofNode ? out.node : out.mesh) = wholeNumber(parts[1]);
  out.path = parts[2];
  return out;
}

} // namespace

const GltfJson* memberIn(const GltfJson& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const GltfJson& objectIn(const GltfJson& object, const char* key) {
  static const GltfJson kNone = GltfJson::object();
  const GltfJson* value = memberIn(object, key);
  if (value == nullptr) return kNone;
  if (!value->is_object()) throw wrong(key, *value, "an object");
  return *value;
}

const GltfJson& arrayIn(const GltfJson& object, const char* key) {
  static const GltfJson kNone = GltfJson::array();
  const GltfJson* value = memberIn(object, key);
  if (value == nullptr) return kNone;
  if (!value->is_array()) throw wrong(key, *value, "an array");
  return *value;
}

std::size_t asIndex(const GltfJson& value, const char* what) {
  // Some exporters write whole numbers as 1.0.
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (number >= 0.0 && number < 1e15 &&
        number == static_cast<double>(static_cast<std::size_t>(number)))
      return static_cast<std::size_t>(number);
  }
  if (!value.is_number_unsigned()) throw wrong(what, value, "a whole number from 0");
  return value.get<std::size_t>();
}

std::optional<std::size_t> indexIn(const GltfJson& object, const char* key) {
  const GltfJson* value = memberIn(object, key);
  if (value == nullptr) return std::nullopt;
  return asIndex(*value, key);
}

std::size_t countIn(const GltfJson& object, const char* key, std::size_t otherwise) {
  return indexIn(object, key).value_or(otherwise);
}

float numberIn(const GltfJson& object, const char* key, float otherwise) {
  const GltfJson* value = memberIn(object, key);
  if (value == nullptr) return otherwise;
  if (!value->is_number()) throw wrong(key, *value, "a number");
  return value->get<float>();
}

bool flagIn(const GltfJson& object, const char* key) {
  const GltfJson* value = memberIn(object, key);
  if (value == nullptr) return false;
  if (!value->is_boolean()) throw wrong(key, *value, "true or false");
  return value->get<bool>();
}

std::string textIn(const GltfJson& object, const char* key) {
  const GltfJson* value = memberIn(object, key);
  if (value == nullptr) return {};
  if (!value->is_string()) throw wrong(key, *value, "a text");
  return value->get<std::string>();
}

std::vector<float> numbersIn(const GltfJson& object, const char* key, std::size_t count) {
  std::vector<float> out;
  const GltfJson& values = arrayIn(object, key);
  if (memberIn(object, key) == nullptr) return out;
  for (const GltfJson& value : values) {
    if (!value.is_number()) throw wrong(key, values, "an array of numbers");
    out.push_back(value.get<float>());
  }
  if (count != 0 && out.size() != count)
    throw GltfError(fmt::format("'{}' has {} numbers instead of {}", key, out.size(), count));
  return out;
}

const GltfJson* extensionIn(const GltfJson& object, const char* name) {
  return memberIn(objectIn(object, "extensions"), name);
}

const GltfJson& usableObject(const GltfJson& holder, const char* key) {
  static const GltfJson kNone = GltfJson::object();
  const GltfJson* found = memberIn(holder, key);
  return found != nullptr && found->is_object() ? *found : kNone;
}

const GltfJson& usableArray(const GltfJson& holder, const char* key) {
  static const GltfJson kNone = GltfJson::array();
  const GltfJson* found = memberIn(holder, key);
  return found != nullptr && found->is_array() ? *found : kNone;
}

std::optional<float> usableNumber(const GltfJson& holder, const char* key) {
  const GltfJson* found = memberIn(holder, key);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  const auto value = found->get<float>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string usableText(const GltfJson& holder, const char* key) {
  const GltfJson* found = memberIn(holder, key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::size_t> usableIndex(const GltfJson& value) {
  if (!value.is_number_unsigned()) return std::nullopt;
  return value.get<std::size_t>();
}

const GltfJson* usableItem(const GltfJson& holder, const char* key, const GltfJson& list) {
  const GltfJson* found = memberIn(holder, key);
  const auto at = found != nullptr ? usableIndex(*found) : std::nullopt;
  return at && *at < list.size() && list[*at].is_object() ? &list[*at] : nullptr;
}

GltfAnimatedProperty animatedProperty(const GltfJson& target) {
  const std::string path = textIn(target, "path");
  if (path != "pointer") return {indexIn(target, "node"), {}, {}, path};
  const GltfJson* extension = extensionIn(target, "KHR_animation_pointer");
  return extension != nullptr ? ofPointer(textIn(*extension, "pointer")) : GltfAnimatedProperty();
}

} // namespace sinew
