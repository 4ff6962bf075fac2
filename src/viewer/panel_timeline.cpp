// The time line in the transport bar: key marks, the range that plays with its two handles, and the
// time, all to be dragged.

#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

struct Strip {
  TimeScale scale;
  ImVec2 min, max;
  float begin, end; // of the range, seconds
  float last;       // that is shown of it
};

float frameOf(const Viewer& viewer) {
  const Workbench& bench = viewer.bench;
  return bench.clip ? frameSeconds(bench.model.clips[*bench.clip]) : kUsualFrame;
}

float ontoFrame(const Viewer& viewer, float time) {
  const float frame = frameOf(viewer);
  return std::round(time / frame) * frame;
}

void drawMarks(ImDrawList& draw, const Strip& strip, const std::vector<float>& times, float height,
               ImU32 color) {
  for (const float x : markPlaces(times, strip.scale))
    draw.AddLine({x + 0.5f, strip.max.y - height}, {x + 0.5f, strip.max.y - 1.0f}, color);
}

void drawHandle(ImDrawList& draw, const Strip& strip, float time, float direction, ImU32 color) {
  const float x = strip.scale.placeOf(time);
  const float size = 0.42f * (strip.max.y - strip.min.y);
  draw.AddLine({x, strip.min.y}, {x, strip.max.y}, color, 1.5f);
  draw.AddTriangleFilled({x, strip.min.y}, {x + direction * size, strip.min.y},
                         {x, strip.min.y + size}, color);
}

void drawStrip(const Viewer& viewer, const Strip& strip) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto& keys = viewer.ui.timeline;
  const float height = strip.max.y - strip.min.y;
  const ImU32 marks = ImGui::GetColorU32(ImGuiCol_TextDisabled, 0.7f);
  const ImU32 accent = ImGui::GetColorU32(accentColor());
  draw.AddRectFilled(strip.min, strip.max, ImGui::GetColorU32(ImGuiCol_FrameBg), 3.0f);
  draw.AddRectFilled({strip.scale.placeOf(strip.begin), strip.min.y},
                     {strip.scale.placeOf(strip.end), strip.max.y},
                     ImGui::GetColorU32(ImGuiCol_FrameBgHovered), 3.0f);
  drawMarks(draw, strip, keys.keys, 0.25f * height, marks);
  drawMarks(draw, strip, keys.joint, 0.45f * height, accent);
  drawHandle(draw, strip, strip.begin, 1.0f, accent);
  drawHandle(draw, strip, strip.end, -1.0f, accent);
  const float now = strip.scale.placeOf(viewer.settings.time);
  draw.AddLine({now, strip.min.y}, {now, strip.max.y}, ImGui::GetColorU32(ImGuiCol_Text), 2.0f);
  const std::string text =
      fmt::format("{:.3f} of {:.3f} s, frame {}", viewer.settings.time, strip.scale.seconds,
                  std::lround(viewer.settings.time / frameOf(viewer)));
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  draw.AddText({0.5f * (strip.min.x + strip.max.x - size.x), strip.min.y + 1.0f},
               ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
}

void drag(Viewer& viewer, const Strip& strip) {
  TimeGrip& grip = viewer.ui.timeline.grip;
  const float mouse = ImGui::GetIO().MousePos.x;
  if (ImGui::IsItemActivated())
    grip = gripAt(strip.scale, strip.begin, strip.end, mouse, scaled(6));
  if (!ImGui::IsItemActive()) {
    grip = TimeGrip::none;
    return;
  }
  const float time = std::clamp(strip.scale.timeAt(mouse), 0.0f, strip.scale.seconds);
  if (grip == TimeGrip::now) {
    viewer.settings.time = std::clamp(time, strip.begin, strip.last);
    viewer.settings.playing = false;
  }
  if (grip == TimeGrip::begin) setRangeStart(viewer, ontoFrame(viewer, time));
  if (grip == TimeGrip::end) setRangeEnd(viewer, ontoFrame(viewer, time));
}

void help(const Strip& strip) {
  if (!ImGui::IsItemHovered() || ImGui::IsItemActive()) return;
  const TimeGrip under =
      gripAt(strip.scale, strip.begin, strip.end, ImGui::GetIO().MousePos.x, scaled(6));
  ImGui::SetMouseCursor(under == TimeGrip::now ? ImGuiMouseCursor_Arrow
                                               : ImGuiMouseCursor_ResizeEW);
  if (under != TimeGrip::now)
    ImGui::SetTooltip("where the range that plays %s: drag  %s; right click: the whole clip",
                      under == TimeGrip::begin ? "begins" : "ends",
                      under == TimeGrip::begin ? "{" : "}");
}

} // namespace

void timeline(Viewer& viewer) {
  findKeys(viewer);
  const float seconds = clipSeconds(viewer);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()};
  if (!(seconds > 0.0f) || viewer.crowd || size.x < 20.0f) {
    faintText(viewer.bench.posed ? "the clip waits where it was left" : "no clip plays");
    return;
  }
  const TimeMap range = playedRange(viewer.bench, wrapOf(viewer.settings));
  const float inset = scaled(3);
  const Strip strip{{at.x + inset, size.x - 2.0f * inset, seconds},
                    at,
                    {at.x + size.x, at.y + size.y},
                    range.begin,
                    range.end,
                    lastMoment(range)};
  ImGui::InvisibleButton("##timeline", size);
  drag(viewer, strip);
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) resetRange(viewer);
  help(strip);
  drawStrip(viewer, strip);
}

} // namespace sinew
