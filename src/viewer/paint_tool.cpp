#include "viewer/paint_tool.h"

#include "viewer/bind.h"
#include "viewer/session.h"
#include "viewer/theme.h"
#include "viewer/tool_shapes.h"
#include "viewer/viewport.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <imgui/imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

struct BrushMouse {
  vec2 pixel{0.0f}; // from the view's upper left
  std::size_t view = 0;
};

bool sameView(const View& a, const View& b) {
  return a.camera.target == b.camera.target && a.camera.yaw == b.camera.yaw &&
         a.camera.pitch == b.camera.pitch && a.camera.distance == b.camera.distance &&
         a.camera.fovY == b.camera.fovY && a.viewport.width == b.viewport.width &&
         a.viewport.height == b.viewport.height;
}

// The posed surface of a view, made anew where pose, camera or weights have changed. A stroke goes
// on over the surface it began on, or what it does would move the brush.
const PaintPick& pickOf(Viewer& viewer, std::size_t index) {
  PaintState& paint = viewer.edit.paint;
  const Workbench& bench = viewer.bench;
  const View view = currentView(viewer, index);
  const bool posed = paint.pick && paint.pick->view == index &&
                     paint.pick->modelFromNode == bench.modelFromNode &&
                     (paint.pick->version == paint.version || paint.stroke);
  if (!posed) {
    paint.pick.emplace();
    paint.pick->modelFromNode = bench.modelFromNode;
    paint.pick->view = index;
    paint.pick->version = paint.version;
    paint.pick->posed = skinOnCpu(bench, bench.bound[index]).positions;
  }
  PaintPick& pick = *paint.pick;
  if (!posed || !sameView(pick.seen, view)) {
    pick.seen = view;
    pick.grid = PickGrid(view, pick.posed, bench.rig.triangles);
  }
  return pick;
}

// How much larger the posed model is than in bind space: by the joint that moves the place most.
float posedScale(const Workbench& bench, const SurfaceHit& hit) {
  const std::uint32_t vertex = bench.rig.triangles[hit.triangle][0];
  const RigJoint& joint = bench.rig.joints[bench.rig.influences.of(vertex)[0].joint];
  const mat4 m = bench.modelFromNode[joint.node] * joint.jointFromBind;
  const float scale = std::cbrt(std::abs(glm::determinant(mat3(m))));
  return scale > 0.0f ? scale : 1.0f;
}

PaintedWeights& liveWeights(Viewer& viewer) {
  PaintedRig& live = viewer.edit.history.live().weights;
  if (live.bones.empty()) live = ownWeights(viewer);
  return viewer.edit.paint.choices.splines ? live.splines : live.bones;
}

void putDown(Viewer& viewer, const SurfaceHit& hit) {
  PaintStroke& stroke = *viewer.edit.paint.stroke;
  const PaintLayer& layer = paintLayer(viewer);
  const auto center =
      surfacePoint(layer.surface, viewer.bench.rig.triangles[hit.triangle], hit.shares);
  if (!center) return;
  std::vector<Dab> dabs{{*center, stroke.item}};
  if (stroke.mirrored)
    if (const auto other =
            mirroredPoint(layer, mirrorOf(viewer), center->position, stroke.brush.radius))
      dabs.push_back({*other, *stroke.mirrored});
  paint(liveWeights(viewer), layer.surface, stroke.brush, stroke.rules, dabs);
}

BrushMode modeOf(const Brush& brush, const ImGuiIO& io) {
  return io.KeyShift ? BrushMode::smooth : io.KeyCtrl ? BrushMode::subtract : brush.mode;
}

