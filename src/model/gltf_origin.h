// Where the parts of a model stand in the glTF file that it was read from: what writing the model
// back needs, to keep everything else of the file. Plain data; empty for other formats.
#pragma once

#include "core/transform.h"

#include <cstdint>
#include <vector>

namespace sinew {

inline constexpr std::uint32_t kNotInGltf = ~0u;

struct GltfMeshOrigin {
  std::uint32_t node = 0; // index in the file; the first node that shows the mesh
  std::uint32_t mesh = 0;
  std::uint32_t primitive = 0;
  // Per vertex of the file its vertex of the model; kNotInGltf where no triangle has it.
  std::vector<std::uint32_t> vertexByFileVertex{};
  mat4 modelFromFile{1.0f}; // what has moved the vertices of a skinned mesh to model space
};

// As many joints as the file has; the model may have more behind them.
struct GltfSkinOrigin {
  std::uint32_t skin = 0;
  std::uint32_t joints = 0;
};

struct GltfMorphOrigin {
  std::uint32_t node = 0; // index in the file
  std::uint32_t target = 0;
};

struct GltfOrigin {
  std::vector<std::uint32_t> nodeByFileNode{}; // per node of the file, kNotInGltf outside the scene
  std::vector<GltfMeshOrigin> meshes{};        // per mesh of the model, as all below
  std::vector<GltfSkinOrigin> skins{};
  std::vector<GltfMorphOrigin> morphTargets{};
  std::vector<std::uint32_t> clips{}; // animations

  bool empty() const { return nodeByFileNode.empty(); }
};

} // namespace sinew
