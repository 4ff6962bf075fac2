// The skeleton a mesh is bound to, how, and what came of it.

#include "viewer/bind.h"
#include "viewer/controls.h"
#include "viewer/file_browser.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"
#include "weights/weight_report.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

void help(const char* text) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(scaled(320));
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

// Two buttons to a line, or one alone.
bool button(const char* name, const char* text, bool enabled, int column, int columns = 2) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float width = (ImGui::GetContentRegionMax().x - static_cast<float>(columns - 1) * gap) /
                          static_cast<float>(columns) -
                      scaled(2);
  if (column > 0) ImGui::SameLine();
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(name, {width, 0});
  ImGui::EndDisabled();
  help(text);
  return pressed;
}

void section(const char* name) {
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
  heading(name);
}

const Draft* draftOf(const Viewer& viewer) {
  return viewer.edit.history.now().draft.get();
}

void skeletonChoice(Viewer& viewer) {
  const Draft* draft = draftOf(viewer);
  const bool idle = !binding(viewer);
  heading("Skeleton");
  if (draft != nullptr)
    ImGui::TextWrapped("%s: %zu joints, %zu bones", draft->origin.c_str(),
                       draft->skeleton.joints.size(), draft->skeleton.bones.size());
  else if (viewer.joints.empty())
    faintText("This model has no skeleton. Choose one, or make one by hand.");
  else
    faintText(fmt::format("The model's own: {} joints. Bind gives them new weights; edit them "
                          "first, or choose another skeleton.",
                          viewer.joints.size()));
  if (button("From a file...", "a .tgf, a .bvh, or a model whose joints are taken  Ctrl+K", idle,
             0))
    openBrowser(viewer, Browse::skeleton);
  if (button("By hand", "begin with a single joint in the middle of the mesh", idle, 1))
    draftByHand(viewer);
  if (draft != nullptr) {
    if (button("Leave it unbound", "back to the model as it was; undo brings the skeleton back",
               idle, 0, 1))
      leaveDraft(viewer);
  } else if (button("Edit the model's joints", "to move, add or remove joints before binding again",
                    idle && !viewer.joints.empty(), 0, 1)) {
    draftOwnJoints(viewer);
  }
}

void endStep(Viewer& viewer, const char* what) {
  if (ImGui::IsItemDeactivatedAfterEdit()) commitEdit(viewer, what);
}

void placementControls(Viewer& viewer) {
  const Draft* draft = draftOf(viewer);
  if (draft == nullptr || !draft->source) return;
  section("Where it stands");
  SkeletonPlacement placement = draft->placement;
  bool changed = ImGui::Checkbox("Fit into the mesh", &placement.fit);
  help("scale and move the skeleton into the mesh's box");
  ImGui::SameLine(0.56f * ImGui::GetContentRegionAvail().x);
  changed |= ImGui::Checkbox("Z is up", &placement.zUp);
  help("the skeleton's axis that points up is Z, not Y");
  if (changed) {
    placeDraft(viewer, placement);
    commitEdit(viewer, "Place the skeleton");
    return;
  }
  ImGui::BeginDisabled(placement.fit);
  ImGui::SetNextItemWidth(-scaled(56));
  if (ImGui::DragFloat("scale", &placement.scale, 0.01f * placement.scale, 1e-6f, 1e6f, "%.4g"))
    if (placement.scale > 0.0f) placeDraft(viewer, placement);
  endStep(viewer, "Scale the skeleton");
  help("the skeleton's size, as a multiple of the file's");
  ImGui::SetNextItemWidth(-scaled(56));
  const float step = 0.002f * viewer.orbit.framed.size();
  if (ImGui::DragFloat3("offset", &placement.offset.x, step, 0.0f, 0.0f, "%.3g"))
    placeDraft(viewer, placement);
  endStep(viewer, "Move the skeleton");
  help("moves the skeleton after scaling, in the mesh's unit");
  ImGui::EndDisabled();
}

void nameField(Viewer& viewer) {
  BindState& bind = viewer.bind;
  const std::string& name = viewer.bench.model.hierarchy.nodes[*viewer.selected].name;
  if (bind.named != viewer.selected) bind.name = name;
  bind.named = viewer.selected;
  ImGui::SetNextItemWidth(-scaled(56));
  ImGui::InputText("name", &bind.name);
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    renameDraftJoint(viewer, bind.name);
    bind.named.reset();
  } else if (!ImGui::IsItemActive()) {
    bind.name = name;
  }
  help("Enter renames the joint; a name that is taken gets a number");
}

