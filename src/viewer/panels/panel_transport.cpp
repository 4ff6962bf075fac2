// The bar below the picture: clip, play, step, speed, loop, recording, and the time line.

#include "editor/document/clip_time.h"
#include "editor/document/side_models.h"
#include "editor/file_list.h"
#include "editor/session.h"
#include "editor/time/timeline.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>

namespace sinew {
namespace {

std::string currentName(const Document& document) {
  if (holdsPose(document)) return "Edited pose";
  if (document.workbench.clip) return clipLabel(document.workbench.model, *document.workbench.clip);
  return document.settings.clip == "bind" ? "Bind pose" : "Rest pose";
}

void clipCombo(Document& document, Ui& ui) {
  const Model& model = document.workbench.model;
  const std::string& word = document.settings.clip;
  float widest = scaled(180);
  for (std::size_t i = 0; i < model.clips.size(); ++i)
    widest = std::max(widest, ImGui::CalcTextSize(clipLabel(model, i).c_str()).x);
  ImGui::SetNextWindowSizeConstraints({widest + scaled(110), 0},
                                      {widest + scaled(110), scaled(440)});
  if (!ImGui::BeginCombo("##clip", currentName(document).c_str(), ImGuiComboFlags_HeightLarge))
    return;
  if (model.clips.size() > 12) {
    if (ImGui::IsWindowAppearing()) {
      ui.clipSearch.clear();
      ImGui::SetKeyboardFocusHere();
    }
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::InputTextWithHint("##search", "search", &ui.clipSearch);
  }
  const auto choose = [&](std::string chosen) {
    setClip(document, std::move(chosen));
    releasePose(document); // also where it is the clip that waited
  };
  if (ImGui::Selectable("Rest pose", word == "none")) choose("none");
  if (ImGui::Selectable("Bind pose", word == "bind")) choose("bind");
  ImGui::Separator();
  for (std::uint32_t i = 0; i < model.clips.size(); ++i) {
    const std::string name = clipLabel(model, i);
    if (model.clips.size() > 12 && !holdsWords(name, ui.clipSearch)) continue;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(name.c_str(), document.workbench.clip == i)) choose(clipWord(model, i));
    if (ImGui::IsItemHovered() && name != model.clips[i].name)
      ImGui::SetTooltip("%s", model.clips[i].name.c_str());
    ImGui::SameLine(ImGui::GetContentRegionAvail().x - scaled(52));
    ImGui::TextColored(faintColor(), "%6.2f s", static_cast<double>(model.clips[i].seconds));
    ImGui::PopID();
  }
  ImGui::EndCombo();
}

enum class Icon { play, pause, back, forward };

// Drawn, not written: fonts differ in what symbols they have.
bool iconButton(const char* id, Icon icon, const char* help) {
  const float size = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::Button(id, {1.4f * size, size});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", help);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
  const ImVec2 c{at.x + 0.7f * size, at.y + 0.5f * size};
  const float h = 0.24f * size;
  const auto bar = [&](float x) {
    draw.AddRectFilled({c.x + x - 0.3f * h, c.y - h}, {c.x + x + 0.3f * h, c.y + h}, color);
  };
  const auto arrow = [&](float direction, float x) {
    const ImVec2 tip{c.x + x + direction * h, c.y};
    const ImVec2 upper{c.x + x - direction * h, c.y - h};
    const ImVec2 lower{c.x + x - direction * h, c.y + h};
    if (direction > 0)
      draw.AddTriangleFilled(upper, tip, lower, color);
    else
      draw.AddTriangleFilled(upper, lower, tip, color);
  };
  if (icon == Icon::play) arrow(1, 0);
  if (icon == Icon::back) arrow(-1, 0.4f * h), bar(-1.0f * h);
  if (icon == Icon::forward) arrow(1, -0.4f * h), bar(1.0f * h);
  if (icon == Icon::pause) bar(-0.6f * h), bar(0.6f * h);
  return pressed;
}

// What happens at the ends of the range.
void wrapChoice(Settings& settings) {
  constexpr const char* kWords[] = {"Once", "Loop", "Ping-pong"};
  const auto now = static_cast<std::size_t>(getWrap(settings));
  ImGui::SetNextItemWidth(scaled(104));
  if (!ImGui::BeginCombo("##wrap", kWords[now])) return;
  for (std::size_t i = 0; i < 3; ++i)
    if (ImGui::Selectable(kWords[i], i == now)) {
      settings.pingPong = i == static_cast<std::size_t>(Wrap::pingPong);
      settings.loop = i != static_cast<std::size_t>(Wrap::clamp);
    }
  ImGui::EndCombo();
}

void buttons(Document& document) {
  Settings& settings = document.settings;
  if (iconButton("##back", Icon::back, "step back  Left")) stepFrames(document, -1);
  ImGui::SameLine(0, scaled(4));
  if (iconButton("##play", settings.playing ? Icon::pause : Icon::play,
                 settings.playing ? "pause  Space" : "play  Space"))
    togglePlaying(settings, playedRange(document.workbench, getWrap(settings)));
  ImGui::SameLine(0, scaled(4));
  if (iconButton("##forward", Icon::forward, "step forward  Right")) stepFrames(document, 1);
  ImGui::SameLine();
  wrapChoice(settings);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(scaled(110));
  ImGui::DragFloat("##speed", &settings.speed, 0.01f, -4.0f, 4.0f, "speed %.2f",
                   ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput);
  if (!ImGui::IsItemHovered()) return;
  ImGui::SetTooltip("playback speed: drag; double click: 1");
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) settings.speed = 1.0f;
}

