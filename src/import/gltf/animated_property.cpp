#include "import/gltf/animated_property.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

namespace sinew {
namespace {

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

GltfAnimatedProperty animatedProperty(const GltfJson& target) {
  const std::string path = textIn(target, "path");
  if (path != "pointer") return {indexIn(target, "node"), {}, {}, path};
  const GltfJson* extension = extensionIn(target, "KHR_animation_pointer");
  return extension != nullptr ? ofPointer(textIn(*extension, "pointer")) : GltfAnimatedProperty();
}

} // namespace sinew
