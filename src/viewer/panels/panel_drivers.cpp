// The pose drivers: what reads which joint and drives what, key poses, and the weights of the keys
// over the clip.

#include "editor/edit_files.h"
#include "editor/file_list.h"
#include "editor/pose/driving.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

constexpr std::array kFalloffNames = {"gaussian", "thin plate", "linear"};
constexpr std::size_t kMoments = 64; // samples of a clip in the curve

// Distinct colours for any number of keys: hues a golden section apart.
ImU32 colorOfKey(std::size_t key) {
  const auto hue = static_cast<float>(key) * 0.618034f;
  return ImColor::HSV(hue - std::floor(hue), 0.6f, 0.9f);
}

std::string drivenBy(const PoseDriver& driver) {
  std::vector<std::string> all = driver.joints;
  all.insert(all.end(), driver.morphs.begin(), driver.morphs.end());
  return fmt::format("{}", fmt::join(all, ", "));
}

// Joints and morph targets that a driver can have, by what is typed.
void addPopup(Document& document, Ui& ui) {
  if (!ImGui::BeginPopup("add driver")) return;
  const Model& model = document.workbench.model;
  faintText(fmt::format("{} drives", nodeName(document, *document.selected)));
  ImGui::SetNextItemWidth(scaled(200));
  ImGui::InputTextWithHint("##search", "search", &ui.driverSearch);
  const auto fits = [&](const std::string& name) {
    return ui.driverSearch.empty() || holdsWords(name, ui.driverSearch);
  };
  ImGui::BeginChild("##things", {scaled(220), scaled(240)});
  for (const std::string& label : morphLabels(model))
    if (fits(label) && ImGui::Selectable(fmt::format("{} (morph target)", label).c_str())) {
      addMorphDriver(document, label);
      ImGui::CloseCurrentPopup();
    }
  for (const std::uint32_t node : document.joints)
    if (node != *document.selected && fits(nodeName(document, node)) &&
        ImGui::Selectable(nodeName(document, node).c_str())) {
      addJointDriver(document, nodeName(document, node));
      ImGui::CloseCurrentPopup();
    }
  ImGui::EndChild();
  ImGui::EndPopup();
}

void addButton(Document& document, Ui& ui) {
  ImGui::BeginDisabled(!document.selected);
  const std::string label = document.selected ? fmt::format("Add one that reads {}",
                                                            nodeName(document, *document.selected))
                                              : std::string("Select a joint to be read");
  if (button(label.c_str(), -1.0f)) ImGui::OpenPopup("add driver");
  ImGui::EndDisabled();
  if (document.selected) addPopup(document, ui);
}

void list(Document& document, Ui& ui) {
  const DriverSet& set = getDrivers(document);
  if (set.drivers.empty())
    faintText("None. A driver makes a helper joint or a corrective shape follow the rotations of "
              "joints, in every pose.");
  for (std::size_t i = 0; i < set.drivers.size(); ++i) {
    const PoseDriver& driver = set.drivers[i];
    ImGui::PushID(static_cast<int>(i));
    bool on = driver.on;
    if (ImGui::Checkbox("##on", &on)) {
      DriverSet changed = set;
      changed.drivers[i].on = on;
      changeDrivers(document, std::move(changed), on ? "Driver on" : "Driver off");
    }
    itemHelp(
        "off: the driven values keep the pose's own, so that you can pose them by hand for a key");
    ImGui::SameLine();
    const std::string name = driver.name.empty() ? std::string(kindWord(driver)) : driver.name;
    if (ImGui::Selectable(name.c_str(), ui.driver == i)) ui.driver = i;
    itemHelp(fmt::format("{}: drives {}", kindWord(driver), drivenBy(driver)).c_str());
    ImGui::PopID();
  }
}

// The weight of each key over the clip, with a line at the shown time.
void curve(const Document& document, std::size_t driver) {
  const auto curves = keyWeightsOverClip(document, driver, kMoments);
  if (curves.empty()) return;
  const ImVec2 size{ImGui::GetContentRegionAvail().x, scaled(70)};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  itemHelp("weights of the keys over the clip, from 0 to 1");
  ImDrawList& lines = *ImGui::GetWindowDrawList();
  lines.AddRect(at, {at.x + size.x, at.y + size.y}, ImGui::GetColorU32(ImGuiCol_Border));
  const auto x = [&](float share) { return at.x + share * size.x; };
  for (std::size_t k = 0; k < curves.size(); ++k) {
    std::vector<ImVec2> points;
    for (std::size_t i = 0; i < curves[k].size(); ++i)
      points.push_back({x(static_cast<float>(i) / static_cast<float>(kMoments - 1)),
                        at.y + size.y * (1.0f - std::clamp(curves[k][i], 0.0f, 1.0f))});
    lines.AddPolyline(points.data(), static_cast<int>(points.size()), colorOfKey(k), 0,
                      scaled(1.5f));
  }
  const float seconds = document.workbench.model.clips[*document.workbench.clip].seconds;
  if (seconds > 0.0f) {
    const float now = x(std::clamp(document.settings.time / seconds, 0.0f, 1.0f));
    lines.AddLine({now, at.y}, {now, at.y + size.y}, ImGui::GetColorU32(accentColor()));
  }
}

