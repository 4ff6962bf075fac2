// The skin deformers of a mesh of an FBX file.
#pragma once

#include "import/fbx/nodes.h"
#include "model/mesh.h"

namespace sinew {

// A bone that deforms a mesh.
struct FbxCluster {
  std::uint32_t node = 0; // index into FbxNodes::hierarchy
  // Matrices at binding; nothing where the file has none that can be used.
  std::optional<glm::dmat4> boneFromMesh; // from the space of the mesh's node
  std::optional<glm::dmat4> sceneFromBone;
};

struct FbxSkin {
  std::vector<FbxCluster> clusters;
  // Per control point; joints are clusters, and after them the mesh's own node; tidy.
  std::vector<std::vector<Influence>> influences;
  // Per control point: how much of it dual quaternions have; the rest is linear blending's.
  std::vector<float> dualQuaternionShares;
};

// What skins hold that is not followed.
struct FbxSkinReport {
  std::size_t withoutBone = 0;     // clusters
  std::size_t additiveProduct = 0; // points that several additive clusters move one after another
  std::size_t overfull = 0;        // points whose weights are not to be normalised and exceed 1
  std::size_t associated = 0;      // clusters that move relative to another node than the mesh's
  std::size_t rigid = 0;           // skins of which each point follows one bone
};

// All skins of a mesh together, by the link mode of each one's first cluster: weights are divided
// by their sum (Normalize), or what they lack of 1 is the mesh's own (Total1, Additive). Without
// clusters where it has none. Throws FbxError where lists disagree.
FbxSkin readFbxSkin(const FbxDocument& document, const FbxNodes& nodes, std::uint32_t geometry,
                    std::size_t points, RepairLog& repairs, FbxSkinReport& report);

} // namespace sinew
