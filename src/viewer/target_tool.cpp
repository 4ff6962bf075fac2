#include "viewer/target_tool.h"

#include "viewer/session.h"
#include "viewer/theme.h"
#include "viewer/tool_shapes.h"
#include "viewer/viewport.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <imgui/imgui.h>

#include <utility>

namespace sinew {
namespace {

constexpr float kMark = 9.0f;    // radius of a mark, at scale 1
constexpr float kArrow = 62.0f;  // length of the arrows
constexpr float kReach = 11.0f;  // of the mouse
constexpr float kMissed = 1e-3f; // of the model's size: what counts as reached

const Movement& movementOf(const Viewer& viewer) {
  return viewer.edit.history.now().movement;
}

bool shown(const Viewer& viewer) {
  return hasModel(viewer) && !viewer.crowd && viewer.ui.panels && viewer.ui.sideTab == kLayersTab &&
         !viewer.bench.posed && !ragdollActive(viewer) &&
         viewer.bench.memory.movement.layers.size() == movementOf(viewer).layers.size();
}

vec3 placeOf(const Viewer& viewer, std::uint32_t node) {
  return {viewer.bench.modelFromNode[node][3]};
}

// The marks of one layer, by what its state remembers of the last evaluation.
struct Collect {
  const Viewer& viewer;
  const LayerState& state;
  std::size_t layer;
  std::vector<TargetMark>& marks;

  void operator()(const TwoBoneLayer& kind) const {
    const auto* of = std::get_if<TwoBoneLayer::State>(&state.kind);
    if (of == nullptr) return;
    target(of->target.position, of->chain.tip, of->result.error);
    if (kind.usePole)
      marks.push_back({layer, true, kind.pole, placeOf(viewer, of->chain.middle), 0.0f});
  }
  void operator()(const ReachLayer&) const {
    const auto* of = std::get_if<ReachLayer::State>(&state.kind);
    if (of != nullptr) target(of->target.position, of->chain.back(), of->result.error);
  }
  void operator()(const LookAtLayer&) const {
    const auto* of = std::get_if<LookAtLayer::State>(&state.kind);
    if (of == nullptr) return;
    marks.push_back({layer, false, of->look.target, placeOf(viewer, of->look.chain.back()), 0.0f});
  }
  template <class Kind>
  void operator()(const Kind&) const {}

  void target(const vec3& place, std::uint32_t tip, float missed) const {
    marks.push_back({layer, false, place, placeOf(viewer, tip), missed});
  }
};

// What a drag of a mark changes; null where the layer has no such point.
vec3* pointOf(Layer& layer, bool pole) {
  vec3* point = nullptr;
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.pole; })
          if (pole) point = &kind.pole;
        if constexpr (requires { kind.target; })
          if (!pole) point = &kind.target.at;
      },
      layer.kind);
  return point;
}

bool isMissed(const Viewer& viewer, const TargetMark& mark) {
  return mark.missed > kMissed * viewer.orbit.framed.size();
}

bool chosen(const Viewer& viewer, const TargetMark& mark) {
  return viewer.ui.layer == mark.layer;
}

Gizmo gizmoOf(const TargetMark& mark, const View& view) {
  return gizmoAt(view, mark.place, mat3(1.0f), framePixels(kArrow));
}

// The mark under the mouse and the handle of it; the chosen layer's before others.
std::optional<TargetGrip> markAt(const Viewer& viewer, const View& view, vec2 mouse) {
  std::optional<TargetGrip> best;
  float nearest = framePixels(kReach);
  const std::vector<TargetMark> marks = targetMarks(viewer);
  for (const TargetMark& mark : marks) {
    const float distance = glm::distance(mouse, vec2(screenFromWorld(view, mark.place)));
    if (distance > nearest) continue;
    nearest = distance;
    best = {mark.layer, mark.pole, Grip::screen};
  }
  if (best) return best;
  for (const TargetMark& mark : marks) {
    if (!chosen(viewer, mark)) continue;
    const auto handle = pickArrow(gizmoOf(mark, view), view, mouse, framePixels(kReach) * 0.7f);
    if (handle) return TargetGrip{mark.layer, mark.pole, *handle};
  }
  return std::nullopt;
}

const TargetMark* find(const std::vector<TargetMark>& marks, const TargetGrip& grip) {
  for (const TargetMark& mark : marks)
    if (mark.layer == grip.layer && mark.pole == grip.pole) return &mark;
  return nullptr;
}

