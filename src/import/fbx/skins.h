// The skin deformers of a mesh of an FBX file.
#pragma once

#include "import/fbx/nodes.h"
#include "model/mesh.h"

namespace sinew {

// A bone that deforms a mesh.
struct FbxCluster {
  std::uint32_t node = 0; // of the hierarchy
  // When they were bound; nothing where the file has none that can be used.
  std::optional<glm::dmat4> boneFromMesh; // of the mesh's node
  std::optional<glm::dmat4> sceneFromBone;
};

struct FbxSkin {
  std::vector<FbxCluster> clusters;
  std::vector<std::vector<Influence>> influences; // per control point; joints are clusters; tidy
};

// What skins hold that is not followed.
struct FbxSkinReport {
  std::size_t withoutBone = 0;    // clusters
  std::size_t additive = 0;       // clusters whose weights are not to be normalised
  std::size_t dualQuaternion = 0; // skins that are to be blended as dual quaternions
};

// All skins of a mesh together; without clusters where it has none. Throws FbxError where lists
// disagree.
FbxSkin readFbxSkin(const FbxDocument& document, const FbxNodes& nodes, std::uint32_t geometry,
                    std::size_t points, RepairLog& repairs, FbxSkinReport& report);

} // namespace sinew
