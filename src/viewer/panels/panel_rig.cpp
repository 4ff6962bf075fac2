// Edits of the whole rig: weights from another model, one side for the other, a new bind pose,
// fewer joints.

#include "app/vertex_colors.h"
#include "editor/rig_edits.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace sinew {
namespace {

// A button that starts an edit; its tooltip says why it cannot.
bool startButton(const Session& session, RigEditKind kind, const char* name, const char* help,
                 int column = 0, int columns = 1) {
  const std::string problem = rigEditProblem(session, kind);
  return wideButton(name, problem.empty() ? help : problem.c_str(), problem.empty(), column,
                    columns);
}

void percentSlider(const char* name, float& share, float high, const char* help) {
  float percent = 100.0f * share;
  if (namedSlider(name, &percent, 0.0f, high, "%.2f %%")) share = percent / 100.0f;
  itemHelp(help);
}

std::string selectedJointName(const Document& document) {
  return document.selected ? document.workbench.model.hierarchy.nodes[*document.selected].name : "";
}

// What of this model's own rig stays when it takes weights.
void keepControls(Session& session) {
  TransferRigOptions& options = session.rigEdits.choices.transfer;
  percentSlider("mix", options.mix, 100.0f,
                "share of the new weights; the rest is what this mesh has. Takes weights only");
  const std::string name = selectedJointName(session.document);
  const std::string label = name.empty() ? "Only a joint and below###only"
                                         : fmt::format("Only {} and below###only", name);
  bool only = !options.joints.empty();
  ImGui::BeginDisabled(name.empty());
  if (checkbox(label.c_str(), &only))
    options.joints = only ? std::vector<std::string>{name} : std::vector<std::string>{};
  options.below = true;
  ImGui::EndDisabled();
  itemHelp("take the weights of the selected joint and those below it alone; both models name them "
           "alike");
  checkbox("Keep this skeleton", &options.addJoints);
  itemHelp(
      "keep this skeleton and its clips, and add the joints that are missing; if off, those of the "
      "other model replace them");
  checkbox("Mirror image", &options.mirror);
  itemHelp("of the model that gives weights: its left joints' weights for the right ones");
}

void smoothingControls(TransferOptions& options) {
  auto steps = static_cast<int>(options.smoothing);
  labelAbove("Smoothing", steps == 0 ? "none" : fmt::format("{} steps", steps));
  if (ImGui::SliderInt("##smoothing", &steps, 0, 50, "", ImGuiSliderFlags_AlwaysClamp))
    options.smoothing = static_cast<std::uint32_t>(steps);
  itemHelp("smooths vertices without a match, and their neighbours within the distance");
  ImGui::BeginDisabled(steps == 0);
  checkbox("Everywhere##smoothed", &options.smoothAll);
  itemHelp("smooth matched vertices too");
  ImGui::EndDisabled();
}

void transferControls(Session& session, Ui& ui) {
  TransferOptions& options = session.rigEdits.choices.transfer.weights;
  section("Weights of another model");
  int by = static_cast<int>(options.by);
  ImGui::SetNextItemWidth(-1.0f);
  if (ImGui::Combo("##by", &by, "by the closest point\0by texture coordinates\0by vertex number\0"))
    options.by = static_cast<TransferBy>(by);
  itemHelp("how the matching point on the other model is found; the last two ignore positions");
  ImGui::BeginDisabled(options.by != TransferBy::surface);
  percentSlider("distance", options.distance, 20.0f,
                "how far the closest point may be, of the size of the mesh that gets weights");
  namedSlider("angle", &options.angle, 0.0f, 180.0f, "%.0f degrees");
  itemHelp("how far its normal may differ; what is beyond is filled in from its neighbours");
  checkbox("Normals may be flipped", &options.flipped);
  itemHelp("a normal that points the other way agrees too");
  ImGui::EndDisabled();
  // Another joint has been selected, or none.
  std::vector<std::string>& chosen = session.rigEdits.choices.transfer.joints;
  if (!chosen.empty() && chosen.front() != selectedJointName(session.document)) chosen.clear();
  if (header("Part of the weights, smoothing")) {
    keepControls(session);
    smoothingControls(options);
  }
  if (startButton(session, RigEditKind::take, "Take weights...",
                  "this mesh gets the skeleton, weights and clips of another model", 0, 2))
    openBrowser(ui, Browse::weights);
  if (startButton(session, RigEditKind::dress, "Dress in...",
                  "the meshes of another file get this model's weights and join it", 1, 2))
    openBrowser(ui, Browse::clothes);
}

void mirrorControls(Session& session) {
  MirrorRigOptions& options = session.rigEdits.choices.mirror;
  section("Mirror");
  percentSlider("mirror distance", options.distance, 10.0f,
                "how far the surface may be from the mirror image of a vertex, of the size");
  checkbox("Weights##mirrored", &options.weights);
  besideIfRoom(checkboxWidth("Shapes##mirrored"));
  checkbox("Shapes##mirrored", &options.shapes);
  besideIfRoom(checkboxWidth("Joints##mirrored"));
  checkbox("Joints##mirrored", &options.joints);
  itemHelp("joints of the other side move to the mirrored places, in bind pose and clips");
  for (const Side side : {Side::left, Side::right}) {
    const bool left = side == Side::left;
    if (!startButton(session, RigEditKind::mirror, left ? "Left to right" : "Right to left",
                     "sides are the character's own, by the joints' names", left ? 0 : 1, 2))
      continue;
    options.from = side;
    startRigEdit(session, RigEditKind::mirror);
  }
}

void poseControls(Session& session) {
  RigEditChoices& choices = session.rigEdits.choices;
  section("Bind pose");
  checkbox("Clips look exactly as before", &choices.exact);
  itemHelp(
      "each joint that shares vertices with another gets a child that never moves, and "
      "vertices get more weights, which engines of four cut. If off, weights are solved again");
  struct Target {
    const char* name;
    std::optional<ArmPose> arms;
    const char* help;
  };
  const Target targets[] = {
      {"T-pose", ArmPose::t, "straight arms to the sides, known by their joints' names"},
      {"A-pose", ArmPose::a, "straight arms 45 degrees below, known by their joints' names"},
      {"This pose", std::nullopt, "the pose on screen becomes the bind pose"}};
  for (int i = 0; i < 3; ++i) {
    const Target& target = targets[i];
    if (!startButton(session, RigEditKind::repose, target.name, target.help, i, 3)) continue;
    choices.arms = target.arms;
    startRigEdit(session, RigEditKind::repose);
  }
}

void reduceControls(Session& session) {
  RigEditChoices& choices = session.rigEdits.choices;
  section("Fewer joints");
  const int all = std::max(static_cast<int>(session.document.joints.size()), 1);
  auto joints = static_cast<int>(choices.joints);
  labelAbove("Joints", joints == 0 ? "as few as the tolerance allows" : std::to_string(joints));
  if (ImGui::SliderInt("##joints that stay", &joints, 0, all, "", ImGuiSliderFlags_AlwaysClamp))
    choices.joints = static_cast<std::uint32_t>(joints);
  itemHelp("how many stay; all the way left: as few as the tolerance allows");
  if (joints == 0)
    percentSlider("largest error", choices.tolerance, 5.0f, "in clips, of the model's size");
  auto influences = static_cast<float>(choices.influences);
  if (namedSlider("weights per vertex", &influences, 1.0f, static_cast<float>(kBakeInfluences),
                  "%.0f"))
    choices.influences = static_cast<std::uint32_t>(influences);
  itemHelp("at most; they are solved again over all clips");
  if (startButton(session, RigEditKind::reduce, "Reduce",
                  "joints that move nothing are removed, others are merged into their parents"))
    startRigEdit(session, RigEditKind::reduce);
}

// What runs, or what became of it.
void outcome(Session& session) {
  const RigEditState& state = session.rigEdits;
  if (state.job->running()) {
    const auto status = state.job->progress();
    ImGui::ProgressBar(status.fraction, {-1.0f, scaled(10)}, "");
    faintText(fmt::format("{} {}: {}  {:.1f} s",
                          rigEdits()[static_cast<std::size_t>(state.kind)].verb, status.name,
                          status.what, status.seconds));
    if (wideButton("Cancel", "discards the result  Escape", true, 0, 1)) cancelRigEdit(session);
    return;
  }
  if (!state.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, errorColor());
    textInLines(state.problem);
    ImGui::PopStyleColor();
  }
  if (!state.made || session.document.history.now().model != state.made) return;
  section("Result");
  for (const std::string& line : state.lines)
    faintText(line);
  if (!canShowMatches(session)) return;
  bool shown = state.showsMatches;
  if (checkbox("Show what was matched", &shown)) showMatches(session, shown);
  itemHelp(kMatchLegend);
  if (shown) faintText(kMatchLegend);
}

} // namespace

void rigTab(Session& session, Ui& ui) {
  faintText("Each edit takes the whole rig, in the background, and is one step to undo.");
  const bool running = session.rigEdits.job->running();
  if (running) outcome(session);
  ImGui::BeginDisabled(running);
  transferControls(session, ui);
  mirrorControls(session);
  poseControls(session);
  reduceControls(session);
  ImGui::EndDisabled();
  ImGui::Spacing();
  if (!running) outcome(session);
  ImGui::BeginDisabled(running);
  undoButtons(session.document);
  ImGui::EndDisabled();
}

} // namespace sinew
