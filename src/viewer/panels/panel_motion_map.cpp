// Which joint of a motion moves which of the model, and rotations added, by hand.

#include "animation/retarget/motion.h"
#include "editor/motion_mapping.h"
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

const MatchedJoint* matchOf(const MotionReport& report, const std::string& joint) {
  const auto found = std::ranges::find(report.matched, joint, &MatchedJoint::joint);
  return found == report.matched.end() ? nullptr : &*found;
}

// True where the map has changed.
bool mover(const MotionReport& report, const std::string& joint, MotionMap& map) {
  const MatchedJoint* match = matchOf(report, joint);
  const bool given = map.joints.contains(joint);
  const std::string now = match != nullptr ? match->motion : kNothing;
  bool changed = false;
  ImGui::SetNextItemWidth(-scaled(1));
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

bool offset(const std::string& joint, MotionMap& map, std::string& dragged, vec3& angles) {
  if (dragged != joint) {
    const auto found = map.offsets.find(joint);
    angles = found == map.offsets.end() ? vec3(0.0f) : found->second;
  }
  ImGui::SetNextItemWidth(-scaled(1));
  if (ImGui::DragFloat3("##offset", &angles.x, 0.5f, -360.0f, 360.0f, "%.0f",
                        ImGuiSliderFlags_AlwaysClamp))
    dragged = joint;
  const bool done = ImGui::IsItemDeactivatedAfterEdit();
  itemHelp("degrees about its own X, Y and Z that are added");
  if (!done) return false;
  dragged.clear();
  if (angles == vec3(0.0f))
    map.offsets.erase(joint);
  else
    map.offsets[joint] = angles;
  return true;
}

} // namespace

void motionMapControls(Session& session, Ui& ui) {
  const auto& report = session.document.bench.motion;
  if (!report || session.document.loaded.motion.empty()) return;
  if (!ImGui::TreeNodeEx("Joint map", ImGuiTreeNodeFlags_SpanAvailWidth)) return;
  MotionMap map = session.document.loaded.motionMap;
  bool changed = false;
  if (ImGui::BeginTable("##map", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchSame)) {
    ImGui::TableSetupColumn("joint");
    ImGui::TableSetupColumn("moved by");
    ImGui::TableSetupColumn("rotated by");
    ImGui::TableHeadersRow();
    for (const std::string& joint : modelJoints(*report)) {
      ImGui::PushID(joint.c_str());
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(joint.c_str());
      ImGui::TableNextColumn();
      changed |= mover(*report, joint, map);
      ImGui::TableNextColumn();
      changed |= offset(joint, map, ui.mapping.dragged, ui.mapping.angles);
      ImGui::PopID();
    }
    ImGui::EndTable();
  }
  const bool some = map != MotionMap{};
  if (wideButton("Save the map", "beside the model; --motion-map reads it", some, 0))
    saveMotionMap(session.document);
  if (wideButton("As names say", "without the map", some, 1)) {
    map = {};
    changed = true;
  }
  ImGui::TreePop();
  if (changed) remapMotion(session, map);
}

} // namespace sinew
