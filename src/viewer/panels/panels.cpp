#include "viewer/panels/panels.h"

#include "editor/save_as.h"
#include "viewer/panels/controls.h"
#include "viewer/recording.h"
#include "viewer/window/theme.h"

#include <GLFW/glfw3.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace sinew {

int panelFlags() {
  return ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
         ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings;
}

void beginColumn(const char* name, PanelColumn& column, float usual, float smallest,
                 const Rect& area) {
  const float widest = 0.4f * area.width;
  smallest = std::min(smallest, widest);
  const float wanted = column.dragged > 0.0f ? column.dragged : usual;
  const float width = std::floor(std::clamp(wanted, smallest, widest));
  ImGui::SetNextWindowSize({width, area.height});
  ImGui::SetNextWindowSizeConstraints({smallest, area.height}, {widest, area.height});
  ImGui::Begin(name, nullptr, panelFlags());
  // A drag of its edge changes the width; so does Dear ImGui's least size, without a drag.
  const bool dragged = ImGui::IsMouseDown(ImGuiMouseButton_Left);
  const float given = ImGui::GetWindowWidth();
  if (dragged && std::abs(given - width) >= 1.0f) column.dragged = given;
}

void heading(const char* text) {
  ImGui::PushFont(boldFont());
  ImGui::TextUnformatted(text);
  ImGui::PopFont();
}

void showPicture(const ShownPicture& picture, float width) {
  const auto texture = static_cast<std::uintptr_t>(picture.texture.name());
  // Dear ImGui's OpenGL backend takes names as pointers.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  ImGui::Image(reinterpret_cast<ImTextureID>(texture),
               {width, width * picture.height / picture.width});
}

void textInLines(const std::string& text) {
  ImGui::TextUnformatted(wrappedText(text, ImGui::GetContentRegionAvail().x).c_str());
}

void faintText(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, faintColor());
  ImGui::PushFont(smallFont());
  textInLines(text);
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

namespace {

// The message has its file if it is about the file saved last. What another program shows takes a
// while to write: the message waits for a user who looked away.
Toast makeToast(const Document& document, std::string text) {
  const std::filesystem::path& saved = document.notices.savedFile;
  const bool about = !saved.empty() && text.find(saved.filename().string()) != std::string::npos;
  const std::string ending = saved.extension().string();
  const bool shown = about && (ending == ".html" || ending == ".gif" || ending == ".mp4");
  const double seconds = shown ? 60.0 : 6.0;
  return {std::move(text), glfwGetTime() + seconds, about ? saved : std::filesystem::path()};
}

constexpr const char* kOpen = "Open";
constexpr const char* kFolder = "Folder";
constexpr const char* kClose = "\xc3\x97";

// The width of a message's buttons, with the space before each.
float toastButtonsWidth() {
  const ImGuiStyle& style = ImGui::GetStyle();
  float width = 0.0f;
  for (const char* label : {kOpen, kFolder, kClose})
    width += style.ItemSpacing.x + 2.0f * style.FramePadding.x + ImGui::CalcTextSize(label).x;
  return width;
}

// The width of the widest message, whose text is wrapped at that of the text.
float widestToast(const std::deque<Toast>& toasts, float textWidth) {
  float widest = 0.0f;
  for (const Toast& toast : toasts) {
    const float text = ImGui::CalcTextSize(wrappedText(toast.text, textWidth).c_str()).x;
    widest = std::max(widest, text + (toast.file.empty() ? 0.0f : toastButtonsWidth()));
  }
  return widest;
}

// False when the user has closed it.
bool drawToast(Session& session, const Toast& toast, float width) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(wrappedText(toast.text, width).c_str());
  if (toast.file.empty()) return true;
  ImGui::SameLine();
  if (ImGui::SmallButton(kOpen)) openOutside(session, toast.file);
  ImGui::SameLine();
  if (ImGui::SmallButton(kFolder)) showFolder(session);
  ImGui::SameLine();
  return !ImGui::SmallButton(kClose);
}

} // namespace