bool grab(Viewer& viewer, const View& view, vec2 mouse) {
  TargetTool& tool = viewer.edit.targets;
  const std::vector<TargetMark> marks = targetMarks(viewer);
  const TargetMark* mark = tool.under ? find(marks, *tool.under) : nullptr;
  vec3* point = mark == nullptr
                    ? nullptr
                    : pointOf(viewer.edit.history.live().movement.layers[mark->layer], mark->pole);
  if (point == nullptr) return false;
  viewer.ui.layer = mark->layer;
  tool.before = *point;
  tool.drag = startArrowDrag(gizmoOf(*mark, view), tool.under->handle, view, mouse);
  return true;
}

std::string readoutOf(const Viewer& viewer, const TargetMark* mark) {
  if (mark == nullptr) return {};
  const vec3& p = mark->place;
  std::string text = fmt::format("{:.3g}, {:.3g}, {:.3g}", p.x, p.y, p.z);
  if (isMissed(viewer, *mark)) text += fmt::format("; missed by {:.2g}", mark->missed);
  return text;
}

void drop(Viewer& viewer) {
  TargetTool& tool = viewer.edit.targets;
  const Movement& movement = movementOf(viewer);
  const bool there = tool.under && tool.under->layer < movement.layers.size();
  commitEdit(viewer, fmt::format("{} of {}", tool.under && tool.under->pole ? "Pole" : "Target",
                                 there ? movement.layers[tool.under->layer].name : "a layer"));
  tool.drag.reset();
  viewer.edit.tools.readout.clear();
}

void dragOn(Viewer& viewer, const View& view, vec2 mouse) {
  TargetTool& tool = viewer.edit.targets;
  std::vector<Layer>& layers = viewer.edit.history.live().movement.layers;
  vec3* point = tool.under->layer < layers.size()
                    ? pointOf(layers[tool.under->layer], tool.under->pole)
                    : nullptr;
  if (point == nullptr) return;
  dragArrow(*tool.drag, view, mouse);
  const vec3 wanted = tool.before + tool.drag->moved;
  if (glm::length(wanted) < kFar) *point = wanted; // false for what is not finite
}

} // namespace

std::vector<TargetMark> targetMarks(const Viewer& viewer) {
  std::vector<TargetMark> marks;
  if (!shown(viewer)) return marks;
  const Movement& movement = movementOf(viewer);
  const std::vector<LayerState>& states = viewer.bench.memory.movement.layers;
  for (std::size_t i = 0; i < movement.layers.size(); ++i)
    if (states[i].applied)
      std::visit(Collect{viewer, states[i], i, marks}, movement.layers[i].kind);
  return marks;
}

bool targetInput(Viewer& viewer, const Rect& picture, float pixelsPerUnit) {
  TargetTool& tool = viewer.edit.targets;
  if (!tool.drag && !shown(viewer)) {
    tool.under.reset();
    return std::exchange(tool.pressed, false);
  }
  const ImGuiIO& io = ImGui::GetIO();
  const vec2 pixel = mousePixel(picture, pixelsPerUnit);
  const bool taken = io.WantCaptureMouse || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  if (!tool.drag) {
    const auto point = viewPointAt(viewer, pixel);
    const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) || clicked) {
      tool.under.reset();
      if (point && !taken) {
        tool.view = point->view;
        tool.under = markAt(viewer, currentView(viewer, tool.view), point->pixel);
      }
    }
    if (clicked && tool.under)
      tool.pressed = grab(viewer, currentView(viewer, tool.view), point->pixel);
  }
  if (tool.drag) {
    if (io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f)
      dragOn(viewer, currentView(viewer, tool.view), pixelInView(viewer, tool.view, pixel));
    const std::vector<TargetMark> marks = targetMarks(viewer);
    if (tool.under) viewer.edit.tools.readout = readoutOf(viewer, find(marks, *tool.under));
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) drop(viewer);
  }
  // The release belongs to the target too: it is no click on a bone.
  const bool mine = tool.pressed || tool.under.has_value();
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) tool.pressed = false;
  return mine;
}

void drawTargets(Viewer& viewer, const View& view) {
  const TargetTool& tool = viewer.edit.targets;
  const float size = framePixels(1.0f);
  Overlay overlay;
  overlay.onTop = true;
  for (const TargetMark& mark : targetMarks(viewer)) {
    const bool held =
        tool.under && tool.under->layer == mark.layer && tool.under->pole == mark.pole;
    if (mark.pole || isMissed(viewer, mark))
      addDashes(overlay, view, mark.from, mark.place, 1.4f * size, mark.pole);
    if (chosen(viewer, mark))
      addArrows(overlay, gizmoOf(mark, view), view,
                {held ? std::optional(tool.under->handle) : std::nullopt, 1.6f * size, 0.0f, 0.0f});
    addTarget(overlay, mark.place, view, kMark * size, held, mark.pole);
  }
  if (!overlay.triangles.empty()) viewer.graphics->picture.renderer.draw(overlay);
}

} // namespace sinew
