#include "viewer/tools/tools.h"

#include "animation/layers/layer_suggestion.h"
#include "editor/bind/binding.h"
#include "editor/pose/editing.h"
#include "editor/session.h"
#include "rig/spline_controls.h"
#include "viewer/state/view_layout.h"
#include "viewer/tools/tool_shapes.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <imgui/imgui.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

constexpr float kRadius = 84.0f;   // radius of the gizmo at scale 1
constexpr float kReach = 7.0f;     // the mouse's reach, at scale 1
constexpr float kSnapDegrees = 15; // steps of a rotation with Ctrl
constexpr float kBand = 2.4f;      // width of a ring

struct Mouse {
  vec2 pixel{0.0f}; // from the view's upper left
  bool over = false;
  bool snap = false;
};

// A node that carries a spline's control point is taken hold of there.
vec3 findGizmoCenter(const Workbench& workbench, std::uint32_t node) {
  if (const auto point = controlPointAt(workbench.rig, node))
    return posedControlPoints(workbench.rig, point->spline, workbench.modelFromNode)[point->which];
  return vec3(workbench.modelFromNode[node][3]);
}

Gizmo makeGizmo(const Document& document, std::uint32_t node, const View& view) {
  const Workbench& workbench = document.workbench;
  const mat3 axes = rotationAxes(workbench.model.hierarchy, workbench.pose, workbench.modelFromNode,
                                 node, drafting(document) ? RotationAxes::model : document.axes);
  return gizmoAt(view, findGizmoCenter(workbench, node), axes,
                 gizmoPixels(view.viewport, framePixels(kRadius)));
}

const char* toString(Grip handle) {
  static constexpr const char* kNames[] = {"x", "y", "z", "the line of sight"};
  return kNames[static_cast<int>(handle)];
}

mat4 modelFromParent(const Workbench& workbench, std::uint32_t node) {
  const std::uint32_t parent = workbench.model.hierarchy.nodes[node].parent;
  return parent == kNoNode ? mat4(1.0f) : workbench.modelFromNode[parent];
}

void hover(Document& document, PoseEditing& posing, ToolState& tools, std::uint32_t node,
           const View& view, const Mouse& mouse) {
  tools.handle.reset();
  tools.end.reset();
  if (!mouse.over) return;
  const float reach = framePixels(kReach);
  if (document.tool == Tool::zone) {
    const ZoneShape* shape = usesZones(document) ? selectedZone(document, posing) : nullptr;
    if (shape != nullptr)
      tools.end =
          pickZoneRing(posedRings(*shape, document.workbench.rig, document.workbench.modelFromNode),
                       view, mouse.pixel, reach);
    return;
  }
  const Gizmo gizmo = makeGizmo(document, node, view);
  tools.handle = document.tool == Tool::rotate ? pickRing(gizmo, view, mouse.pixel, reach)
                                               : pickArrow(gizmo, view, mouse.pixel, reach);
}

// True if a handle was under the mouse.
bool grab(Document& document, PoseEditing& posing, BindState& bind, ToolState& tools,
          std::uint32_t node, const View& view, const Mouse& mouse) {
  if (tools.end) {
    const ZoneShape& shape = *selectedZone(document, posing);
    const auto rings = posedRings(shape, document.workbench.rig, document.workbench.modelFromNode);
    tools.widening = startZoneDrag(shape, rings, *tools.end, view, mouse.pixel);
    return true;
  }
  if (!tools.handle) return false;
  const Gizmo gizmo = makeGizmo(document, node, view);
  tools.before = document.workbench.pose.parentFromNode[node];
  tools.parent = modelFromParent(document.workbench, node);
  tools.held = document.workbench.pose;
  bind.grabbed = document.history.now().draft;
  if (document.tool == Tool::rotate)
    tools.rotating = startRingDrag(gizmo, *tools.handle, view, mouse.pixel);
  else
    tools.moving = startArrowDrag(gizmo, *tools.handle, view, mouse.pixel);
  return true;
}

