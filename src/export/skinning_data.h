// A skinning method's data in a glTF file: attributes `_SINEW_*` of the vertices of skinned meshes,
// and what they are in `extras.sinew.skinning` of the nodes that show these (docs/engines.md).
#pragma once

#include "export/glb_mesh.h"
#include "rig/rig.h"
#include "skinning/binding.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew {

// A move of ordered JSON throws nothing, which clang-tidy does not see.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct SkinningData {
  const Rig* rig = nullptr; // rig of the model that is written
  const Binding* binding = nullptr;
  GltfJson stated = {}; // method, parameters, influences, zones: what makes the same binding again
};

// The attribute for an input of the method's shader: splineNormal0 is in _SINEW_SPLINE_NORMAL_0.
std::string skinningAttributeName(std::string_view input);

// Appends the attributes to those of a primitive. mesh: an index into the model's meshes. vertices:
// the mesh's vertex for each vertex of the primitive.
void addSkinningAttributes(const SkinningData& data, std::size_t mesh, const GlbVertices& vertices,
                           GlbBuffer& buffer, GltfJson& attributes);

// extras.sinew.skinning of a node that shows a mesh with these attributes. modelFromMesh: takes
// POSITION and NORMAL of the file to the bind pose of the palette.
GltfJson skinningJson(const SkinningData& data, const mat4& modelFromMesh);

// Puts it into a node; false where extras are no object.
bool stateSkinning(GltfJson skinning, GltfJson& node);

} // namespace sinew
