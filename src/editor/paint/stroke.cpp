#include "editor/paint/stroke.h"

#include "editor/bind/laid_splines.h"
#include "editor/paint/velocity_paint.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

PaintedWeights& liveWeights(Document& document, PaintState& paint) {
  PaintedRig& live = document.history.live().weights;
  const PaintedRig& own = ownWeights(document, paint);
  PaintedWeights PaintedRig::*part = &PaintedRig::bones;
  if (paint.choices.splines) part = &PaintedRig::splines;
  if (paint.choices.velocity) part = &PaintedRig::strength;
  if ((live.*part).empty()) live.*part = own.*part;
  return live.*part;
}

// Stamps the brush there, and its mirror image.
void stamp(Document& document, PoseEditing& posing, PaintState& paint, const SurfaceHit& hit) {
  PaintStroke& stroke = *paint.stroke;
  const PaintLayer& layer = paintLayer(document, paint);
  const auto center =
      surfacePoint(layer.surface, document.workbench.rig.triangles[hit.triangle], hit.shares);
  if (!center) return;
  std::vector<BrushStamp> stamps{{*center, stroke.item, stroke.shares}};
  if (stroke.mirrored)
    if (const auto other = mirroredPoint(layer, getMirror(document, posing), center->position,
                                         stroke.brush.radius))
      stamps.push_back({*other, *stroke.mirrored, stroke.mirroredShares});
  sinew::paint(liveWeights(document, paint), layer.surface, stroke.brush, stroke.rules, stamps);
}

// The colour's shares, and those of the other sides of its splines. Taking away leaves all of them
// none.
void takeColor(Document& document, PoseEditing& posing, PaintState& paint, PaintStroke& stroke) {
  if (stroke.brush.mode == BrushMode::smooth) return; // smoothing is for a single spline
  const PaintChoices& choices = paint.choices;
  const Workbench& workbench = document.workbench;
  const PaintLayer& layer = paintLayer(document, paint);
  const vec3 color = stroke.brush.mode == BrushMode::subtract ? vec3(0.0f) : choices.color;
  stroke.brush.mode = BrushMode::mix;
  stroke.shares = splitShares(layer, workbench.rig, choices.trio, color);
  if (!stroke.mirrored) return;
  std::array<std::uint32_t, 3> others = choices.trio;
  for (std::uint32_t& each : others)
    if (each != kNoEntry)
      each =
          mirrorPartner(layer, workbench.model, getMirror(document, posing), each).value_or(each);
  stroke.mirroredShares = splitShares(layer, workbench.rig, others, color);
}

// What a stroke paints; none, and a message, where nothing can be.
std::optional<PaintStroke> makeStroke(Document& document, PoseEditing& posing, PaintState& paint,
                                      BrushMode mode) {
  const PaintChoices& choices = paint.choices;
  const Workbench& workbench = document.workbench;
  const PaintLayer& layer = paintLayer(document, paint);
  if (choices.velocity) {
    PaintStroke stroke{.brush = choices.brush, .item = strengthItem()};
    stroke.brush.mode = mode;
    if (choices.mirror) stroke.mirrored = stroke.item;
    return stroke;
  }
  const auto target = paintTarget(document, paint);
  if (!target) {
    notify(document, "select the joint to paint: in the list, or Alt and a click on a bone");
    return std::nullopt;
  }
  if (!choices.splines && laidSplineAt(document, *target)) {
    notify(document, fmt::format("{} is a control point of a spline: paint the spline (Shift+Q)",
                                 paintTargetName(document, paint)));
    return std::nullopt;
  }
  PaintStroke stroke{.brush = choices.brush};
  stroke.brush.mode = mode;
  stroke.item = paintItem(layer, workbench.rig, *target);
  if (!paintable(stroke.item)) {
    notify(document, fmt::format("no skin is bound to {}", paintTargetName(document, paint)));
    return std::nullopt;
  }
  stroke.rules.maxInfluences = static_cast<std::uint32_t>(choices.maxInfluences);
  stroke.rules.locked = lockedItems(layer, workbench.rig,
                                    choices.splines ? choices.lockedSplines : choices.lockedBones);
  if (std::ranges::any_of(stroke.item.item,
                          [&](std::uint32_t i) { return stroke.rules.isLocked(i); }))
    notify(document, fmt::format("{} is locked", paintTargetName(document, paint)));
  if (choices.mirror) {
    if (const auto partner =
            mirrorPartner(layer, workbench.model, getMirror(document, posing), *target))
      stroke.mirrored = paintItem(layer, workbench.rig, *partner);
    else
      notify(document, fmt::format("{} has no other side", paintTargetName(document, paint)));
  }
  if (paintingColors(document, paint)) takeColor(document, posing, paint, stroke);
  return stroke;
}

} // namespace

