// What is in the model, what was wrong in its file, and what a draw leaves out.

#include "animation/retarget/motion.h"
#include "editor/session.h"
#include "rig/rig.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

namespace sinew {
namespace {

void row(const char* name, const std::string& value) {
  if (value.empty()) return;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(faintColor(), "%s", name);
  ImGui::TableNextColumn();
  textInLines(value);
}

void list(const char* title, const std::vector<std::string>& lines, const ImVec4& color) {
  if (lines.empty()) return;
  ImGui::Spacing();
  heading(fmt::format("{} ({})", title, lines.size()).c_str());
  for (const std::string& line : lines) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::Bullet();
    ImGui::PopStyleColor();
    textInLines(line);
  }
}

std::string describeInfluenceCut(const Document& document) {
  const InfluenceCut cut = influencesCut(document.workbench.rig.influences,
                                         static_cast<std::uint32_t>(document.settings.influences));
  if (cut.influences == 0) return "all influences";
  return fmt::format("{} left out at {} vertices; the largest weighs {:.3f}", cut.influences,
                     cut.vertices, cut.largestWeight);
}

std::string asText(const Model& model) {
  std::string text = fmt::format("{}\n", model.path.empty() ? model.name : model.path);
  for (const std::string& line : model.repairs)
    text += fmt::format("repaired: {}\n", line);
  for (const std::string& line : model.warnings)
    text += fmt::format("warning: {}\n", line);
  return text;
}

std::vector<std::string> listPairs(const MotionReport& report, NameMatch match) {
  std::vector<std::string> lines;
  for (const MatchedJoint& pair : report.matched)
    if (pair.match == match)
      lines.push_back(match == NameMatch::exact ? pair.joint
                                                : fmt::format("{} = {}", pair.joint, pair.motion));
  return lines;
}

// Which joint of the motion's file moves which of the model.
void motion(const MotionReport& report) {
  ImGui::Spacing();
  heading("Motion");
  faintText(fmt::format("{}, {}, scale {:.4g}", report.file,
                        report.exact        ? "copied key by key"
                        : report.sameFrames ? "rotations copied"
                                            : "converted to this skeleton's joint frames",
                        report.scale));
  list("Not in the model", report.unmatched, warningColor());
  list("Not moved by it", report.still, faintColor());
  list("Matched by the map of joints", listPairs(report, NameMatch::given), accentColor());
  list("Matched as parts of a body", listPairs(report, NameMatch::part), accentColor());
  list("Matched by nearly the same name", listPairs(report, NameMatch::normalised), faintColor());
  list("Matched by name", listPairs(report, NameMatch::exact), faintColor());
}

} // namespace

void reportTab(Session& session, Ui& ui) {
  const Document& document = session.document;
  const Model& model = document.workbench.model;
  Notes& notes = ui.notes;
  if (notes.revision != document.revisions.weights) notes = Notes{};
  notes.revision = document.revisions.weights;
  if (notes.limit != document.settings.influences) {
    notes.limit = document.settings.influences;
    notes.cut = describeInfluenceCut(document);
    notes.maxInfluences = maxInfluences(document.workbench.rig.influences);
  }
  if (ImGui::BeginTable("##facts", 2, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("name");
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
    row("Model", model.name);
    row("File", model.path);
    row("Format", model.format);
    row("Motion", document.loaded.motion);
    row("Bend ranges", document.workbench.zones.path);
    if (model.metersPerUnit) row("Unit", fmt::format("{:.4g} m", *model.metersPerUnit));
    row("Meshes", std::to_string(model.meshes.size()));
    row("Vertices", std::to_string(vertexCount(model)));
    row("Triangles", std::to_string(triangleCount(model)));
    row("Joints", std::to_string(jointNodes(model).size()));
    row("Nodes", std::to_string(model.hierarchy.nodes.size()));
    row("Clips", std::to_string(model.clips.size()));
    row("Influences", fmt::format("up to {} a vertex", notes.maxInfluences));
    row("Drawn", notes.cut);
    ImGui::EndTable();
  }
  list("Warnings", model.warnings, warningColor());
  list("Repaired", model.repairs, accentColor());
  if (model.warnings.empty() && model.repairs.empty())
    faintText("Nothing had to be repaired, nothing is missing.");
  if (document.workbench.motion) motion(*document.workbench.motion);
  motionMapControls(session, ui);
  materialList(model, ui);
  ImGui::Spacing();
  if (ImGui::Button("Copy the report")) ImGui::SetClipboardText(asText(model).c_str());
}

} // namespace sinew
