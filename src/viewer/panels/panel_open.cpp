#include "editor/bind/binding.h"
#include "editor/model_files.h"
#include "editor/motions.h"
#include "editor/session.h"
#include "editor/side_imports.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Titles, indexed by Browse.
constexpr const char* kTitles[] = {"Open a model",
                                   "Put motion on the model",
                                   "Add motions",
                                   "Open a pose, bend ranges, layers or splines",
                                   "Choose a skeleton",
                                   "Light from a picture",
                                   "Open a model beside the main one",
                                   "Weights of another model",
                                   "Dress the character"};
constexpr const char* kHelp[] = {
    "",
    "The animation of this file is put on the model by joint name.",
    "The clips of this file follow the model's own, by joint name.",
    "As saved here, in JSON.",
    "A skeleton to bind the mesh to: a .tgf, a .bvh, or a model with joints.",
    "A picture of everything around, twice as wide as high (equirectangular): .hdr, .png or .jpg.",
    "It is shown in a view of its own, to be compared; up to six models are side by side.",
    "A rigged model that stands in the same place: its skeleton and weights for this mesh.",
    "Meshes that stand in the same place get this character's weights, and join it."};

// The name behind ### is the same for all, so that the dialog is one.
std::string makeTitle(const OpenDialog& dialog) {
  return fmt::format("{}###open", kTitles[static_cast<std::size_t>(dialog.purpose)]);
}

std::vector<std::string> extensionsFor(Browse purpose) {
  if (purpose == Browse::edits) return {".json"};
  if (purpose == Browse::light) return lightPictureExtensions();
  std::vector<std::string> all = modelExtensions();
  if (purpose == Browse::skeleton) all.emplace_back(".tgf");
  return all;
}

void goTo(OpenDialog& dialog, const fs::path& folder) {
  dialog.folder = folder;
  dialog.selected.clear();
  dialog.filter.text.clear();
  dialog.typed.clear();
  dialog.focus = true; // a click or Enter has taken it from the text field
  dialog.listedAt = -1.0;
}

// Lists again now and then, so that a file just exported appears by itself.
void refresh(OpenDialog& dialog) {
  const double now = glfwGetTime();
  if (dialog.listedAt >= 0.0 && now - dialog.listedAt < 1.0) return;
  FileFilter filter = dialog.filter;
  if (!dialog.allFiles) filter.extensions = extensionsFor(dialog.purpose);
  dialog.list = listFolder(dialog.folder, filter);
  dialog.listedAt = now;
}

fs::path firstFolder(const Session& session) {
  std::error_code error;
  for (const std::string& file : session.recent) {
    fs::path folder = fs::path(file).parent_path();
    if (fs::is_directory(folder, error)) return folder;
  }
  return fs::current_path(error);
}

// Each part of the path is a button to that folder.
void breadcrumbs(OpenDialog& dialog) {
  fs::path soFar;
  fs::path chosen;
  for (const fs::path& part : dialog.folder) {
    if (part.empty()) continue;
    soFar /= part;
    if (soFar != dialog.folder.root_path()) ImGui::SameLine(0, scaled(2));
    if (ImGui::SmallButton(fmt::format("{}##{}", part.string(), soFar.string()).c_str()))
      chosen = soFar;
  }
  if (!chosen.empty()) goTo(dialog, chosen);
}

// A typed path: a folder is entered, a file chosen.
std::optional<std::string> typed(OpenDialog& dialog) {
  ImGui::SetNextItemWidth(-1.0f);
  if (!ImGui::InputTextWithHint("##path",
                                "type a path and press Enter, or part of a name to filter",
                                &dialog.typed, ImGuiInputTextFlags_EnterReturnsTrue)) {
    if (dialog.filter.text != dialog.typed && dialog.typed.find('/') == std::string::npos) {
      dialog.filter.text = dialog.typed;
      dialog.listedAt = -1.0;
    }
    return std::nullopt;
  }
  const fs::path path = typedPath(dialog.typed, dialog.folder);
  std::error_code error;
  if (fs::is_directory(path, error)) {
    goTo(dialog, path);
    return std::nullopt;
  }
  // Enter after a filter that leaves one file takes that file.
  if (!fs::exists(path, error) && dialog.list.entries.size() == 1 && !dialog.list.entries[0].folder)
    return (dialog.folder / dialog.list.entries[0].name).string();
  return path.string();
}

