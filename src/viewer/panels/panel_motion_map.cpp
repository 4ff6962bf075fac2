// Which joint of a motion moves which of the model, and rotations added, by hand.

#include "animation/retarget/motion.h"
#include "editor/motions.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>

namespace sinew {
namespace {

constexpr const char* kNothing = "(nothing)";

const MatchedJoint* findMatch(const MotionReport& report, const std::string& joint) {
  const auto found = std::ranges::find(report.matched, joint, &MatchedJoint::joint);
  return found == report.matched.end() ? nullptr : &*found;
}

// True where the map has changed.
bool mover(const MotionReport& report, const std::string& joint, MotionMap& map) {
  const MatchedJoint* match = findMatch(report, joint);
  const bool given = map.joints.contains(joint);
  const std::string now = match != nullptr ? match->motion : kNothing;
  bool changed = false;
  ImGui::SetNextItemWidth(-1.0f);
  if (ImGui::BeginCombo("##mover", fmt::format("{}{}", now, given ? " (by hand)" : "").c_str())) {
    if (given && ImGui::Selectable("as names say")) changed = map.joints.erase(joint) > 0;
    if (ImGui::Selectable(kNothing, match == nullptr)) {
      map.joints[joint] = std::nullopt;
      changed = true;
    }
    for (const std::string& name : motionJoints(report))
      if (ImGui::Selectable(name.c_str(), name == now)) {
        map.joints[joint] = name;
        changed = true;
      }
    ImGui::EndCombo();
  }
  itemHelp("the joint of the motion that moves this one");
  return changed;
}

// The rotation offset of the selected joint.
bool offset(const Document& document, const std::vector<std::string>& joints, MappingEdit& edit,
            MotionMap& map) {
  if (!document.selected) return false;
  const std::string& joint = document.workbench.model.hierarchy.nodes[*document.selected].name;
  if (!std::ranges::binary_search(joints, joint)) return false;
  if (edit.dragged != joint) {
    const auto found = map.offsets.find(joint);
    edit.angles = found == map.offsets.end() ? vec3(0.0f) : found->second;
  }
  faintText(fmt::format("{} is rotated further by", joint));
  ImGui::SetNextItemWidth(-1.0f);
  if (ImGui::DragFloat3("##offset", &edit.angles.x, 0.5f, -360.0f, 360.0f, "%.0f",
                        ImGuiSliderFlags_AlwaysClamp))
    edit.dragged = joint;
  const bool done = ImGui::IsItemDeactivatedAfterEdit();
  itemHelp("degrees about its own X, Y and Z");
  if (!done) return false;
  edit.dragged.clear();
  if (edit.angles == vec3(0.0f))
    map.offsets.erase(joint);
  else
    map.offsets[joint] = edit.angles;
  return true;
}

// Which joint of the motion moves each.
bool movers(Document& document, const std::vector<std::string>& joints, MotionMap& map) {
  if (!ImGui::BeginTable("##map", 2, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchSame))
    return false;
  bool changed = false;
  for (const std::string& joint : joints) {
    const auto node = findNode(document.workbench.model.hierarchy, joint);
    ImGui::PushID(joint.c_str());
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (ImGui::Selectable(joint.c_str(), node && document.selected == node) && node)
      selectJoint(document, *node);
    ImGui::TableNextColumn();
    changed |= mover(*document.workbench.motion, joint, map);
    ImGui::PopID();
  }
  ImGui::EndTable();
  return changed;
}

} // namespace

void motionMapControls(Session& session, Ui& ui) {
  const auto& report = session.document.workbench.motion;
  if (!report || session.document.loaded.motion.empty()) return;
  if (!ImGui::TreeNodeEx("Joint map", ImGuiTreeNodeFlags_SpanAvailWidth)) return;
  MotionMap map = session.document.loaded.motionMap;
  const std::vector<std::string> joints = modelJoints(*report);
  bool changed = movers(session.document, joints, map);
  changed |= offset(session.document, joints, ui.mapping, map);
  const bool some = map != MotionMap{};
  if (wideButton("Save the map", "beside the model; --motion-map reads it", some, 0))
    saveEdits(session, SaveKind::motionMap);
  if (wideButton("As names say", "without the map", some, 1)) {
    map = {};
    changed = true;
  }
  ImGui::TreePop();
  if (changed) remapMotion(session, map);
}

} // namespace sinew