void toastPanel(Session& session, Ui& ui, const Rect& view) {
  constexpr std::size_t kMaxToasts = 4;
  auto& toasts = ui.toasts;
  for (std::string& text : std::exchange(session.document.notices.messages, {}))
    toasts.push_back(makeToast(session.document, std::move(text)));
  while (toasts.size() > kMaxToasts)
    toasts.pop_front();
  const double now = glfwGetTime();
  std::erase_if(toasts, [&](const Toast& toast) { return toast.until < now; });
  if (toasts.empty()) return;
  const bool buttons = std::ranges::any_of(toasts, [](const Toast& t) { return !t.file.empty(); });
  ImGui::SetNextWindowPos({view.x + 0.5f * view.width, view.y + view.height - scaled(12)},
                          ImGuiCond_Always, {0.5f, 1.0f});
  const float widest = 0.9f * view.width;
  const float textWidth = std::max(widest - 2.0f * ImGui::GetStyle().WindowPadding.x -
                                       (buttons ? toastButtonsWidth() : 0.0f),
                                   scaled(60));
  ImGui::SetNextWindowSizeConstraints({0, 0}, {widest, view.height});
  // By itself the panel would be as wide as its messages one frame late.
  ImGui::SetNextWindowContentSize({widestToast(toasts, textWidth), 0.0f});
  ImGui::SetNextWindowBgAlpha(0.92f);
  ImGui::Begin("##toasts", nullptr,
               panelFlags() | ImGuiWindowFlags_AlwaysAutoResize |
                   (buttons ? 0 : ImGuiWindowFlags_NoInputs) | ImGuiWindowFlags_NoFocusOnAppearing);
  int id = 0;
  std::erase_if(toasts, [&](const Toast& toast) {
    ImGui::PushID(id++);
    const bool keep = drawToast(session, toast, textWidth);
    ImGui::PopID();
    return !keep;
  });
  ImGui::End();
}

PanelResult drawPanels(Session& session, Ui& ui, const Graphics& graphics,
                       const Statistics& statistics, Recorder& recorder, const Menu& menu) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  PanelResult result{{0, 0, size.x, size.y}};
  Rect& view = result.picture;
  ui.bendEnd.reset();
  session.check.pointedAt.reset();
  if (std::exchange(ui.textSize, ImGui::GetFontSize()) != ImGui::GetFontSize())
    ui.jointsColumn = ui.sideColumn = {};
  if (ui.panels) {
    const auto [menus, chosen] = menuBar(session, ui, describeRecording(recorder), menu);
    result.chosen = chosen;
    const float top =
        menus + methodStrip(session.document, ui, graphics.methods, {0, menus, size.x, 0});
    const float bar = transportHeight(ui, size.y);
    view = {0, top, size.x, size.y - top - bar};
    transportBar(session, ui, {0, size.y - bar, size.x, bar});
    float& below = ui.statisticsHeight;
    const float left =
        jointPanel(session.document, ui, {view.x, view.y, view.width, view.height - below});
    below =
        session.document.settings.statistics
            ? statisticsPanel(session.document, graphics, statistics, {0, top, left, view.height})
            : 0.0f;
    const float right = sidePanel(session, ui, graphics.methods, view);
    view.x = left;
    view.width = std::max(size.x - left - right, 1.0f);
  }
  view.height -= checkLinePanel(session, ui, view);
  if (ui.panels) axisGizmo(session.document, ui, view);
  importPanel(session, view);
  failurePanel(session, ui, view);
  Rect above = view;
  above.height -= guidePanel(session, ui, view);
  ui.covered = view.height - above.height;
  crowdPanel(session, view);
  toastPanel(session, ui, above);
  if (const Action* chosen = hotkeyPanel(ui, menu.found)) result.chosen = chosen;
  browserPanel(session, ui);
  recordPanel(session, ui, recorder);
  savePanel(session, ui);
  aboutPanels(session, ui, graphics.info);
  figuresPanel(session, ui, graphics);
  texturePanel(session.document, ui, graphics);
  recoveryPanel(session, ui);
  sideModelMenu(session, ui);
  discardPanel(session);
  return result;
}

} // namespace sinew