std::optional<std::string> files(OpenDialog& dialog) {
  std::optional<std::string> chosen;
  if (!dialog.list.problem.empty())
    ImGui::TextColored(errorColor(), "%s", dialog.list.problem.c_str());
  if (ImGui::Selectable("..  (up)", false, ImGuiSelectableFlags_AllowDoubleClick) &&
      ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    goTo(dialog, dialog.folder.parent_path());
  if (!ImGui::BeginTable("##files", 2, ImGuiTableFlags_RowBg)) return chosen;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed, scaled(80));
  std::optional<fs::path> entered;
  for (const FileEntry& entry : dialog.list.entries) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const std::string label = entry.folder ? entry.name + "/" : entry.name;
    if (entry.folder) ImGui::PushStyleColor(ImGuiCol_Text, accentColor());
    const bool hit = ImGui::Selectable(label.c_str(), dialog.selected == entry.name,
                                       ImGuiSelectableFlags_SpanAllColumns |
                                           ImGuiSelectableFlags_AllowDoubleClick);
    if (entry.folder) ImGui::PopStyleColor();
    ImGui::TableNextColumn();
    if (!entry.folder) ImGui::TextColored(faintColor(), "%s", byteCount(entry.bytes).c_str());
    if (!hit) continue;
    dialog.selected = entry.name;
    if (!ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) continue;
    if (entry.folder)
      entered = dialog.folder / entry.name;
    else
      chosen = (dialog.folder / entry.name).string();
  }
  ImGui::EndTable();
  if (dialog.list.entries.empty() && dialog.list.problem.empty())
    faintText(dialog.allFiles ? "nothing here" : "no such files here");
  if (entered) goTo(dialog, *entered);
  return chosen;
}

std::optional<std::string> recentFiles(Session& session, Ui& ui) {
  std::optional<std::string> chosen;
  heading("Recent");
  if (session.recent.empty()) faintText("none yet");
  for (const std::string& file : session.recent) {
    const std::string label = fmt::format("{}##{}", fs::path(file).filename().string(), file);
    if (ImGui::Selectable(label.c_str())) chosen = file;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", file.c_str());
  }
  ImGui::Spacing();
  heading("Places");
  const char* home = std::getenv("HOME");
  if (home != nullptr && ImGui::Selectable("Home")) goTo(ui.open, home);
  std::error_code error;
  if (ImGui::Selectable("Where sinew started")) goTo(ui.open, fs::current_path(error));
  return chosen;
}

// The lower row; true if the selected file is to be opened.
bool finish(OpenDialog& dialog, bool& cancelled) {
  if (ImGui::Checkbox("All files", &dialog.allFiles)) dialog.listedAt = -1.0;
  ImGui::SameLine();
  if (ImGui::Checkbox("Hidden", &dialog.filter.hidden)) dialog.listedAt = -1.0;
  const float width = scaled(100);
  ImGui::SameLine(ImGui::GetContentRegionAvail().x + ImGui::GetCursorPosX() - 2.0f * width -
                  scaled(14));
  cancelled = ImGui::Button("Cancel", {width, 0});
  ImGui::SameLine();
  ImGui::BeginDisabled(dialog.selected.empty());
  const bool open = ImGui::Button("Open", {width, 0});
  ImGui::EndDisabled();
  return open;
}

} // namespace

void openBrowser(Ui& ui, Browse purpose) {
  OpenDialog& dialog = ui.open;
  dialog.opening = true;
  dialog.purpose = purpose;
  dialog.typed.clear();
}

void browserPanel(Session& session, Ui& ui) {
  OpenDialog& dialog = ui.open;
  if (std::exchange(dialog.opening, false)) {
    goTo(dialog, dialog.folder.empty() ? firstFolder(session) : dialog.folder);
    ImGui::OpenPopup(makeTitle(dialog).c_str());
  }
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * display.x, 0.5f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(
      {std::min(scaled(760), 0.94f * display.x), std::min(scaled(540), 0.9f * display.y)});
  bool open = true;
  if (!ImGui::BeginPopupModal(makeTitle(dialog).c_str(), &open,
                              ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove))
    return;
  if (const char* help = kHelp[static_cast<std::size_t>(dialog.purpose)]; *help != '\0')
    faintText(help);
  refresh(dialog);
  if (std::exchange(dialog.focus, false) || ImGui::IsWindowAppearing())
    ImGui::SetKeyboardFocusHere();
  std::optional<std::string> chosen = typed(dialog);
  breadcrumbs(dialog);
  const float below = ImGui::GetFrameHeightWithSpacing() + scaled(4);
  ImGui::BeginChild("##places", {scaled(190), -below}, true);
  if (auto file = recentFiles(session, ui)) chosen = file;
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("##list", {0, -below}, true);
  if (auto file = files(dialog)) chosen = file;
  ImGui::EndChild();
  bool cancelled = false;
  if (finish(dialog, cancelled)) {
    const fs::path path = dialog.folder / dialog.selected;
    std::error_code error;
    if (fs::is_directory(path, error))
      goTo(dialog, path);
    else
      chosen = path.string();
  }
  if (chosen || cancelled) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  if (!chosen) return;
  if (dialog.purpose == Browse::motion)
    openMotion(session, *chosen);
  else if (dialog.purpose == Browse::addedMotion)
    addMotionFiles(session, {*chosen});
  else if (dialog.purpose == Browse::skeleton)
    openSkeleton(session.document, session.bind, *chosen);
  else if (dialog.purpose == Browse::light)
    openLight(session, *chosen);
  else if (dialog.purpose == Browse::beside)
    openSideModels(session, {*chosen});
  else if (dialog.purpose == Browse::weights || dialog.purpose == Browse::clothes)
    startTransfer(session, dialog.purpose == Browse::clothes, *chosen);
  else
    openFile(session, *chosen);
}

} // namespace sinew
