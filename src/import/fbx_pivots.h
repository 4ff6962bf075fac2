// FBX places a node by a product of up to ten factors; Assimp keeps that product as a chain of
// helper nodes "NAME_$AssimpFbx$_PreRotation" and so on. Here a chain becomes one node again.
//
//   local = T(translation) T(rotationOffset) T(rotationPivot) pre R(rotation) post
//   T(-rotationPivot)
//           T(scalingOffset) T(scalingPivot) S(scale) T(-scalingPivot)
//
// (FBX SDK, "Computing transformation matrices".) Scale is innermost, so the product is always
// a translation, a rotation and a scale: rotation and scale keys carry over exactly, and only the
// translation becomes curved in time, where a pivot is off the node's origin.
#pragma once

#include "model/clip.h"

#include <assimp/scene.h>

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct FbxPivots {
  vec3 translation{0.0f};
  vec3 before{0.0f}; // rotationOffset + rotationPivot
  quat pre{1, 0, 0, 0};
  quat rotation{1, 0, 0, 0};
  quat post{1, 0, 0, 0}; // as in the product: the inverse of the file's PostRotation
  vec3 between{0.0f};    // scalingOffset + scalingPivot - rotationPivot
  vec3 scalingPivot{0.0f};
  vec3 scale{1.0f};
};

// The whole product as one transform.
Transform localTransform(const FbxPivots& pivots, const vec3& translation, const quat& rotation,
                         const vec3& scale);

// A chain of helper nodes: what it means and where it ends.
struct PivotChain {
  std::string name; // of the real node
  FbxPivots pivots;
  std::vector<const aiNode*> nodes;   // all of the chain, helpers and the real node
  mat4 nodeFromGeometry{1.0f};        // moves the node's meshes but not its children
  const aiNode* childrenOf = nullptr; // the parent of the real children
};

bool isPivotNode(std::string_view name);

// `first` is a pivot node whose parent is not one of the same chain.
PivotChain readPivotChain(const aiNode& first);

// The names under which Assimp animates parts of the node `name`.
std::string pivotChannelName(std::string_view name, std::string_view part);

// The chain's keys as keys of one node. Empty tracks keep the chain's own value. The translation is
// resampled where it is curved, so that it is off by at most `tolerance` between keys.
Channel bakePivots(const FbxPivots& pivots, const Channel& parts, float tolerance);

} // namespace sinew
