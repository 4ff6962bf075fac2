// How a mesh is bound, and the result.

#include "editor/bind/binding.h"
#include "editor/edit_files.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"
#include "weights/weight_report.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

namespace sinew {
namespace {

void chooseAlgorithm(WeightOptions& options) {
  ImGui::SetNextItemWidth(-1.0f);
  const std::string shown(makeTitle(options.algorithm));
  if (ImGui::BeginCombo("##algorithm", shown.c_str())) {
    for (const WeightAlgorithmEntry& entry : weightAlgorithms()) {
      const std::string title(entry.title);
      if (ImGui::Selectable(title.c_str(), entry.algorithm == options.algorithm))
        options.algorithm = entry.algorithm;
      itemHelp(std::string(entry.summary).c_str());
    }
    ImGui::EndCombo();
  }
  itemHelp(std::string(findEntry(options.algorithm).summary).c_str());
}

// What bone glow and bone heat are solved on.
void chooseProxy(WeightOptions& options) {
  labelAbove("Voxels");
  if (ImGui::BeginCombo("##voxels", std::string(toString(options.proxy)).c_str())) {
    for (const WeightProxy proxy : {WeightProxy::automatic, WeightProxy::voxel, WeightProxy::none})
      if (ImGui::Selectable(std::string(toString(proxy)).c_str(), proxy == options.proxy))
        options.proxy = proxy;
    ImGui::EndCombo();
  }
  itemHelp(
      "solve on a closed mesh of voxels in the mesh's place: for meshes with holes, inner "
      "components or separate parts. auto: where much of the mesh sees no bone, or it is in open "
      "pieces");
}

void solverControls(WeightOptions& options) {
  checkbox("Spread over the surface", &options.diffusion);
  itemHelp("diffusion that smooths the weights; without it the initial weights are used");
  chooseProxy(options);
  if (options.algorithm != WeightAlgorithm::boneGlow) return;
  auto steps = static_cast<int>(options.glowSteps);
  labelAbove("Glow steps");
  if (ImGui::InputInt("##glow steps", &steps, 10, 100))
    options.glowSteps = static_cast<std::uint32_t>(std::clamp(steps, 0, 100000));
  itemHelp("sum a bone's light at this many points, as in the paper; 0: exact integral");
}

void distanceControls(WeightOptions& options) {
  if (options.algorithm == WeightAlgorithm::nearestBones) {
    labelAbove("Exponent");
    ImGui::SliderFloat("##exponent", &options.distanceExponent, 0.5f, 16.0f, "%.1f",
                       ImGuiSliderFlags_AlwaysClamp);
    itemHelp("weights are the distance to minus this power");
  } else if (options.algorithm == WeightAlgorithm::bonesBlending) {
    labelAbove("Reach");
    ImGui::SliderFloat("##reach", &options.jointReach, 0.01f, 0.5f, "%.2f",
                       ImGuiSliderFlags_AlwaysClamp);
    itemHelp("how far around a joint both bones count, as fractions of them");
  } else {
    float bounds[2] = {options.envelopes.inner, options.envelopes.outer};
    labelAbove("Envelope");
    if (ImGui::DragFloat2("##envelope", bounds, 0.02f, 0.0f, 20.0f, "%.2f",
                          ImGuiSliderFlags_AlwaysClamp))
      options.envelopes = {bounds[0], std::max(bounds[1], bounds[0] + 0.01f)};
    itemHelp("bounds of the falloff, as multiples of the radius of the skin about the bone");
  }
}

void algorithmControls(BindState& bind) {
  WeightOptions& options = bind.options;
  section("Weights");
  ImGui::BeginDisabled(binding(bind));
  chooseAlgorithm(options);
  auto limit = static_cast<int>(options.influences);
  labelAbove("Joints a vertex");
  if (ImGui::InputInt("##joints a vertex", &limit))
    options.influences = static_cast<std::uint32_t>(std::clamp(limit, 0, 64));
  itemHelp("number of largest weights kept; 0 keeps all. Rendering uses 4, 8 or 12, see Settings");
  if (findEntry(options.algorithm).solved)
    solverControls(options);
  else
    distanceControls(options);
  ImGui::EndDisabled();
}

void progress(Document& document, BindState& bind) {
  const auto status = bind.job->progress();
  ImGui::Spacing();
  ImGui::ProgressBar(status.fraction, {-1.0f, scaled(10)}, "");
  faintText(
      fmt::format("{}  {:.1f} s", status.what.empty() ? status.name : status.what, status.seconds));
  if (wideButton("Cancel", "discards the computation  Escape", true, 0, 1))
    cancelBinding(document, bind);
}

constexpr const char* kBind = "Bind";
constexpr const char* kCompare = "Compare both";

// Whether both buttons have room in one line.
bool besideEachOther() {
  return hasRoomInColumn(kBind) && hasRoomInColumn(kCompare);
}

void bindButtons(Document& document, BindState& bind) {
  if (binding(bind)) return progress(document, bind);
  const bool joints = getDraft(document) != nullptr || !document.joints.empty();
  ImGui::Spacing();
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  const bool start = wideButton(
      kBind, joints ? "compute weights, as one undo step  Ctrl+B" : "choose a skeleton first",
      joints, 0);
  ImGui::PopStyleColor();
  if (start) startBinding(document, bind);
  if (wideButton(kCompare, "bone heat on the left, bone glow on the right  Ctrl+Shift+B", joints,
                 1))
    startComparing(document, bind);
}

void comparedWeights(Document& document, BindState& bind) {
  auto& compared = bind.compared;
  if (!compared || getDraft(document) != compared->draft || binding(bind)) return;
  section("Bone heat and bone glow");
  const WeightDifference& difference = compared->difference;
  faintText(fmt::format("They differ by {:.4f} in the mean and {:.3f} at most (L1 a vertex, of 2).",
                        difference.mean, difference.largest));
  const auto& joints = compared->draft->skeleton.joints;
  const auto found = document.selected ? std::find(joints.begin(), joints.end(), *document.selected)
                                       : joints.end();
  const auto joint = static_cast<std::size_t>(found - joints.begin());
  if (joint < difference.joints.size())
    faintText(
        fmt::format("Of this, the selected joint: {:.4f} in the mean", difference.joints[joint]));
  for (const BoundWeights& set : compared->sets)
    faintText(fmt::format("{}: {:.2f} s", makeTitle(set.algorithm), set.weights.report.seconds));
  bool shown = compared->shown;
  if (checkbox("Weights side by side", &shown)) showCompared(document, bind, shown);
  itemHelp("weights of the selected joint in two views; turn off to edit the skeleton again");
  if (comparing(document, bind)) {
    visitSettings(document.settings, [&](const OptionInfo& info, auto& value) {
      if (info.name == "colormap") control(info, value);
    });
    colorScale(document.settings);
  }
  const bool heat = wideButton("Keep bone heat", "bind by these weights", true, 0);
  const bool glow = wideButton("Keep bone glow", "bind by these weights", true, 1);
  if (heat || glow) keepCompared(document, bind, glow ? 1 : 0);
}

void report(Session& session, Ui& ui) {
  Document& document = session.document;
  BindState& bind = session.bind;
  if (!bind.last || document.history.now().model != bind.lastModel) return;
  const WeightReport& report = bind.last->weights.report;
  section("The last binding");
  faintText(fmt::format("{}, {:.2f} s: rays {:.2f}, factorisation {:.2f}, spreading {:.2f}",
                        makeTitle(bind.last->algorithm), report.seconds, report.visibilitySeconds,
                        report.factorSeconds, report.solveSeconds));
  faintText(fmt::format(
      "Weight that the limit of joints removed at a vertex: at most {:.3f}, mean {:.4f}",
      report.largestCut, report.meanCut));
  const std::vector<std::string> lines = listAnomalies(report);
  if (lines.empty()) faintText("Nothing had to be repaired; every vertex sees a bone.");
  for (const std::string& line : lines) {
    ImGui::Bullet();
    textInLines(line);
  }
  if (wideButton("Save as .glb", "mesh, skeleton, weights, clips and textures  Ctrl+E",
                 !drafting(document), 0))
    saveEdits(session, SaveKind::model);
  if (wideButton("Add a motion...", "the clip of another file, by joint name; it plays  Ctrl+M",
                 !drafting(document), 1))
    openBrowser(ui, Browse::motion);
}

} // namespace

void bindTab(Session& session, Ui& ui) {
  Document& document = session.document;
  BindState& bind = session.bind;
  if (!bindable(document)) {
    faintText("No single mesh to bind.");
    return;
  }
  // The buttons stay where they are whatever is above them: sections come and go while a joint is
  // dragged.
  const bool buttons = !comparing(document, bind);
  const float line = ImGui::GetFrameHeightWithSpacing();
  const float lines = besideEachOther() ? 2.0f : 3.0f;
  const float below = buttons ? lines * line + scaled(44) : line;
  ImGui::BeginChild("##bind", {0, -below});
  if (!bind.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, errorColor());
    textInLines(bind.problem);
    ImGui::PopStyleColor();
    ImGui::Spacing();
  }
  skeletonControls(document, bind, ui);
  if (buttons) algorithmControls(bind);
  comparedWeights(document, bind);
  report(session, ui);
  ImGui::EndChild();
  if (buttons) bindButtons(document, bind);
  ImGui::BeginDisabled(binding(bind));
  undoButtons(document);
  ImGui::EndDisabled();
}

} // namespace sinew