// What a stroke paints; none, and a word about it, where nothing can be.
std::optional<PaintStroke> strokeOf(Viewer& viewer, const BrushMouse& mouse) {
  const PaintChoices& choices = viewer.edit.paint.choices;
  const Workbench& bench = viewer.bench;
  const PaintLayer& layer = paintLayer(viewer);
  const auto target = paintTarget(viewer);
  if (!target) {
    toast(viewer, "select the joint to paint: in the list, or Alt and a click on a bone");
    return std::nullopt;
  }
  PaintStroke stroke{.view = mouse.view, .last = mouse.pixel, .brush = choices.brush};
  stroke.brush.mode = modeOf(choices.brush, ImGui::GetIO());
  stroke.item = paintItem(layer, bench.model, bench.rig, *target);
  if (!paintable(stroke.item)) {
    toast(viewer, fmt::format("no skin is bound to {}", paintTargetName(viewer)));
    return std::nullopt;
  }
  stroke.rules.most = static_cast<std::uint32_t>(choices.most);
  stroke.rules.locked = lockedItems(layer, bench.model, bench.rig,
                                    choices.splines ? choices.lockedSplines : choices.lockedBones);
  if (std::ranges::any_of(stroke.item.item,
                          [&](std::uint32_t i) { return stroke.rules.isLocked(i); }))
    toast(viewer, fmt::format("{} is locked", paintTargetName(viewer)));
  if (!choices.mirror) return stroke;
  if (const auto partner = mirrorPartner(layer, bench.model, mirrorOf(viewer), *target))
    stroke.mirrored = paintItem(layer, bench.model, bench.rig, *partner);
  else
    toast(viewer, fmt::format("{} has no other side", paintTargetName(viewer)));
  return stroke;
}

void startStroke(Viewer& viewer, const BrushMouse& mouse, const SurfaceHit& hit) {
  PaintState& paint = viewer.edit.paint;
  viewer.settings.playing = false;
  viewer.views.active = mouse.view;
  paint.cost = {};
  paint.stroke = strokeOf(viewer, mouse);
  paint.pressed = true;
  if (paint.stroke) putDown(viewer, hit);
}

void continueStroke(Viewer& viewer, vec2 pixel) {
  PaintState& paint = viewer.edit.paint;
  PaintStroke& stroke = *paint.stroke;
  const PaintPick& pick = pickOf(viewer, stroke.view);
  const auto under = pick.grid.at(pixel);
  if (under) paint.hover = under;
  if (pixel == stroke.last || !paint.hover) return;
  const float radius = stroke.brush.radius * posedScale(viewer.bench, *paint.hover);
  const float spacing =
      std::max(kDabSpacing * radius / unitsPerPixel(pick.seen, paint.hover->position), 1.0f);
  for (const vec2 at : dabsBetween(stroke.last, pixel, spacing, stroke.carried))
    if (const auto hit = pick.grid.at(at)) putDown(viewer, *hit);
  stroke.last = pixel;
}

void endStroke(Viewer& viewer) {
  PaintState& paint = viewer.edit.paint;
  if (!paint.stroke) return;
  static constexpr const char* kDone[] = {"Paint", "Take away", "Smooth", "Replace"};
  const auto mode = static_cast<std::size_t>(paint.stroke->brush.mode);
  paint.stroke.reset();
  commitEdit(viewer, fmt::format("{} {}", kDone[mode], paintTargetName(viewer)));
}

} // namespace

bool painting(const Viewer& viewer) {
  return viewer.edit.tools.tool == Tool::paint && hasModel(viewer) && !viewer.crowd &&
         !drafting(viewer);
}

const PaintLayer& paintLayer(Viewer& viewer) {
  PaintState& paint = viewer.edit.paint;
  const Workbench& bench = viewer.bench;
  if (paint.choices.splines) {
    if (!paint.splines) paint.splines = splineLayer(bench.model, bench.rig);
    return *paint.splines;
  }
  if (!paint.bones) paint.bones = boneLayer(bench.model, bench.rig);
  return *paint.bones;
}

std::optional<std::uint32_t> paintTarget(const Viewer& viewer) {
  const PaintChoices& choices = viewer.edit.paint.choices;
  return choices.splines ? std::optional(choices.spline) : viewer.selected;
}

std::string paintTargetName(const Viewer& viewer) {
  const PaintChoices& choices = viewer.edit.paint.choices;
  const Model& model = viewer.bench.model;
  if (choices.splines) return model.splines[choices.spline].name;
  return viewer.selected ? model.hierarchy.nodes[*viewer.selected].name : std::string();
}

