// The targets of layers in the view: what inverse kinematics reaches for, what a head looks at, and
// what an elbow points to. Each is a mark that is dragged, on the screen's plane or, for the layer
// chosen in its panel, along an axis.
#include "editor/session.h"
#include "viewer/state/view_layout.h"
#include "viewer/tools/tool_shapes.h"
#include "viewer/tools/tools.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <imgui/imgui.h>

#include <utility>

namespace sinew {
namespace {

constexpr float kMark = 9.0f;       // radius of a mark, at scale 1
constexpr float kArrow = 62.0f;     // length of the arrows
constexpr float kMarkReach = 11.0f; // the mouse's reach, pixels
constexpr float kMissed = 1e-3f;    // share of the model's size that counts as reached

const LayerStack& getLayerStack(const Document& document) {
  return document.history.now().layerStack;
}

bool shown(const Document& document, const RagdollPlay& play, const Ui& ui) {
  return hasModel(document) && !document.crowd && ui.panels && ui.tab == SideTab::layers &&
         !document.workbench.posed && !ragdollActive(play) &&
         document.workbench.memory.layerStack.layers.size() ==
             getLayerStack(document).layers.size();
}

vec3 getPosition(const Document& document, std::uint32_t node) {
  return {document.workbench.modelFromNode[node][3]};
}

struct TargetMark {
  std::size_t layer = 0; // index of a layer in the stack
  bool pole = false;     // what the middle joint points to; else what the tip is to reach
  vec3 place{0.0f};      // model space, formulas of the moment included
  vec3 from{0.0f};       // the joint it is for, as posed
  float missed = 0.0f;   // by a joint that is to be there, at weight 1
};

// The marks of one layer, by what its state remembers of the last evaluation.
struct Collect {
  const Document& document;
  const LayerState& state;
  std::size_t layer;
  std::vector<TargetMark>& marks;

  void operator()(const TwoBoneIkLayer& kind) const {
    const auto* of = std::get_if<TwoBoneIkLayer::State>(&state.kind);
    if (of == nullptr) return;
    target(of->target.position, of->chain.tip, of->result.error);
    if (kind.usePole)
      marks.push_back({layer, true, kind.pole, getPosition(document, of->chain.middle), 0.0f});
  }
  void operator()(const CcdLayer&) const {
    const auto* of = std::get_if<CcdLayer::State>(&state.kind);
    if (of != nullptr) target(of->target.position, of->chain.back(), of->result.error);
  }
  void operator()(const AimLayer&) const {
    const auto* of = std::get_if<AimLayer::State>(&state.kind);
    if (of == nullptr) return;
    marks.push_back(
        {layer, false, of->aim.target, getPosition(document, of->aim.chain.back()), 0.0f});
  }
  template <class Kind>
  void operator()(const Kind&) const {}