void dragRotation(Document& document, ToolState& tools, std::uint32_t node, const View& view,
                  const Mouse& mouse) {
  RingDrag& drag = *tools.rotating;
  dragRing(drag, view, mouse.pixel);
  float degrees = glm::degrees(drag.angle);
  if (mouse.snap) degrees = snapped(degrees, kSnapDegrees);
  Pose& pose = editedPose(document);
  pose.parentFromNode[node] = tools.before;
  pose.parentFromNode[node].rotation =
      rotatedAbout(document.workbench.model.hierarchy, pose, document.workbench.modelFromNode, node,
                   drag.axis, glm::radians(degrees));
  tools.readout = fmt::format("{:+.1f}\xc2\xb0 about {}", degrees, toString(drag.handle));
}

// Starts from the pose at the start of the drag: the mouse's way does not matter.
void reachTo(Document& document, ToolState& tools, std::uint32_t node, const vec3& place) {
  const Model& model = document.workbench.model;
  Pose pose = tools.held;
  IkResult result;
  if (const auto bones = bonesAbove(model, node))
    result = solveTwoBone(model.hierarchy, {}, *bones, {place, {}}, std::nullopt, 1.0f, pose);
  else
    result =
        solveChain(model.hierarchy, {}, chainTo(model.hierarchy, node, 1), {place, {}}, 1.0f, pose);
  editedPose(document) = std::move(pose);
  if (result.error > 1e-3f * document.orbit.framed.size())
    tools.readout += fmt::format("; {:.2g} out of reach", result.error);
}

void dragMove(Document& document, BindState& bind, ToolState& tools, std::uint32_t node,
              const View& view, const Mouse& mouse) {
  ArrowDrag& drag = *tools.moving;
  dragArrow(drag, view, mouse.pixel);
  tools.readout = fmt::format("{:.4g}", glm::length(drag.moved));
  if (drafting(document)) return dragDraftJoint(document, bind, drag.gizmo.center + drag.moved);
  if (document.tool == Tool::reach)
    return reachTo(document, tools, node, drag.gizmo.center + drag.moved);
  if (std::abs(glm::determinant(mat3(tools.parent))) < 1e-12f) return; // nowhere to go
  Transform& moved = editedPose(document).parentFromNode[node];
  moved = tools.before;
  moved.translation += glm::inverse(mat3(tools.parent)) * drag.moved;
}

// Whether arrows move where a control point lies in the bind pose, not the pose.
bool placesSpline(const Session& session, const Ui& ui, std::uint32_t node) {
  return ui.tab == SideTab::splines && session.splines.placing &&
         splinePointAt(session.document, node).has_value();
}

// The model follows when the drag ends: it is made again.
void dragControlPoint(Session& session, ToolState& tools, std::uint32_t node, const View& view,
                      const Mouse& mouse) {
  ArrowDrag& drag = *tools.moving;
  dragArrow(drag, view, mouse.pixel);
  tools.readout = fmt::format("{:.4g}", glm::length(drag.moved));
  const SplinePoint at = splinePointAt(session.document, node).value();
  const mat3 posed(posedFromBind(session.document, node));
  if (std::abs(glm::determinant(posed)) < 1e-12f) return; // scaled to nothing
  session.splines.chosen = at.spline;
  session.splines.dragged = session.document.workbench.model.splines[at.spline].points;
  (*session.splines.dragged)[at.which] += glm::inverse(posed) * drag.moved;
}

void dragZoneEnd(Document& document, PoseEditing& posing, ToolState& tools, const View& view,
                 const Mouse& mouse) {
  const ZoneShape* shape = selectedZone(document, posing);
  if (shape == nullptr) return;
  const Zone zone = dragZone(*tools.widening, shape->axis, view, mouse.pixel);
  JointZone entry = selectedZoneEntry(document);
  const bool low = tools.widening->end == ZoneEnd::min;
  (low ? entry.min : entry.max) = low ? zone.min : zone.max;
  setSelectedZoneEntry(document, entry);
  tools.readout = fmt::format("{} {:.4g}", low ? "min" : "max", low ? zone.min : zone.max);
}

