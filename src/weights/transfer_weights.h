// Weights of one mesh for another: body to clothes, an old topology to a new one (Abdrashitov,
// Raichstat, Monsen and Hill, "Robust Skin Weights Transfer via Weight Inpainting", SIGGRAPH Asia
// 2023, technical communications).
//
// A vertex is matched where the closest point of the source is near and its normal agrees; it takes
// the weights there. The weights w of all other vertices are inpainted: of one joint they minimise
//   w^T (C + C M^-1 C) w,   C: cotangent stiffness, M: areas of a surface of size 1,
// with matched vertices fixed. They are smooth where they meet those, and nothing passes between
// parts that are not connected.
#pragma once

#include "core/progress.h"
#include "model/mesh.h"
#include "weights/pruning.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// The point of the source for a vertex of the target: the closest point in space, the point at the
// same texture coordinates, or the vertex of the same number. The last two match all vertices.
enum class TransferBy { surface, texture, order };

struct TransferOptions {
  TransferBy by = TransferBy::surface;
  float distance = 0.05f; // largest distance of the closest point, share of the target's diagonal
  float angle = 30.0f;    // largest angle between the normals, degrees
  bool flipped = true;    // a normal that points the other way agrees too
  std::uint32_t influences = 4; // the largest per vertex; 0: all
  Pruning pruning = Pruning::faded;
  // Steps of smoothing (transfer_smoothing.h) after the transfer: of vertices that are not matched
  // and what is connected to them within `distance`, or of all.
  std::uint32_t smoothing = 0;
  bool smoothAll = false;
};

// A mesh in model space.
struct TransferMesh {
  std::span<const vec3> positions;
  std::span<const Triangle> triangles;
  std::span<const vec2> texcoords = {}; // one per position, for TransferBy::texture
};

enum class TransferOrigin : std::uint8_t {
  matched,
  inpainted,
  nearest, // the closest point of all: no vertex of its connected part is matched
};

struct TransferredWeights {
  Influences influences;               // per vertex of the target, as automaticWeights() has them
  std::vector<TransferOrigin> origins; // per vertex
  float largestCut = 0.0f;             // weight that pruning moved at a vertex, of 1
};

// weights: of the source's vertices, each with at least one; joints are numbered from 0 to
// `joints` - 1. Both meshes have a triangle with an area, and by order as many vertices. Throws
// Cancelled, and Error where the system cannot be factorised.
TransferredWeights transferWeights(const TransferMesh& source, const Influences& weights,
                                   std::size_t joints, const TransferMesh& target,
                                   const TransferOptions& options, const Progress& progress = {});

} // namespace sinew
