#include "viewer/tools.h"

#include "animation/layer_suggestion.h"
#include "rig/spline_controls.h"
#include "viewer/bind.h"
#include "viewer/paint_tool.h"
#include "viewer/session.h"
#include "viewer/theme.h"
#include "viewer/tool_shapes.h"
#include "viewer/viewport.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <imgui/imgui.h>

#include <utility>

namespace sinew {
namespace {

constexpr float kRadius = 84.0f;   // of the gizmo, at scale 1
constexpr float kReach = 7.0f;     // of the mouse
constexpr float kSnapDegrees = 15; // with Ctrl
constexpr float kBand = 2.4f;      // width of a ring

struct Mouse {
  vec2 pixel{0.0f}; // from the view's upper left
  bool over = false;
  bool snap = false;
};

// A node that carries a spline's control point is taken hold of there.
vec3 centerOf(const Workbench& bench, std::uint32_t node) {
  if (const auto point = controlPointAt(bench.rig, node))
    return posedControlPoints(bench.rig, point->spline, bench.modelFromNode)[point->which];
  return vec3(bench.modelFromNode[node][3]);
}

Gizmo gizmoOf(const Viewer& viewer, std::uint32_t node, const View& view) {
  const Workbench& bench = viewer.bench;
  const mat3 axes = turnAxes(bench.model.hierarchy, bench.pose, bench.modelFromNode, node,
                             drafting(viewer) ? TurnAxes::model : viewer.edit.tools.axes);
  return gizmoAt(view, centerOf(bench, node), axes, framePixels(kRadius));
}

const char* nameOf(Grip handle) {
  static constexpr const char* kNames[] = {"x", "y", "z", "the line of sight"};
  return kNames[static_cast<int>(handle)];
}

mat4 modelFromParent(const Workbench& bench, std::uint32_t node) {
  const std::uint32_t parent = bench.model.hierarchy.nodes[node].parent;
  return parent == kNoNode ? mat4(1.0f) : bench.modelFromNode[parent];
}

void hover(Viewer& viewer, std::uint32_t node, const View& view, const Mouse& mouse) {
  ToolState& tools = viewer.edit.tools;
  tools.handle.reset();
  tools.end.reset();
  if (!mouse.over) return;
  const float reach = framePixels(kReach);
  if (tools.tool == Tool::zone) {
    if (const ZoneShape* shape = selectedZone(viewer))
      tools.end = pickZoneRing(posedRings(*shape, viewer.bench.rig, viewer.bench.modelFromNode),
                               view, mouse.pixel, reach);
    return;
  }
  const Gizmo gizmo = gizmoOf(viewer, node, view);
  tools.handle = tools.tool == Tool::turn ? pickRing(gizmo, view, mouse.pixel, reach)
                                          : pickArrow(gizmo, view, mouse.pixel, reach);
}

// True if there was something to take hold of.
bool grab(Viewer& viewer, std::uint32_t node, const View& view, const Mouse& mouse) {
  ToolState& tools = viewer.edit.tools;
  if (tools.end) {
    const ZoneShape& shape = *selectedZone(viewer);
    const auto rings = posedRings(shape, viewer.bench.rig, viewer.bench.modelFromNode);
    tools.widening = startZoneDrag(shape, rings, *tools.end, view, mouse.pixel);
    return true;
  }
  if (!tools.handle) return false;
  const Gizmo gizmo = gizmoOf(viewer, node, view);
  tools.before = viewer.bench.pose.parentFromNode[node];
  tools.parent = modelFromParent(viewer.bench, node);
  tools.held = viewer.bench.pose;
  viewer.bind.grabbed = viewer.edit.history.now().draft;
  if (tools.tool == Tool::turn)
    tools.turning = startRingDrag(gizmo, *tools.handle, view, mouse.pixel);
  else
    tools.moving = startArrowDrag(gizmo, *tools.handle, view, mouse.pixel);
  return true;
}

void dragTurn(Viewer& viewer, std::uint32_t node, const View& view, const Mouse& mouse) {
  ToolState& tools = viewer.edit.tools;
  RingDrag& drag = *tools.turning;
  dragRing(drag, view, mouse.pixel);
  float degrees = glm::degrees(drag.angle);
  if (mouse.snap) degrees = snapped(degrees, kSnapDegrees);
  Pose& pose = editedPose(viewer);
  pose.parentFromNode[node] = tools.before;
  pose.parentFromNode[node].rotation =
      turnedRotation(viewer.bench.model.hierarchy, pose, viewer.bench.modelFromNode, node,
                     drag.axis, glm::radians(degrees));
  tools.readout = fmt::format("{:+.1f}\xc2\xb0 about {}", degrees, nameOf(drag.handle));
}

// From the pose the drag began with: where the mouse has been on its way does not matter.
void reachTo(Viewer& viewer, std::uint32_t node, const vec3& place) {
  const Model& model = viewer.bench.model;
  Pose pose = viewer.edit.tools.held;
  IkResult result;
  if (const auto bones = bonesAbove(model, node))
    result = solveTwoBone(model.hierarchy, {}, *bones, {place, {}}, std::nullopt, 1.0f, pose);
  else
    result =
        solveChain(model.hierarchy, {}, chainTo(model.hierarchy, node, 1), {place, {}}, 1.0f, pose);
  editedPose(viewer) = std::move(pose);
  if (result.error > 1e-3f * viewer.orbit.framed.size())
    viewer.edit.tools.readout += fmt::format("; {:.2g} out of reach", result.error);
}

void dragMove(Viewer& viewer, std::uint32_t node, const View& view, const Mouse& mouse) {
  ToolState& tools = viewer.edit.tools;
  ArrowDrag& drag = *tools.moving;
  dragArrow(drag, view, mouse.pixel);
  tools.readout = fmt::format("{:.4g}", glm::length(drag.moved));
  if (drafting(viewer)) return dragDraftJoint(viewer, drag.gizmo.center + drag.moved);
  if (tools.tool == Tool::reach) return reachTo(viewer, node, drag.gizmo.center + drag.moved);
  if (std::abs(glm::determinant(mat3(tools.parent))) < 1e-12f) return; // nowhere to go
  Transform& moved = editedPose(viewer).parentFromNode[node];
  moved = tools.before;
  moved.translation += glm::inverse(mat3(tools.parent)) * drag.moved;
}

void dragZoneEnd(Viewer& viewer, const View& view, const Mouse& mouse) {
  ToolState& tools = viewer.edit.tools;
  const ZoneShape* shape = selectedZone(viewer);
  if (shape == nullptr) return;
  const Zone zone = dragZone(*tools.widening, shape->axis, view, mouse.pixel);
  JointZone said = saidOfSelected(viewer);
  const bool low = tools.widening->end == ZoneEnd::min;
  (low ? said.min : said.max) = low ? zone.min : zone.max;
  sayOfSelected(viewer, said);
  tools.readout = fmt::format("{} {:.4g}", low ? "min" : "max", low ? zone.min : zone.max);
}

void drop(Viewer& viewer) {
  ToolState& tools = viewer.edit.tools;
  const std::string joint =
      viewer.selected ? viewer.bench.model.hierarchy.nodes[*viewer.selected].name : "";
  const char* what = tools.widening              ? "Zone of"
                     : tools.tool == Tool::reach ? "Reach with"
                     : tools.moving              ? "Move"
                                                 : "Turn";
  commitEdit(viewer, fmt::format("{} {}", what, joint));
  tools.turning.reset();
  tools.moving.reset();
  tools.widening.reset();
  tools.readout.clear();
}

bool dragging(const ToolState& tools) {
  return tools.turning || tools.moving || tools.widening;
}

// Of all splines; those of `selected` stand out.
void addControlPoints(const Viewer& viewer, const View& view, std::uint32_t selected,
                      Overlay& overlay) {
  const Workbench& bench = viewer.bench;
  for (const FreeSpline& spline : bench.model.splines) {
    const auto at = controlPointAt(bench.rig, spline.nodes[0]);
    if (at)
      addSpline(overlay, posedControlPoints(bench.rig, at->spline, bench.modelFromNode), view,
                at->spline == selected, framePixels(kBand));
  }
}

} // namespace

std::optional<std::uint32_t> toolNode(const Viewer& viewer) {
  if (!viewer.selected || viewer.crowd || !hasModel(viewer) || ragdollActive(viewer))
    return std::nullopt;
  if (drafting(viewer) && (binding(viewer) || comparing(viewer))) return std::nullopt;
  // A turn by hand would hold the pose, and the layers would wait.
  if (viewer.ui.sideTab == kLayersTab && !posing(viewer)) return std::nullopt;
  return viewer.selected;
}

bool toolInput(Viewer& viewer, const Rect& picture, float pixelsPerUnit) {
  ToolState& tools = viewer.edit.tools;
  if (tools.tool == Tool::paint) return paintInput(viewer, picture, pixelsPerUnit);
  const auto node = toolNode(viewer);
  const ImGuiIO& io = ImGui::GetIO();
  if (!node) {
    if (dragging(tools)) drop(viewer);
    tools.about.reset();
    return std::exchange(tools.pressed, false);
  }
  const bool kept = tools.tool == Tool::zone || tools.tool == Tool::reach;
  if (std::exchange(tools.about, node) != node && !kept)
    tools.tool = controlPointAt(viewer.bench.rig, *node) ? Tool::move : Tool::turn;
  if (drafting(viewer)) tools.tool = Tool::move;
  const vec2 pixel = mousePixel(picture, pixelsPerUnit);
  const bool taken = io.WantCaptureMouse || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  if (!dragging(tools)) {
    const auto point = viewPointAt(viewer, pixel);
    if (point) tools.view = point->view;
    const Mouse mouse{pixelInView(viewer, tools.view, pixel), point && !taken, io.KeyCtrl};
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      hover(viewer, *node, currentView(viewer, tools.view), mouse);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && mouse.over)
      tools.pressed = grab(viewer, *node, currentView(viewer, tools.view), mouse);
  }
  if (dragging(tools)) {
    const View view = currentView(viewer, tools.view);
    const Mouse mouse{pixelInView(viewer, tools.view, pixel), true, io.KeyCtrl};
    const bool moved = io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f;
    if (tools.turning && moved) dragTurn(viewer, *node, view, mouse);
    if (tools.moving && moved) dragMove(viewer, *node, view, mouse);
    if (tools.widening && moved) dragZoneEnd(viewer, view, mouse);
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) drop(viewer);
  }
  // The release belongs to the tool too: it is no click on a bone.
  const bool mine = tools.pressed;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) tools.pressed = false;
  return mine;
}