void keys(Document& document, std::size_t index) {
  const DriverSet& set = getDrivers(document);
  const auto& rbf = std::get<RbfDriver>(set.drivers[index].kind);
  int falloff = static_cast<int>(rbf.shape.falloff);
  ImGui::SetNextItemWidth(-1.0f);
  if (ImGui::Combo("##falloff", &falloff, kFalloffNames.data(),
                   static_cast<int>(kFalloffNames.size()))) {
    DriverSet changed = set;
    std::get<RbfDriver>(changed.drivers[index].kind).shape.falloff = static_cast<Falloff>(falloff);
    return changeDrivers(document, std::move(changed), "Falloff of a driver");
  }
  itemHelp("the influence of a key over the distance from it");
  const std::vector<float> weights =
      document.stale
          ? std::vector<float>()
          : document.workbench.preparedDrivers.keyWeights(index, document.workbench.pose);
  std::optional<std::size_t> gone;
  for (std::size_t k = 0; k < rbf.keys.size(); ++k) {
    ImGui::PushID(static_cast<int>(k));
    const std::string weight = k < weights.size() ? fmt::format("{:.2f}", weights[k]) : "";
    ImGui::TextColored(ImColor(colorOfKey(k)), "%s", rbf.keys[k].name.c_str());
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - scaled(70));
    ImGui::TextUnformatted(weight.c_str());
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - scaled(22));
    if (ImGui::SmallButton("x")) gone = k;
    itemHelp("delete this key pose");
    ImGui::PopID();
  }
  if (gone) {
    DriverSet changed = set;
    auto& list = std::get<RbfDriver>(changed.drivers[index].kind).keys;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(*gone));
    return changeDrivers(document, std::move(changed), "Delete a key pose");
  }
  if (button("Add a key pose from here", -1.0f)) addKeyFromHere(document, index);
  itemHelp("the driven values as shown, at the shown rotations");
}

void share(Document& document, std::size_t index) {
  DriverSet set = getDrivers(document);
  auto& kind = std::get<ShareDriver>(set.drivers[index].kind);
  if (namedSlider("share", &kind.share, -1.0f, 1.0f, "%.2f"))
    changeDrivers(document, std::move(set), "Share of a driver");
}

// Its tooltip has the whole text where that does not fit.
void shortenedHeading(const std::string& text) {
  ImGui::PushFont(boldFont());
  const std::string shown = shortenedText(text, ImGui::GetContentRegionAvail().x);
  ImGui::PopFont();
  heading(shown.c_str());
  if (shown != text) itemHelp(text.c_str());
}

void chosen(Document& document, Ui& ui) {
  const DriverSet& set = getDrivers(document);
  if (set.drivers.empty()) return;
  ui.driver = std::min(ui.driver, set.drivers.size() - 1);
  const PoseDriver driver = set.drivers[ui.driver];
  ImGui::Separator();
  shortenedHeading(fmt::format("{}: {}", kindWord(driver), driver.name));
  std::vector<std::string> inputs;
  for (const DriverInput& input : getInputs(driver))
    inputs.push_back(input.joint);
  faintText(fmt::format("reads {}; drives {}", fmt::join(inputs, ", "), drivenBy(driver)));
  if (std::holds_alternative<RbfDriver>(driver.kind)) keys(document, ui.driver);
  if (std::holds_alternative<ShareDriver>(driver.kind)) share(document, ui.driver);
  curve(document, ui.driver);
  if (wideButton("Mirror", "the same for the other side", true, 0))
    mirrorDriver(document, ui.driver);
  if (wideButton("Delete", "deletes this driver; its shape stays a morph target", true, 1)) {
    DriverSet changed = getDrivers(document);
    changed.drivers.erase(changed.drivers.begin() + static_cast<std::ptrdiff_t>(ui.driver));
    changeDrivers(document, std::move(changed), "Delete a driver");
  }
}

} // namespace

void driversTab(Session& session, Ui& ui) {
  Document& document = session.document;
  if (!hasModel(document) || document.crowd) {
    faintText("No single model to drive.");
    return;
  }
  heading("Pose drivers");
  list(document, ui);
  addButton(document, ui);
  chosen(document, ui);
  ImGui::Separator();
  sculptControls(session);
  ImGui::Separator();
  undoButtons(document);
  if (button("Save the drivers", -1.0f)) saveEdits(session, SaveKind::drivers);
  itemHelp("beside the model, from where every command reads them");
  if (button("Open drivers...", -1.0f)) openBrowser(ui, Browse::edits);
}

} // namespace sinew
