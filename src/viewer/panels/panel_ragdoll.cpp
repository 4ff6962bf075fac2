// The ragdoll: what it does, how severe its joints are, and its set-up.

#include "editor/edit_files.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/state/view_layout.h"
#include "viewer/tools/tools.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>
#include <imgui/imgui.h>

#include <algorithm>

namespace sinew {
namespace {

const char* solverLabel(JointSolver solver) {
  switch (solver) {
  case JointSolver::bullet:
    return "Bullet's constraints";
  case JointSolver::severity:
    return "Severity (the paper's)";
  case JointSolver::reduced:
    return "Reduced coordinates";
  }
  return "";
}

void switchButtons(Document& document, RagdollPlay& play, const Ui& ui) {
  const bool falls = ragdollActive(play) && play.backLeft <= 0.0;
  if (button(falls ? "Back to the animation" : "Fall")) toggleFall(document, play);
  besideIfRoom(buttonWidth("Throw a ball"));
  if (button("Throw a ball")) throwBall(document, play, computeEye(document, ui));
  itemHelp("throws a ball from the camera at the model");
  if (button(play.recording ? "Stop recording" : "Record"))
    recordRagdoll(document, play, !play.recording);
  besideIfRoom(buttonWidth("Export as .glb"));
  ImGui::BeginDisabled(play.recorded.empty());
  if (button("Export as .glb")) exportRagdoll(document, play);
  ImGui::EndDisabled();
}

// What a fall begins with starts it again.
void choices(Document& document, RagdollPlay& play) {
  bool restart = false;
  ImGui::SetNextItemWidth(-1.0f);
  if (ImGui::BeginCombo("##solver", solverLabel(play.solver))) {
    for (const JointSolver solver : kJointSolvers)
      if (ImGui::Selectable(solverLabel(solver), play.solver == solver) && play.solver != solver) {
        play.solver = solver;
        restart = true;
      }
    ImGui::EndCombo();
  }
  float strength = play.strength;
  if (namedSlider("drive", &strength, 0.0f, 2.0f, "%.2f")) setRagdollStrength(play, strength);
  itemHelp("motors towards the animation's pose; 1 holds limbs up");
  bool partial = !play.partial.empty();
  const std::string selected =
      document.selected ? document.workbench.model.hierarchy.nodes[*document.selected].name
                        : std::string();
  ImGui::BeginDisabled(!partial && selected.empty());
  const std::string label =
      fmt::format("Only {} and below", partial            ? play.partial
                                       : selected.empty() ? "the selected joint"
                                                          : selected);
  if (checkbox((label + "###partial").c_str(), &partial)) {
    play.partial = partial ? selected : std::string();
    restart = true;
  }
  ImGui::EndDisabled();
  restart |= checkbox("Walls", &play.walls);
  besideIfRoom(checkboxWidth("Bodies and limits"));
  checkbox("Bodies and limits", &play.shapes);
  if (restart && ragdollActive(play)) startRagdoll(document, play);
}

void severities(const RagdollPlay& play) {
  if (!play.fall) return;
  const RagdollFall& fall = *play.fall;
  faintText(fmt::format("{:.2f} s, {:.2f} J moving{}", fall.seconds, fall.state.kinetic,
                        fall.state.resting ? ", at rest" : ""));
  if (fall.pace < 0.95 && !fall.state.resting)
    faintText(fmt::format("slow motion: {:.2f} of real time", fall.pace));
  if (!ImGui::BeginTable("##severity", 2, ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("joint", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("severity");
  const std::vector<RagdollJoint>& joints = fall.ragdoll.config().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const double severity = fall.state.joints[j].severity;
    const vec3 color = severityColor(severity, fall.ragdoll.height());
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    textInLines(joints[j].child);
    ImGui::TableNextColumn();
    ImGui::TextColored({color.x, color.y, color.z, 1.0f}, "%.2f mm", 1000.0 * severity);
  }
  ImGui::EndTable();
}

// A slider in degrees for an angle in radians, with its name above it.
bool angleSlider(const char* name, float& radians, float low, float high) {
  float degrees = glm::degrees(radians);
  if (!namedSlider(name, &degrees, low, high, "%.0f\xc2\xb0")) return false;
  radians = glm::radians(std::clamp(degrees, low, high));
  return true;
}

void bodyControls(RagdollBody& body, float size) {
  int shape = body.shape == BodyShape::box ? 1 : 0;
  const float volume = computeVolume(body);
  if (ImGui::Combo("##shape", &shape, "capsule\0box\0")) {
    // The other shape begins as large as the one before.
    if (shape == 1 && body.shape == BodyShape::capsule)
      body.halfExtents = {body.radius, 0.5f * body.length + body.radius, body.radius};
    if (shape == 0 && body.shape == BodyShape::box) {
      body.radius = 0.5f * (body.halfExtents.x + body.halfExtents.z);
      body.length = 2.0f * std::max(body.halfExtents.y - body.radius, 0.0f);
    }
    body.shape = shape == 1 ? BodyShape::box : BodyShape::capsule;
  }
  const float min = 1e-3f * size;
  const float max = 0.5f * size;
  if (body.shape == BodyShape::box) {
    static constexpr const char* kNames[] = {"half width", "half length", "half depth"};
    for (int i = 0; i < 3; ++i)
      namedSlider(kNames[i], &body.halfExtents[i], min, max, "%.4g");
  } else {
    namedSlider("radius", &body.radius, min, max, "%.4g");
    namedSlider("length", &body.length, 0.0f, max, "%.4g");
  }
  if (computeVolume(body) != volume) body.mass *= computeVolume(body) / volume; // keeps the density
  namedSlider("mass", &body.mass, 0.01f, std::max(100.0f, body.mass), "%.2f kg");
  namedSlider("restitution", &body.restitution, 0.0f, 1.0f, "%.2f");
}

void jointControls(RagdollJoint& joint) {
  int type = joint.type == RagdollJointType::universal ? 1 : 0;
  if (ImGui::Combo("##type", &type, "hinge\0universal\0"))
    joint.type = type == 1 ? RagdollJointType::universal : RagdollJointType::hinge;
  if (joint.type == RagdollJointType::hinge) {
    angleSlider("back", joint.backAngle, -180.0f, glm::degrees(joint.frontAngle));
    angleSlider("front", joint.frontAngle, glm::degrees(joint.backAngle), 180.0f);
  } else {
    angleSlider("turns", joint.rotationalFreedom, 0.0f, 180.0f);
    angleSlider("bends", joint.bendFreedom, 0.0f, 180.0f);
  }
}

// Sets up the body of the selected joint, or the body that carries it.
void setUp(Session& session) {
  Document& document = session.document;
  RagdollPlay& play = session.play;
  const RagdollConfig* now = ragdollConfig(document, play);
  if (now == nullptr) return faintText(play.problem);
  RagdollConfig config = *now;
  const auto size = static_cast<float>(measureSize(config.bodies).longest);
  namedSlider("friction", &config.friction, 0.0f, 1.5f, "%.2f");
  namedSlider("joint friction", &config.jointFriction, 0.0f, 0.5f, "%.3f");
  namedSlider("joint damping", &config.jointDamping, 0.0f, 1.0f, "%.3f");
  namedSlider("damping", &config.linearDamping, 0.0f, 0.95f, "%.2f");
  namedSlider("angular damping", &config.angularDamping, 0.0f, 0.95f, "%.2f");
  const std::string name = document.selected
                               ? document.workbench.model.hierarchy.nodes[*document.selected].name
                               : std::string();
  const auto body = std::find_if(config.bodies.begin(), config.bodies.end(), [&](const auto& each) {
    return each.bone == name ||
           std::find(each.merged.begin(), each.merged.end(), name) != each.merged.end();
  });
  if (body == config.bodies.end()) {
    faintText("Select a joint to change its body and limits.");
  } else {
    heading(body->bone.c_str());
    bodyControls(*body, size);
    const auto joint =
        std::find_if(config.joints.begin(), config.joints.end(),
                     [&](const RagdollJoint& each) { return each.child == body->bone; });
    if (joint != config.joints.end()) {
      faintText(fmt::format("joint on {}", joint->parent));
      jointControls(*joint);
    }
  }
  changeRagdoll(document, play, std::move(config));
  ImGui::BeginDisabled(!play.changed);
  if (ImGui::Button("Save")) saveEdits(session, SaveKind::ragdoll);
  ImGui::EndDisabled();
}

} // namespace

void ragdollTab(Session& session, const Ui& ui) {
  Document& document = session.document;
  RagdollPlay& play = session.play;
  if (!hasModel(document) || document.crowd) {
    faintText("A crowd does not fall.");
    return;
  }
  switchButtons(document, play, ui);
  if (fittingRagdoll(play))
    faintText(fmt::format("bodies are being fitted to the skin: {:.0f} s  Escape cancels",
                          play.fitting->progress().seconds));
  choices(document, play);
  severities(play);
  if (header("Setup")) setUp(session);
}

} // namespace sinew
