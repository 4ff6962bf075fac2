// The timeline in the transport bar: key marks, the playback range with its two handles, and the
// current time. Handles and time can be dragged.

#include "editor/document/clip_time.h"
#include "editor/document/side_models.h"
#include "editor/session.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

struct Strip {
  TimeScale scale;
  ImVec2 min, max;
  float begin, end; // bounds of the range, seconds
  float last;       // that is shown of it
};

float ontoFrame(const Document& document, float time) {
  const float frame = document.keys.frame;
  return std::round(time / frame) * frame;
}

void drawMarks(ImDrawList& draw, const Strip& strip, const std::vector<float>& times, float height,
               ImU32 color) {
  for (const float x : markPlaces(times, strip.scale))
    draw.AddLine({x + 0.5f, strip.max.y - height}, {x + 0.5f, strip.max.y - 1.0f}, color);
}

void drawHandle(ImDrawList& draw, const Strip& strip, float time, float direction, ImU32 color) {
  const float x = strip.scale.toX(time);
  const float size = 0.42f * (strip.max.y - strip.min.y);
  draw.AddLine({x, strip.min.y}, {x, strip.max.y}, color, scaled(1.5f));
  draw.AddTriangleFilled({x, strip.min.y}, {x + direction * size, strip.min.y},
                         {x, strip.min.y + size}, color);
}

void drawStrip(const Document& document, const Strip& strip) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto& keys = document.keys;
  const float height = strip.max.y - strip.min.y;
  const ImU32 marks = ImGui::GetColorU32(ImGuiCol_TextDisabled, 0.7f);
  const ImU32 accent = ImGui::GetColorU32(accentColor());
  draw.AddRectFilled(strip.min, strip.max, ImGui::GetColorU32(ImGuiCol_FrameBg), 3.0f);
  draw.AddRectFilled({strip.scale.toX(strip.begin), strip.min.y},
                     {strip.scale.toX(strip.end), strip.max.y},
                     ImGui::GetColorU32(ImGuiCol_FrameBgHovered), 3.0f);
  drawMarks(draw, strip, keys.keys, 0.25f * height, marks);
  drawMarks(draw, strip, keys.joint, 0.45f * height, accent);
  drawHandle(draw, strip, strip.begin, 1.0f, accent);
  drawHandle(draw, strip, strip.end, -1.0f, accent);
  const float now = strip.scale.toX(document.settings.time);
  draw.AddLine({now, strip.min.y}, {now, strip.max.y}, ImGui::GetColorU32(ImGuiCol_Text),
               scaled(2));
  const std::string text =
      fmt::format("{:.3f} of {:.3f} s, frame {}", document.settings.time, strip.scale.seconds,
                  std::lround(document.settings.time / document.keys.frame));
  // The text has a background, because the time and the ends of the range pass behind it.
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float left = 0.5f * (strip.min.x + strip.max.x - size.x);
  const float edge = scaled(6);
  draw.AddRectFilled({left - edge, strip.min.y + 1.0f}, {left + size.x + edge, strip.max.y - 1.0f},
                     ImGui::GetColorU32(ImGuiCol_FrameBg, 0.85f), 3.0f);
  draw.AddText({left, strip.min.y + 1.0f}, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
}

void drag(Document& document, Ui& ui, const Strip& strip) {
  TimeGrip& grip = ui.timeGrip;
  const float mouse = ImGui::GetIO().MousePos.x;
  if (ImGui::IsItemActivated())
    grip = gripAt(strip.scale, strip.begin, strip.end, mouse, scaled(6));
  if (!ImGui::IsItemActive()) {
    grip = TimeGrip::none;
    return;
  }
  const float time = std::clamp(strip.scale.timeAt(mouse), 0.0f, strip.scale.seconds);
  if (grip == TimeGrip::now) {
    document.settings.time = std::clamp(time, strip.begin, strip.last);
    document.settings.playing = false;
  }
  if (grip == TimeGrip::begin) setRangeStart(document, ontoFrame(document, time));
  if (grip == TimeGrip::end) setRangeEnd(document, ontoFrame(document, time));
}

void help(const Strip& strip) {
  if (!ImGui::IsItemHovered() || ImGui::IsItemActive()) return;
  const TimeGrip under =
      gripAt(strip.scale, strip.begin, strip.end, ImGui::GetIO().MousePos.x, scaled(6));
  ImGui::SetMouseCursor(under == TimeGrip::now ? ImGuiMouseCursor_Arrow
                                               : ImGuiMouseCursor_ResizeEW);
  if (under != TimeGrip::now)
    ImGui::SetTooltip("%s of the playback range: drag  %s; right click: the whole clip",
                      under == TimeGrip::begin ? "start" : "end",
                      under == TimeGrip::begin ? "{" : "}");
}

} // namespace

TimeScale timeline(Document& document, Ui& ui) {
  findKeys(document);
  const float seconds = timelineSeconds(document);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()};
  if (!(seconds > 0.0f) || document.crowd || size.x < 20.0f) {
    faintText(document.crowd             ? "each character is at a time of its own"
              : sideModelsPlay(document) ? "other models play; this one has no clip"
                                         : "no clip plays");
    return {at.x, size.x, 0.0f};
  }
  const TimeMap range = timelineRange(document);
  const float inset = scaled(3);
  const Strip strip{{at.x + inset, size.x - 2.0f * inset, seconds},
                    at,
                    {at.x + size.x, at.y + size.y},
                    range.begin,
                    range.end,
                    lastMoment(range)};
  ImGui::InvisibleButton("##timeline", size);
  drag(document, ui, strip);
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) resetRange(document);
  help(strip);
  drawStrip(document, strip);
  return strip.scale;
}

} // namespace sinew