// A button for what is tried most often, its right edge at `right`; returns its left edge. Left out
// where the controls at the left, up to `from`, leave no room.
float shortcut(const char* name, const char* help, bool on, float right, float from,
               bool& pressed) {
  const float width = ImGui::CalcTextSize(name).x + 2.0f * scaled(12);
  if (right - width < from) return right;
  ImGui::SameLine(right - width);
  pressed = choiceButton(name, on, width);
  itemHelp(help);
  return right - width - scaled(8);
}

void shortcuts(Session& session, Ui& ui, float right) {
  const float from = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + scaled(12);
  bool keys = false, fall = false, crowd = false;
  right = shortcut("Keys", "set, move and remove keys; curves of the selected joint  Ctrl+Shift+K",
                   ui.keys.shown, right, from, keys);
  if (keys) ui.keys.shown = !ui.keys.shown;
  if (!hasModel(session.document) || drafting(session.document)) return;
  const bool many = session.document.crowd.has_value();
  if (!many)
    right = shortcut("Fall", "lets the character fall; again: back to the animation  U",
                     ragdollActive(session.play), right, from, fall);
  shortcut("Crowd", "200 of the character, and what every method costs; again: back  Ctrl+Alt+C",
           many, right, from, crowd);
  if (fall) toggleFall(session.document, session.play);
  if (crowd)
    toggleCrowd(session, kCrowdCharacters * session.document.workbench.rig.positions.size());
}

} // namespace

float transportHeight(const Ui& ui, float window) {
  const float keys = std::max(std::min(scaled(190), 0.3f * window), scaled(130));
  return scaled(76) + (ui.keys.shown ? keys : 0.0f);
}

void transportBar(Session& session, Ui& ui, const Rect& r) {
  Document& document = session.document;
  ImGui::SetNextWindowPos({r.x, r.y});
  ImGui::SetNextWindowSize({r.width, r.height});
  ImGui::Begin("Transport", nullptr,
               panelFlags() | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoScrollbar);
  const float seconds = timelineSeconds(document);
  ImGui::SetNextItemWidth(std::min(scaled(230), 0.24f * r.width));
  clipCombo(document, ui);
  ImGui::SameLine();
  ImGui::BeginDisabled(!holdsPose(document) && seconds <= 0.0f && !document.crowd &&
                       document.workbench.layerStack.layers.empty() && !sideModelsPlay(document));
  buttons(document);
  ImGui::EndDisabled();
  const float record = ImGui::CalcTextSize("Record...").x + 2.0f * scaled(14);
  shortcuts(session, ui, ImGui::GetWindowWidth() - record - scaled(20));
  ImGui::SameLine(ImGui::GetWindowWidth() - record - scaled(12));
  if (ImGui::Button("Record...", {record, 0})) ui.recording = true;
  itemHelp("a film, GIF or picture of the views  Ctrl+R");
  if (ui.keys.shown) {
    ImGui::BeginChild("Keys", {scaled(224), 0});
    keyControls(document, ui);
    ImGui::EndChild();
    ImGui::SameLine();
  }
  ImGui::BeginGroup();
  const TimeScale scale = timeline(document, ui);
  if (ui.keys.shown) keyCurves(document, ui, scale, ImGui::GetContentRegionAvail().y);
  ImGui::EndGroup();
  ImGui::End();
}

} // namespace sinew