void placeField(Viewer& viewer) {
  vec3 place(viewer.bench.modelFromNode[*viewer.selected][3]);
  ImGui::SetNextItemWidth(-scaled(56));
  const float step = 0.001f * viewer.orbit.framed.size();
  const bool changed = ImGui::DragFloat3("place", &place.x, step, 0.0f, 0.0f, "%.4g");
  if (ImGui::IsItemActivated()) viewer.bind.grabbed = viewer.edit.history.now().draft;
  if (changed) dragDraftJoint(viewer, place);
  endStep(viewer, "Move the joint");
  help("in model space; or drag the arrows in the picture");
}

void jointControls(Viewer& viewer) {
  if (draftOf(viewer) == nullptr) return;
  BindState& bind = viewer.bind;
  section("Joints");
  ImGui::BeginDisabled(binding(viewer) || comparing(viewer));
  if (viewer.selected) {
    nameField(viewer);
    placeField(viewer);
  } else {
    faintText("Click a joint in the picture or in the list, then drag its arrows.");
  }
  const bool selected = viewer.selected.has_value();
  if (button("Add a joint", "below the selected one  Insert", selected, 0)) addDraftJoint(viewer);
  if (button("Remove", "joints below it hang on the one above then  Delete", selected, 1))
    removeDraftJoint(viewer);
  bool along = bind.below == Below::goesAlong;
  if (ImGui::Checkbox("Joints below go along", &along))
    bind.below = along ? Below::goesAlong : Below::stays;
  help("when a joint is moved; else they stay where they are");
  ImGui::Checkbox("Both sides", &bind.bothSides);
  help(
      "what is done to a joint is done to its mirror image, found by name (arm_L, arm_R) or place");
  if (bind.bothSides) {
    ImGui::SameLine(0.5f * ImGui::GetContentRegionAvail().x);
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::Combo("##across", &bind.mirrorAxis, "across x\0across y\0across z\0");
    help("the plane between the sides stands across this axis, in the middle of the mesh");
  }
  ImGui::EndDisabled();
}

void algorithmControls(Viewer& viewer) {
  WeightOptions& options = viewer.bind.options;
  section("Weights");
  ImGui::BeginDisabled(binding(viewer));
  const auto choose = [&](WeightAlgorithm algorithm, const char* text) {
    if (ImGui::RadioButton(std::string(titleOf(algorithm)).c_str(), options.algorithm == algorithm))
      options.algorithm = algorithm;
    help(text);
  };
  choose(WeightAlgorithm::boneGlow,
         "a vertex belongs to every bone whose light falls on the inner side of its surface "
         "(Wareham and Lasenby 2008)");
  ImGui::SameLine(0.5f * ImGui::GetContentRegionAvail().x);
  choose(WeightAlgorithm::boneHeat,
         "a vertex belongs to its nearest visible bone (Baran and Popovic 2007)");
  auto kept = static_cast<int>(options.influences);
  ImGui::SetNextItemWidth(scaled(110));
  if (ImGui::InputInt("joints a vertex", &kept))
    options.influences = static_cast<std::uint32_t>(std::clamp(kept, 0, 64));
  help("kept per vertex, the largest; 0 keeps all. Drawing keeps 4, 8 or 12, see Settings");
  ImGui::Checkbox("Spread over the surface", &options.diffusion);
  help("the diffusion that makes weights smooth; without it they are as the bones give them");
  const bool glow = options.algorithm == WeightAlgorithm::boneGlow;
  ImGui::BeginDisabled(!glow);
  auto steps = static_cast<int>(options.glowSteps);
  ImGui::SetNextItemWidth(scaled(110));
  if (ImGui::InputInt("glow steps", &steps, 10, 100))
    options.glowSteps = static_cast<std::uint32_t>(std::clamp(steps, 0, 100000));
  help("bone glow: sum a bone's light at so many points, as the paper does; 0 integrates exactly");
  ImGui::EndDisabled();
  ImGui::EndDisabled();
}

void progress(Viewer& viewer) {
  const auto status = viewer.bind.job->progress();
  ImGui::Spacing();
  ImGui::ProgressBar(status.fraction, {-1.0f, scaled(10)}, "");
  faintText(
      fmt::format("{}  {:.1f} s", status.what.empty() ? status.name : status.what, status.seconds));
  if (button("Cancel", "nothing changes  Escape", true, 0, 1)) cancelBinding(viewer);
}

