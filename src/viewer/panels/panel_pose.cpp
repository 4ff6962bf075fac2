// The pose of the selected joint as numbers, and what can be done with the whole pose.

#include "core/text.h"
#include "editor/edit_files.h"
#include "editor/pose/editing.h"
#include "editor/session.h"
#include "rig/spline_controls.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sinew {
namespace {

const std::string& selectedName(const Document& document) {
  return document.workbench.model.hierarchy.nodes[*document.selected].name;
}

// Updates the shown rotation of the selected joint. Several triples of Euler angles give the same
// rotation: the one typed last stays.
void showRotation(Document& document, PoseEditing& posing) {
  const Workbench& workbench = document.workbench;
  const Edit& now = document.history.now();
  const quat rotation = rotationFromRest(workbench.model.hierarchy,
                                         now.pose ? *now.pose : workbench.pose, *document.selected);
  if (std::abs(glm::dot(rotation, posing.told)) > 1.0f - 1e-7f) return;
  posing.told = rotation;
  posing.euler = glm::degrees(toEuler(rotation));
  posing.axisAngle = toAxisAngle(rotation, posing.axisAngle.axis);
}

void setRotation(Document& document, PoseEditing& posing, const quat& rotation) {
  posing.told = rotation;
  setRotationFromRest(document.workbench.model.hierarchy, editedPose(document), *document.selected,
                      rotation);
}

// Makes a step of the history when a slider is released. Call it after the slider.
void stepWhenDone(Document& document, const char* what) {
  if (ImGui::IsItemDeactivatedAfterEdit())
    commitEdit(document, fmt::format("{} {}", what, selectedName(document)));
}

void eulerSliders(Document& document, PoseEditing& posing) {
  faintText("Rotation from rest, about x, then y, then z");
  static constexpr const char* kNames[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    ImGui::PushID(i);
    if (namedSlider(kNames[i], &posing.euler[i], -180.0f, 180.0f, "%.1f\xc2\xb0")) {
      const vec3 typed = posing.euler; // setRotation() derives it again
      setRotation(document, posing, rotationOfEuler(glm::radians(typed)));
      posing.axisAngle = toAxisAngle(posing.told, posing.axisAngle.axis);
    }
    stepWhenDone(document, "Rotate");
    ImGui::PopID();
  }
}

void axisSliders(Document& document, PoseEditing& posing) {
  faintText("The same, about one axis");
  float degrees = glm::degrees(posing.axisAngle.angle);
  bool changed = namedSlider("angle", &degrees, -180.0f, 180.0f, "%.1f\xc2\xb0");
  stepWhenDone(document, "Rotate");
  ImGui::SetNextItemWidth(-1.0f);
  changed |= ImGui::DragFloat3("##axis", &posing.axisAngle.axis.x, 0.005f, -1.0f, 1.0f, "%.3f",
                               ImGuiSliderFlags_AlwaysClamp);
  stepWhenDone(document, "Rotate");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("rotation axis, in the joint's axes at rest");
  if (!changed) return;
  posing.axisAngle.angle = glm::radians(degrees);
  if (!(glm::length(posing.axisAngle.axis) > 1e-3f)) return;
  setRotation(document, posing, toRotation(posing.axisAngle));
  posing.euler = glm::degrees(toEuler(posing.told));
}

void place(Document& document) {
  const std::uint32_t node = *document.selected;
  const Workbench& workbench = document.workbench;
  const Edit& now = document.history.now();
  const vec3 rest = workbench.model.hierarchy.nodes[node].rest.translation;
  const Pose& pose = now.pose ? *now.pose : workbench.pose;
  vec3 moved = pose.parentFromNode[node].translation - rest;
  faintText("Moved from rest");
  ImGui::SetNextItemWidth(-1.0f);
  const float step = 0.001f * std::max(document.orbit.framed.size(), 1e-6f);
  if (ImGui::DragFloat3("##moved", &moved.x, step, 0.0f, 0.0f, "%.4g"))
    editedPose(document).parentFromNode[node].translation = rest + moved;
  stepWhenDone(document, "Move");
}

} // namespace

void splineSliders(Document& document, std::uint32_t spline) {
  const Workbench& workbench = document.workbench;
  const Hierarchy& hierarchy = workbench.model.hierarchy;
  const Edit& now = document.history.now();
  const SplineRotation before =
      splineRotation(hierarchy, workbench.rig, spline, now.pose ? *now.pose : workbench.pose);
  faintText("Its spline, rotated about its own axis");
  const auto slider = [&](const char* name, const char* help, float SplineRotation::*part,
                          float limit) {
    SplineRotation rotation = before;
    float degrees = glm::degrees(rotation.*part);
    if (namedSlider(name, &degrees, -limit, limit, "%.1f\xc2\xb0")) {
      rotation.*part = glm::radians(degrees);
      setSplineRotation(hierarchy, workbench.rig, spline, editedPose(document), rotation);
    }
    stepWhenDone(document, "Rotate the spline at");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", help);
  };
  slider("roll", "the whole spline", &SplineRotation::roll, 180.0f);
  slider("twist", "its end against its start", &SplineRotation::twist, 720.0f);
}

