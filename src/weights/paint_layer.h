// The paintable weights of a rigged model: those of its bones, or those of its free splines.
//
// A group of the surface is one skin: its meshes share joints and bind space. Rigid meshes are not
// painted; with splines, neither are meshes without spline weights.
#pragma once

#include "animation/mirror.h"
#include "model/model.h"
#include "rig/rig.h"
#include "weights/paint.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinew {

struct JointRange {
  std::uint32_t first = 0; // index into Rig::joints
  std::uint32_t count = 0;
};

struct PaintLayer {
  bool splines = false;
  std::vector<JointRange> groups;
  PaintSurface surface;
};

// rig: buildRig(model).
PaintLayer boneLayer(const Model& model, const Rig& rig);
PaintLayer splineLayer(const Model& model, const Rig& rig);

// The item of a joint, or of a spline of the model; which: a node or a spline's index, by the
// layer. The fallback is the joint's parent, or a rigid spline that stands for the vertex's bones.
PaintItem paintItem(const PaintLayer& layer, const Rig& rig, std::uint32_t which);

// Whether any skin has the item.
bool paintable(const PaintItem& item);

// Per item of the rig whether it is locked. locked: nodes, or splines of the model.
std::vector<bool> lockedItems(const PaintLayer& layer, const Rig& rig,
                              const std::vector<std::uint32_t>& locked);

// The counterpart on the other side: itself where it belongs to both sides, or none.
std::optional<std::uint32_t> mirrorPartner(const PaintLayer& layer, const Model& model,
                                           const MirrorMap& map, std::uint32_t which);

// The mirrored point of the surface, within a radius of the exact mirror image.
std::optional<SurfacePoint> mirroredPoint(const PaintLayer& layer, const MirrorMap& map,
                                          const vec3& position, float radius);

// Copies the rig's weights to the meshes of the model that it was built from.
void takeWeights(Model& model, const Rig& rig);

// Per vertex of the rig the weight of the item, for a heat map.
std::vector<float> itemWeights(const PaintLayer& layer, const PaintItem& item,
                               const Influences& influences);

} // namespace sinew