bool sameView(const View& a, const View& b) {
  return a.camera.target == b.camera.target && a.camera.yaw == b.camera.yaw &&
         a.camera.pitch == b.camera.pitch && a.camera.distance == b.camera.distance &&
         a.camera.fovY == b.camera.fovY && a.camera.projection == b.camera.projection &&
         a.viewport.width == b.viewport.width && a.viewport.height == b.viewport.height;
}

const PaintPick& paintSurface(const Document& document, PaintState& paint, std::size_t index,
                              const View& view) {
  const Workbench& workbench = document.workbench;
  const bool posed = paint.pick && paint.pick->view == index &&
                     paint.pick->modelFromNode == workbench.modelFromNode &&
                     paint.pick->morphs == workbench.pose.morphWeights &&
                     paint.pick->drivers == document.applied.edit.drivers &&
                     (paint.pick->version == paint.version || paint.stroke);
  if (!posed) {
    paint.pick.emplace();
    paint.pick->modelFromNode = workbench.modelFromNode;
    paint.pick->view = index;
    paint.pick->version = paint.version;
    paint.pick->morphs = workbench.pose.morphWeights;
    paint.pick->drivers = document.applied.edit.drivers;
    paint.pick->posed = skinOnCpu(workbench, workbench.bound[index]).positions;
  }
  PaintPick& pick = *paint.pick;
  if (!posed || !sameView(pick.seen, view)) {
    pick.seen = view;
    pick.grid = PickGrid(view, pick.posed, workbench.rig.triangles);
  }
  return pick;
}

float posedScale(const Workbench& workbench, const SurfaceHit& hit) {
  const std::uint32_t vertex = workbench.rig.triangles[hit.triangle][0];
  const RigJoint& joint = workbench.rig.joints[workbench.rig.influences.of(vertex)[0].joint];
  const mat4 m = workbench.modelFromNode[joint.node] * joint.jointFromBind;
  const float scale = std::cbrt(std::abs(glm::determinant(mat3(m))));
  return scale > 0.0f ? scale : 1.0f;
}

void startStroke(Document& document, PoseEditing& posing, PaintState& paint, std::size_t index,
                 vec2 pixel, BrushMode mode) {
  document.settings.playing = false;
  document.views.active = index;
  paint.cost = {};
  paint.stroke = makeStroke(document, posing, paint, mode);
  if (!paint.stroke) return;
  paint.stroke->view = index;
  paint.stroke->last = pixel;
  stamp(document, posing, paint, *paint.hover);
}

void continueStroke(Document& document, PoseEditing& posing, PaintState& paint, const View& view,
                    vec2 pixel) {
  PaintStroke& stroke = *paint.stroke;
  const PaintPick& pick = paintSurface(document, paint, stroke.view, view);
  const auto under = pick.grid.at(pixel);
  if (under) paint.hover = under;
  if (pixel == stroke.last || !paint.hover) return;
  const float radius = stroke.brush.radius * posedScale(document.workbench, *paint.hover);
  const float spacing =
      std::max(kStampSpacing * radius / unitsPerPixel(pick.seen, paint.hover->position), 1.0f);
  for (const vec2 at : stampsBetween(stroke.last, pixel, spacing, stroke.carried))
    if (const auto hit = pick.grid.at(at)) stamp(document, posing, paint, *hit);
  stroke.last = pixel;
}

void endStroke(Document& document, PaintState& paint) {
  if (!paint.stroke) return;
  static constexpr const char* kDone[] = {"Paint", "Subtract", "Smooth", "Replace", "Colour"};
  const auto mode = static_cast<std::size_t>(paint.stroke->brush.mode);
  paint.stroke.reset();
  commitEdit(document, fmt::format("{} {}", kDone[mode], paintTargetName(document, paint)));
}

} // namespace sinew
