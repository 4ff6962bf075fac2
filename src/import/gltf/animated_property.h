// What a channel of a glTF animation moves: a property of a node or a mesh, named by the format or
// by a pointer of KHR_animation_pointer.
#pragma once

#include "import/gltf/json_values.h"

#include <cstddef>
#include <optional>
#include <string>

namespace sinew {

struct GltfAnimatedProperty {
  std::optional<std::size_t> node;
  std::optional<std::size_t> mesh;   // of weights of a mesh, which its nodes without own ones have
  std::optional<std::size_t> weight; // of one weight of several
  std::string path; // "translation", "rotation", "scale", "weights", or something else
};

// target: of a channel. A property that no clip can hold has neither a node nor a mesh.
GltfAnimatedProperty animatedProperty(const GltfJson& target);

} // namespace sinew