void drawTools(Viewer& viewer, const View& view) {
  if (viewer.edit.tools.tool == Tool::paint) return drawBrush(viewer, view);
  const auto node = toolNode(viewer);
  if (!node) return;
  const ToolState& tools = viewer.edit.tools;
  Overlay overlay;
  overlay.onTop = true;
  if (const auto point = controlPointAt(viewer.bench.rig, *node))
    addControlPoints(viewer, view, point->spline, overlay);
  if (tools.tool == Tool::zone) {
    const ZoneShape* shape = selectedZone(viewer);
    if (shape == nullptr) return;
    addZone(overlay, posedRings(*shape, viewer.bench.rig, viewer.bench.modelFromNode), view,
            tools.end, framePixels(kBand));
  } else {
    GizmoStyle style{tools.handle, framePixels(kBand), 0.0f, 0.0f};
    Gizmo gizmo = gizmoOf(viewer, *node, view);
    if (tools.turning) { // the rings stay as they were taken hold of
      gizmo.axes = tools.turning->gizmo.axes;
      style.dragged = tools.turning->edgeOn ? 0.0f : tools.turning->angle;
      style.from = tools.turning->from;
    }
    if (tools.tool == Tool::turn)
      addRings(overlay, gizmo, view, style);
    else
      addArrows(overlay, gizmo, view, style);
  }
  viewer.graphics->picture.renderer.draw(overlay);
}

void toolReadout(const Viewer& viewer) {
  const std::string& text = viewer.edit.tools.readout;
  if (text.empty()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const ImVec2 at{mouse.x + scaled(18), mouse.y - scaled(26)};
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  const float pad = scaled(5);
  draw.AddRectFilled({at.x - pad, at.y - pad}, {at.x + size.x + pad, at.y + size.y + pad},
                     IM_COL32(16, 18, 22, 220), scaled(4));
  draw.AddText(at, IM_COL32(255, 226, 84, 255), text.c_str());
}

} // namespace sinew
