// What of a rigged model can be painted: the weights of its bones, or those of its free splines.
//
// A group of the surface is one skin: its meshes share joints and bind space. Rigid meshes are not
// painted; with splines, neither are meshes that follow none.
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
  std::uint32_t first = 0; // of Rig::joints
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

// What to paint for the joint at a node, or for a spline of the model; which: the one or the other,
// by the layer. A joint's parent inherits what its vertices lose.
PaintItem paintItem(const PaintLayer& layer, const Model& model, const Rig& rig,
                    std::uint32_t which);

// Whether any skin has it.
bool paintable(const PaintItem& item);

// Of the bones or splines that are `locked`: nodes, or splines of the model.
std::vector<bool> lockedItems(const PaintLayer& layer, const Model& model, const Rig& rig,
                              const std::vector<std::uint32_t>& locked);

// The one on the other side: the same where it belongs to both sides, none where there is none.
std::optional<std::uint32_t> mirrorPartner(const PaintLayer& layer, const Model& model,
                                           const MirrorMap& map, std::uint32_t which);

// The point of the surface on the other side of the model, within a radius of where it should be.
std::optional<SurfacePoint> mirroredPoint(const PaintLayer& layer, const MirrorMap& map,
                                          const vec3& position, float radius);

// The rig's weights, painted or not, into the meshes of the model that it was built from.
void takeWeights(Model& model, const Rig& rig);

// Per vertex of the rig the weight of the item: what a heat map shows.
std::vector<float> itemWeights(const PaintLayer& layer, const PaintItem& item,
                               const Influences& influences);

} // namespace sinew