void drop(Session& session, ToolState& tools) {
  Document& document = session.document;
  if (const auto placed = std::exchange(session.splines.dragged, std::nullopt))
    placeLaidSpline(document, session.bind, session.splines.chosen, *placed);
  const std::string joint =
      document.selected ? document.workbench.model.hierarchy.nodes[*document.selected].name : "";
  const char* what = tools.widening                 ? "Bend range of"
                     : document.tool == Tool::reach ? "Reach with"
                     : tools.moving                 ? "Move"
                                                    : "Rotate";
  commitEdit(document, fmt::format("{} {}", what, joint));
  tools.rotating.reset();
  tools.moving.reset();
  tools.widening.reset();
  tools.readout.clear();
}

// The skin within a bend range, as the view's method poses it, in the colour of the rings.
void tintBendingSkin(const Workbench& workbench, const ZoneShape& shape, std::size_t index,
                     Graphics& graphics, const View& view) {
  if (index >= workbench.bound.size()) return;
  std::vector<bool> bends(workbench.rig.positions.size(), false);
  for (const std::uint32_t v : zoneVertices(workbench.rig, shape))
    bends[v] = true;
  const std::vector<vec3> posed = skinOnCpu(workbench, workbench.bound[index]).positions;
  const float lift = 1e-3f * view.scene.size(); // off the skin, so that it is not hidden by it
  const auto lifted = [&](std::uint32_t v) {
    return posed[v] + lift * towardsEye(view.camera, posed[v]);
  };
  Overlay overlay;
  for (const auto& [a, b, c] : workbench.rig.triangles)
    if (bends[a] && bends[b] && bends[c])
      addTriangle(overlay, lifted(a), lifted(b), lifted(c), {84, 214, 226, 110});
  graphics.scene.renderer.draw(overlay);
}

bool dragging(const ToolState& tools) {
  return tools.rotating || tools.moving || tools.widening;
}

// Draws the control points of all splines. Those of `selected`, an index into the rig's splines,
// stand out. A spline that is dragged in the bind pose is drawn where it will be.
void addControlPoints(const Session& session, const View& view,
                      std::optional<std::uint32_t> selected, Overlay& overlay) {
  const Workbench& workbench = session.document.workbench;
  for (std::uint32_t s = 0; s < workbench.model.splines.size(); ++s) {
    const FreeSpline& spline = workbench.model.splines[s];
    const auto at = controlPointAt(workbench.rig, spline.nodes[0]);
    if (!at) continue;
    auto points = posedControlPoints(workbench.rig, at->spline, workbench.modelFromNode);
    const SplineState& state = session.splines;
    if (state.dragged && s == state.chosen)
      for (std::size_t i = 0; i < 3; ++i)
        points[i] =
            transformPoint(posedFromBind(session.document, spline.nodes[i]), (*state.dragged)[i]);
    addSpline(overlay, points, view, at->spline == selected, framePixels(kBand));
  }
}

// A node whose joint the tools are about: the selected one, where tools can do something.
std::optional<std::uint32_t> toolNode(const Document& document, const BindState& bind,
                                      const RagdollPlay& play, const Ui& ui) {
  if (!document.selected || document.crowd || !hasModel(document) || ragdollActive(play))
    return std::nullopt;
  // Mode::look is for looking at the skin, unless a clip is being keyed.
  if (toMode(ui.tab) == Mode::look && !ui.keys.shown) return std::nullopt;
  if (drafting(document) && (binding(bind) || comparing(document, bind))) return std::nullopt;
  // A turn by hand would hold the pose, and the layers would wait.
  if (ui.tab == SideTab::layers && !holdsPose(document)) return std::nullopt;
  return document.selected;
}

} // namespace

void forgetDiscarded(Session& session, ToolState& tools) {
  const std::uint64_t discards = session.document.discards;
  if (std::exchange(tools.discards, discards) == discards) return;
  tools.about.reset();
  tools.rotating.reset();
  tools.moving.reset();
  tools.widening.reset();
  tools.targets.drag.reset();
  tools.readout.clear();
  session.paint.stroke.reset();
  session.sculpt.stroke.reset();
}