bool paintInput(Viewer& viewer, const Rect& picture, float pixelsPerUnit) {
  PaintState& paint = viewer.edit.paint;
  const ImGuiIO& io = ImGui::GetIO();
  const bool mine = paint.pressed;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) paint.pressed = false;
  if (!painting(viewer)) {
    endStroke(viewer);
    paint.hover.reset();
    return mine;
  }
  const Clock::time_point start = Clock::now();
  const vec2 pixel = mousePixel(picture, pixelsPerUnit);
  if (paint.stroke) {
    continueStroke(viewer, pixelInView(viewer, paint.stroke->view, pixel));
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) endStroke(viewer);
    const std::chrono::duration<double, std::milli> spent = Clock::now() - start;
    paint.cost.brush = std::max(paint.cost.brush, spent.count());
    return true;
  }
  const bool taken = io.WantCaptureMouse || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  const auto point = viewPointAt(viewer, pixel);
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  const bool busy = !clicked && (ImGui::IsMouseDown(ImGuiMouseButton_Left) ||
                                 ImGui::IsMouseDown(ImGuiMouseButton_Middle) ||
                                 ImGui::IsMouseDown(ImGuiMouseButton_Right));
  paint.hover.reset();
  if (taken || !point || busy || viewer.bench.rig.triangles.empty()) return mine;
  paint.hover = pickOf(viewer, point->view).grid.at(point->pixel);
  if (!paint.hover || !clicked || io.KeyAlt) return mine;
  startStroke(viewer, {point->pixel, point->view}, *paint.hover);
  return true;
}

void drawBrush(Viewer& viewer, const View& view) {
  PaintState& paint = viewer.edit.paint;
  if (!painting(viewer) || !paint.hover || !paint.pick) return;
  const View& seen = paint.pick->seen;
  if (!sameView(seen, view)) return; // another view's size, or the camera has moved since
  const SurfaceHit& hit = *paint.hover;
  const float radius = paint.choices.brush.radius * posedScale(viewer.bench, hit);
  const Triangle& corners = viewer.bench.rig.triangles[hit.triangle];
  const std::vector<vec3>& posed = paint.pick->posed;
  vec3 normal =
      glm::cross(posed[corners[1]] - posed[corners[0]], posed[corners[2]] - posed[corners[0]]);
  if (!(glm::length(normal) > 0.0f)) normal = eyePosition(view.camera) - hit.position;
  normal = glm::normalize(normal);
  const vec3 u =
      glm::normalize(glm::cross(normal, std::abs(normal.y) < 0.9f ? vec3(0, 1, 0) : vec3(1, 0, 0)));
  const vec3 v = glm::cross(normal, u);
  // Each point of the circle lies on the surface where there is some behind or before it.
  const auto rim = [&](int i) {
    const float angle = 6.28318530718f * static_cast<float>(i) / 64.0f;
    const vec3 flat = hit.position + radius * (std::cos(angle) * u + std::sin(angle) * v);
    const auto on = paint.pick->grid.at(vec2(screenFromWorld(seen, flat)));
    return on && glm::length(on->position - flat) < 0.5f * radius ? on->position : flat;
  };
  const ImGuiIO& io = ImGui::GetIO();
  static constexpr glm::u8vec4 kModes[] = {
      {255, 255, 255, 255}, {255, 120, 100, 255}, {120, 255, 160, 255}, {255, 226, 84, 255}};
  const Brush& brush = paint.stroke ? paint.stroke->brush : paint.choices.brush;
  const BrushMode mode = paint.stroke ? brush.mode : modeOf(brush, io);
  const float pixels = framePixels(2.0f);
  Overlay overlay;
  overlay.onTop = true;
  vec3 last = rim(0);
  for (int i = 1; i <= 64; ++i) {
    const vec3 next = rim(i);
    addBand(overlay, view, last, next, 2.2f * pixels, {10, 12, 16, 150});
    addBand(overlay, view, last, next, pixels, kModes[static_cast<int>(mode)]);
    last = next;
  }
  viewer.graphics->picture.renderer.draw(overlay);
}

bool paintKey(Viewer& viewer, const std::string& chord) {
  if (!painting(viewer) || (chord != "[" && chord != "]")) return false;
  float& radius = viewer.edit.paint.choices.brush.radius;
  const float size = boundsOf(viewer.bench.rig.positions).size();
  radius = std::clamp(radius * (chord == "]" ? 1.15f : 1.0f / 1.15f), 0.001f * size, 0.5f * size);
  return true;
}

} // namespace sinew