void bindButtons(Viewer& viewer) {
  if (binding(viewer)) return progress(viewer);
  const bool joints = draftOf(viewer) != nullptr || !viewer.joints.empty();
  ImGui::Spacing();
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  const bool bind = button("Bind",
                           joints ? "make weights; one step that undo takes back  Ctrl+B"
                                  : "choose a skeleton first",
                           joints, 0);
  ImGui::PopStyleColor();
  if (bind) startBinding(viewer);
  if (button("Compare both", "bone heat on the left, bone glow on the right  Ctrl+Shift+B", joints,
             1))
    startComparing(viewer);
}

void comparedWeights(Viewer& viewer) {
  auto& compared = viewer.bind.compared;
  if (!compared || draftOf(viewer) != compared->draft.get() || binding(viewer)) return;
  section("Bone heat and bone glow");
  const WeightDifference& difference = compared->difference;
  faintText(fmt::format("They differ by {:.4f} in the mean and {:.3f} at most (L1 a vertex, of 2).",
                        difference.mean, difference.largest));
  const auto& joints = compared->draft->skeleton.joints;
  const auto found =
      viewer.selected ? std::find(joints.begin(), joints.end(), *viewer.selected) : joints.end();
  const auto joint = static_cast<std::size_t>(found - joints.begin());
  if (joint < difference.joints.size())
    faintText(fmt::format("Part of this joint in the mean: {:.4f}", difference.joints[joint]));
  for (const BoundWeights& set : compared->sets)
    faintText(fmt::format("{}: {:.2f} s", titleOf(set.algorithm), set.weights.report.seconds));
  bool shown = compared->shown;
  if (ImGui::Checkbox("Weights side by side", &shown)) showCompared(viewer, shown);
  help("of the selected joint, in two views; without it the skeleton can be edited again");
  if (comparing(viewer)) {
    visitSettings(viewer.settings, [&](const OptionInfo& info, auto& value) {
      if (info.name == "colormap") control(info, value);
    });
    colorScale(viewer.settings);
  }
  const bool heat = button("Keep bone heat", "bind by these weights", true, 0);
  const bool glow = button("Keep bone glow", "bind by these weights", true, 1);
  if (heat || glow) keepCompared(viewer, glow ? 1 : 0);
}

void report(Viewer& viewer) {
  if (!viewer.bind.last || viewer.edit.history.now().model != viewer.bind.lastModel) return;
  const WeightReport& report = viewer.bind.last->weights.report;
  section("The last binding");
  faintText(fmt::format("{}, {:.2f} s: rays {:.2f}, factorisation {:.2f}, spreading {:.2f}",
                        titleOf(viewer.bind.last->algorithm), report.seconds,
                        report.visibilitySeconds, report.factorSeconds, report.solveSeconds));
  faintText(fmt::format("Weight cut off a vertex: {:.4f} at most, {:.5f} in the mean",
                        report.largestCut, report.meanCut));
  const std::vector<std::string> lines = odditiesOf(report);
  if (lines.empty()) faintText("Nothing had to be repaired; every vertex sees a bone.");
  for (const std::string& line : lines) {
    ImGui::Bullet();
    ImGui::TextWrapped("%s", line.c_str());
  }
  if (button("Save as .glb", "mesh, skeleton, weights, clips and textures  Ctrl+E",
             !drafting(viewer), 0, 1))
    saveModel(viewer);
}

} // namespace

void bindTab(Viewer& viewer) {
  if (!bindable(viewer)) {
    faintText("No single mesh to bind.");
    return;
  }
  if (!viewer.bind.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, errorColor());
    ImGui::TextWrapped("%s", viewer.bind.problem.c_str());
    ImGui::PopStyleColor();
    ImGui::Spacing();
  }
  skeletonChoice(viewer);
  if (comparing(viewer)) {
    comparedWeights(viewer);
  } else {
    placementControls(viewer);
    jointControls(viewer);
    algorithmControls(viewer);
    bindButtons(viewer);
    comparedWeights(viewer);
  }
  report(viewer);
  ImGui::Spacing();
  ImGui::BeginDisabled(binding(viewer));
  undoButtons(viewer);
  ImGui::EndDisabled();
}

} // namespace sinew