bool toolInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
               float pixelsPerUnit) {
  Document& document = session.document;
  if (document.tool == Tool::paint) return paintInput(session, ui, tools, picture, pixelsPerUnit);
  if (document.tool == Tool::sculpt) return sculptInput(session, ui, tools, picture, pixelsPerUnit);
  const auto node = toolNode(document, session.bind, session.play, ui);
  const ImGuiIO& io = ImGui::GetIO();
  if (!node) {
    if (dragging(tools)) drop(session, tools);
    tools.about.reset();
    return std::exchange(tools.pressed, false);
  }
  const bool stays = document.tool == Tool::zone || document.tool == Tool::reach;
  if (std::exchange(tools.about, node) != node && !stays)
    document.tool = controlPointAt(document.workbench.rig, *node) ? Tool::move : Tool::rotate;
  if (drafting(document)) document.tool = Tool::move;
  const vec2 pixel = mousePixel(picture, pixelsPerUnit);
  const bool taken = io.WantCaptureMouse || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  if (!dragging(tools)) {
    const auto point = viewPointAt(document, ui, pixel);
    if (point) tools.view = point->view;
    const Mouse mouse{pixelInView(document, ui, tools.view, pixel), point && !taken, io.KeyCtrl};
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      hover(document, session.posing, tools, *node, currentView(document, ui, tools.view), mouse);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && mouse.over)
      tools.pressed = grab(document, session.posing, session.bind, tools, *node,
                           currentView(document, ui, tools.view), mouse);
  }
  if (dragging(tools)) {
    const View view = currentView(document, ui, tools.view);
    const Mouse mouse{pixelInView(document, ui, tools.view, pixel), true, io.KeyCtrl};
    const bool moved = io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f;
    if (tools.rotating && moved) dragRotation(document, tools, *node, view, mouse);
    if (tools.moving && moved && placesSpline(session, ui, *node))
      dragControlPoint(session, tools, *node, view, mouse);
    else if (tools.moving && moved)
      dragMove(document, session.bind, tools, *node, view, mouse);
    if (tools.widening && moved) dragZoneEnd(document, session.posing, tools, view, mouse);
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) drop(session, tools);
  }
  // The release belongs to the tool too: it is no click on a bone.
  const bool mine = tools.pressed;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) tools.pressed = false;
  return mine;
}

void drawTools(Session& session, const Ui& ui, const ToolState& tools, Graphics& graphics,
               const View& view, std::size_t index) {
  Document& document = session.document;
  if (document.tool == Tool::paint) return drawBrush(document, session.paint, graphics, view);
  if (document.tool == Tool::sculpt) return drawSculptBrush(session, graphics, view);
  const auto node = toolNode(document, session.bind, session.play, ui);
  Overlay overlay;
  overlay.onTop = true;
  const auto point = node ? controlPointAt(document.workbench.rig, *node) : std::nullopt;
  if (point || (ui.tab == SideTab::splines && layable(document)))
    addControlPoints(session, view, point ? std::optional(point->spline) : std::nullopt, overlay);
  if (!node) return graphics.scene.renderer.draw(overlay);
  if (document.tool == Tool::zone) {
    const ZoneShape* shape = selectedZone(document, session.posing);
    if (shape == nullptr || !usesZones(document)) return;
    const auto lit = tools.widening ? std::optional(tools.widening->end)
                     : tools.end    ? tools.end
                                    : ui.bendEnd;
    if (lit) tintBendingSkin(document.workbench, *shape, index, graphics, view);
    addZone(overlay, posedRings(*shape, document.workbench.rig, document.workbench.modelFromNode),
            view, lit, framePixels(kBand));
  } else {
    GizmoStyle style{tools.handle, framePixels(kBand), 0.0f, 0.0f};
    Gizmo gizmo = makeGizmo(document, *node, view);
    if (tools.moving && session.splines.dragged) // the node has not moved yet
      gizmo.center = tools.moving->gizmo.center + tools.moving->moved;
    if (tools.rotating) { // the rings stay where they were at the start of the drag
      gizmo.axes = tools.rotating->gizmo.axes;
      style.dragged = tools.rotating->edgeOn ? 0.0f : tools.rotating->angle;
      style.from = tools.rotating->from;
    }
    if (document.tool == Tool::rotate)
      addRings(overlay, gizmo, view, style);
    else
      addArrows(overlay, gizmo, view, style);
  }
  graphics.scene.renderer.draw(overlay);
}

void toolReadout(const ToolState& tools) {
  const std::string& text = tools.readout;
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