namespace {

// For each skin with the joint: the matrix from bind space to the joint.
void inverseBind(const Document& document) {
  if (!header("Inverse bind matrix")) return;
  bool any = false;
  for (const Skin& skin : document.workbench.model.skins)
    for (const SkinJoint& joint : skin.joints) {
      if (joint.node != *document.selected) continue;
      if (any) ImGui::Separator();
      any = true;
      ImGui::PushFont(monoFont());
      const mat4& m = joint.jointFromBind;
      for (int row = 0; row < 4; ++row)
        ImGui::TextUnformatted(fmt::format("{:8.4f} {:8.4f} {:8.4f} {:8.4f}", m[0][row], m[1][row],
                                           m[2][row], m[3][row])
                                   .c_str());
      ImGui::PopFont();
    }
  if (!any) faintText("No skin uses this joint.");
}

void toolChoice(Document& document) {
  const auto choose = [&](const char* name, Tool tool) {
    if (tool != Tool::rotate) besideIfRoom(checkboxWidth(name));
    if (ImGui::RadioButton(name, document.tool == tool)) document.tool = tool;
  };
  choose("Rotate", Tool::rotate);
  choose("Move", Tool::move);
  choose("Reach", Tool::reach);
  bool model = document.axes == RotationAxes::model;
  if (checkbox("Model's axes", &model))
    document.axes = model ? RotationAxes::model : RotationAxes::joint;
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("axes of the rings and arrows: the model's, or the joint's own  A");
}

bool halfWidthButton(const char* name, const char* help, bool enabled = true, bool left = true) {
  return wideButton(name, help, enabled, left ? 0 : 1);
}

void wholePose(Session& session, Ui& ui) {
  Document& document = session.document;
  PoseEditing& posing = session.posing;
  const bool joint = document.selected.has_value();
  if (halfWidthButton("Reset joint", "the joint to its rest pose  Delete", joint))
    resetJoint(document);
  if (halfWidthButton("Reset all", "the rest pose  Shift+Delete", true, false)) resetPose(document);
  if (halfWidthButton("Mirror", "mirror the whole pose, left to right  J"))
    mirrorPose(document, posing);
  if (halfWidthButton("Mirror joint", "this joint and those below onto the other side  Shift+J",
                      joint, false))
    mirrorJoint(document, posing);
  undoButtons(document);
  if (halfWidthButton("Save pose", "as JSON, beside the model  Ctrl+Alt+S"))
    saveEdits(session, SaveKind::pose);
  if (halfWidthButton("Open pose...", "a pose saved as JSON; or drop the file here  Ctrl+P", true,
                      false))
    openBrowser(ui, Browse::edits);
  if (holdsPose(document)) {
    if (button("Back to the clip", -1.0f)) releasePose(document);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Backspace; undo restores the pose");
  }
}

} // namespace

bool namedSlider(const char* name, float* value, float low, float high, const char* format) {
  ImGui::PushID(name);
  char text[32];
  std::snprintf(text, sizeof(text), format, static_cast<double>(*value));
  labelAbove(capitalised(name).c_str(), text); // the slider's grab would cover a value in it
  const bool wide = low > 0.0f && high / low > 200.0f;
  const bool changed =
      ImGui::SliderFloat("##slider", value, low, high, "",
                         ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0));
  ImGui::PopID();
  return changed;
}

void undoButtons(Document& document) {
  const History<Edit>& history = document.history;
  const std::string undo = fmt::format("{}  Ctrl+Z", history.undoWord());
  const std::string redo = fmt::format("{}  Ctrl+Y", history.redoWord());
  if (halfWidthButton("Undo", undo.c_str(), history.canUndo())) undoEdit(document);
  if (halfWidthButton("Redo", redo.c_str(), history.canRedo(), false)) redoEdit(document);
}

void poseTab(Session& session, Ui& ui) {
  Document& document = session.document;
  PoseEditing& posing = session.posing;
  if (!hasModel(document) || document.crowd) {
    faintText("No single model to pose.");
    return;
  }
  if (holdsPose(document))
    ImGui::TextColored(accentColor(), "Editing a pose; playback pauses.");
  else
    faintText("Drag a ring or a slider to edit.");
  ImGui::Spacing();
  if (document.selected) {
    heading(selectedName(document).c_str());
    toolChoice(document);
    showRotation(document, posing);
    eulerSliders(document, posing);
    axisSliders(document, posing);
    if (document.tool == Tool::move) place(document);
    if (const auto point = controlPointAt(document.workbench.rig, *document.selected))
      splineSliders(document, point->spline);
    ImGui::Spacing();
    inverseBind(document);
  } else {
    faintText("Click a bone in the picture or a joint in the list.");
  }
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
  wholePose(session, ui);
}

} // namespace sinew
