// The dialog of a picture, GIF or film of the views.

#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/recording.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

constexpr const char* kRecordTitle = "Export a picture or film";

struct PictureSizeChoice {
  const char* name;
  int width, height;
};
constexpr PictureSizeChoice kSizes[] = {{"640 x 360", 640, 360},
                                        {"800 x 800", 800, 800},
                                        {"1280 x 720", 1280, 720},
                                        {"1920 x 1080", 1920, 1080},
                                        {"3840 x 2160", 3840, 2160}};

// True if another one was chosen.
bool kindRow(const Document& document, RecordOptions& options) {
  bool changed = false;
  static constexpr const char* kKinds[] = {"Picture (PNG)", "GIF", "Film (MP4)"};
  for (int i = 0; i < 3; ++i) {
    if (i > 0) ImGui::SameLine();
    const auto kind = static_cast<RecordKind>(i);
    if (!ImGui::RadioButton(kKinds[i], options.kind == kind)) continue;
    options.kind = kind;
    options.path = recordPath(document, kind);
    changed = true;
  }
  return changed;
}

void sizeRow(RecordOptions& options) {
  const std::string now = fmt::format("{} x {}", options.width, options.height);
  labelAbove("Size");
  if (ImGui::BeginCombo("##Size", now.c_str())) {
    for (const PictureSizeChoice& size : kSizes)
      if (ImGui::Selectable(size.name, now == size.name)) {
        options.width = size.width;
        options.height = size.height;
      }
    ImGui::EndCombo();
  }
  int edges[] = {options.width, options.height};
  labelAbove("Pixels");
  if (ImGui::InputInt2("##Pixels", edges)) {
    options.width = std::clamp(edges[0], 16, 8192);
    options.height = std::clamp(edges[1], 16, 8192);
  }
}

// clip: one plays.
void filmRows(RecordOptions& options, bool clip) {
  labelAbove("Frames per second", fmt::format("{:.0f}", options.fps));
  ImGui::SliderFloat("##Frames", &options.fps, 5.0f, 60.0f, "", ImGuiSliderFlags_AlwaysClamp);
  labelAbove("Seconds", options.seconds > 0.0f ? fmt::format("{:.1f}", options.seconds)
                        : clip                 ? "the clip once"
                                               : "a few");
  ImGui::SliderFloat("##Seconds", &options.seconds, 0.0f, 30.0f, "", ImGuiSliderFlags_AlwaysClamp);
  ImGui::Checkbox("Once around the model", &options.turntable);
}

} // namespace

void recordPanel(Session& session, Ui& ui, Recorder& recorder) {
  Document& document = session.document;
  RecordOptions& options = ui.record;
  if (std::exchange(ui.recording, false)) {
    options.path = recordPath(document, options.kind);
    ImGui::OpenPopup(kRecordTitle);
  }
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * display.x, 0.42f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(scaled(520), 0.94f * display.x), 0});
  bool open = true;
  if (!ImGui::BeginPopupModal(kRecordTitle, &open,
                              ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove))
    return;
  const bool changed = kindRow(document, options);
  sizeRow(options);
  control({"background", {}, {}, 0, 0, backgroundWords()}, document.settings.background);
  if (options.kind != RecordKind::picture)
    filmRows(options, document.workbench.clip && !holdsPose(document));
  if (changed || ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere(); // Enter saves
  labelAbove("File");
  const bool enter =
      ImGui::InputText("##File", &options.path, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::Spacing();
  const bool save = ImGui::Button("Save", {scaled(120), 0}) || enter;
  ImGui::SameLine();
  if (save || ImGui::Button("Cancel  Esc")) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  if (save) startRecording(session, recorder, options);
}

} // namespace sinew