  void target(const vec3& place, std::uint32_t tip, float missed) const {
    marks.push_back({layer, false, place, getPosition(document, tip), missed});
  }
};

// Targets of layers that work now; none while their tab is not in front, or layers are not played.
std::vector<TargetMark> targetMarks(const Document& document, const RagdollPlay& play,
                                    const Ui& ui) {
  std::vector<TargetMark> marks;
  if (!shown(document, play, ui)) return marks;
  const LayerStack& layerStack = getLayerStack(document);
  const std::vector<LayerState>& states = document.workbench.memory.layerStack.layers;
  for (std::size_t i = 0; i < layerStack.layers.size(); ++i)
    if (states[i].applied)
      std::visit(Collect{document, states[i], i, marks}, layerStack.layers[i].kind);
  return marks;
}

// What a drag of a mark changes; null where the layer has no such point.
vec3* findPoint(Layer& layer, bool pole) {
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

bool isMissed(const Document& document, const TargetMark& mark) {
  return mark.missed > kMissed * document.orbit.framed.size();
}

bool chosen(const Document& document, const TargetMark& mark) {
  return document.layer == mark.layer;
}

Gizmo makeGizmo(const TargetMark& mark, const View& view) {
  return gizmoAt(view, mark.place, mat3(1.0f), framePixels(kArrow));
}

// The mark under the mouse and the handle of it; the chosen layer's before others.
std::optional<TargetGrip> markAt(const Document& document, const RagdollPlay& play, const Ui& ui,
                                 const View& view, vec2 mouse) {
  std::optional<TargetGrip> best;
  float nearest = framePixels(kMarkReach);
  const std::vector<TargetMark> marks = targetMarks(document, play, ui);
  for (const TargetMark& mark : marks) {
    const float distance = glm::distance(mouse, vec2(screenFromWorld(view, mark.place)));
    if (distance > nearest) continue;
    nearest = distance;
    best = {mark.layer, mark.pole, Grip::screen};
  }
  if (best) return best;
  for (const TargetMark& mark : marks) {
    if (!chosen(document, mark)) continue;
    const auto handle =
        pickArrow(makeGizmo(mark, view), view, mouse, framePixels(kMarkReach) * 0.7f);
    if (handle) return TargetGrip{mark.layer, mark.pole, *handle};
  }
  return std::nullopt;
}

const TargetMark* find(const std::vector<TargetMark>& marks, const TargetGrip& grip) {
  for (const TargetMark& mark : marks)
    if (mark.layer == grip.layer && mark.pole == grip.pole) return &mark;
  return nullptr;
}

bool grab(Document& document, const RagdollPlay& play, const Ui& ui, ToolState& tools,
          const View& view, vec2 mouse) {
  TargetTool& tool = tools.targets;
  const std::vector<TargetMark> marks = targetMarks(document, play, ui);
  const TargetMark* mark = tool.under ? find(marks, *tool.under) : nullptr;
  vec3* point = mark == nullptr
                    ? nullptr
                    : findPoint(document.history.live().layerStack.layers[mark->layer], mark->pole);
  if (point == nullptr) return false;
  document.layer = mark->layer;
  tool.before = *point;
  tool.drag = startArrowDrag(makeGizmo(*mark, view), tool.under->handle, view, mouse);
  return true;
}

std::string writeReadout(const Document& document, const TargetMark* mark) {
  if (mark == nullptr) return {};
  const vec3& p = mark->place;
  std::string text = fmt::format("{:.3g}, {:.3g}, {:.3g}", p.x, p.y, p.z);
  if (isMissed(document, *mark)) text += fmt::format("; missed by {:.2g}", mark->missed);
  return text;
}

void dropTarget(Document& document, ToolState& tools) {
  TargetTool& tool = tools.targets;
  const LayerStack& layerStack = getLayerStack(document);
  const bool there = tool.under && tool.under->layer < layerStack.layers.size();
  commitEdit(document, fmt::format("{} of {}", tool.under && tool.under->pole ? "Pole" : "Target",
                                   there ? layerStack.layers[tool.under->layer].name : "a layer"));
  tool.drag.reset();
  tools.readout.clear();
}

void dragOn(Document& document, ToolState& tools, const View& view, vec2 mouse) {
  TargetTool& tool = tools.targets;
  std::vector<Layer>& layers = document.history.live().layerStack.layers;
  vec3* point = tool.under->layer < layers.size()
                    ? findPoint(layers[tool.under->layer], tool.under->pole)
                    : nullptr;
  if (point == nullptr) return;
  dragArrow(*tool.drag, view, mouse);
  const vec3 wanted = tool.before + tool.drag->moved;
  if (glm::length(wanted) < kFar) *point = wanted; // false for what is not finite
}

} // namespace

bool targetInput(Document& document, const RagdollPlay& play, const Ui& ui, ToolState& tools,
                 const Rect& picture, float pixelsPerUnit) {
  TargetTool& tool = tools.targets;
  if (!tool.drag && !shown(document, play, ui)) {
    tool.under.reset();
    return std::exchange(tool.pressed, false);
  }
  const ImGuiIO& io = ImGui::GetIO();
  const vec2 pixel = mousePixel(picture, pixelsPerUnit);
  const bool taken = io.WantCaptureMouse || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  if (!tool.drag) {
    const auto point = viewPointAt(document, ui, pixel);
    const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) || clicked) {
      tool.under.reset();
      if (point && !taken) {
        tool.view = point->view;
        tool.under = markAt(document, play, ui, currentView(document, ui, tool.view), point->pixel);
      }
    }
    if (clicked && tool.under)
      tool.pressed =
          grab(document, play, ui, tools, currentView(document, ui, tool.view), point->pixel);
  }
  if (tool.drag) {
    if (io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f)
      dragOn(document, tools, currentView(document, ui, tool.view),
             pixelInView(document, ui, tool.view, pixel));
    const std::vector<TargetMark> marks = targetMarks(document, play, ui);
    if (tool.under) tools.readout = writeReadout(document, find(marks, *tool.under));
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) dropTarget(document, tools);
  }
  // The release belongs to the target too: it is no click on a bone.
  const bool mine = tool.pressed || tool.under.has_value();
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) tool.pressed = false;
  return mine;
}

void drawTargets(const Document& document, const RagdollPlay& play, const Ui& ui,
                 const ToolState& tools, Graphics& graphics, const View& view) {
  const TargetTool& tool = tools.targets;
  const float size = framePixels(1.0f);
  Overlay overlay;
  overlay.onTop = true;
  for (const TargetMark& mark : targetMarks(document, play, ui)) {
    const bool held =
        tool.under && tool.under->layer == mark.layer && tool.under->pole == mark.pole;
    if (mark.pole || isMissed(document, mark))
      addDashes(overlay, view, mark.from, mark.place, 1.4f * size, mark.pole);
    if (chosen(document, mark))
      addArrows(overlay, makeGizmo(mark, view), view,
                {held ? std::optional(tool.under->handle) : std::nullopt, 1.6f * size, 0.0f, 0.0f});
    addTarget(overlay, mark.place, view, kMark * size, held, mark.pole);
  }
  if (!overlay.triangles.empty()) graphics.scene.renderer.draw(overlay);
}

} // namespace sinew
