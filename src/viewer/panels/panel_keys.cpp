// Keys of the clip and curves of the selected joint: the area below the time line.

#include "editor/document/clip_time.h"
#include "editor/document/keying.h"
#include "editor/time/joint_curves.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

constexpr std::array kPartNames{"Translation", "Rotation", "Scale", "Twist"};
constexpr std::array kInterpolationNames{"Linear", "Step", "Cubic"};
constexpr std::array kAxisColors{IM_COL32(232, 88, 88, 255), IM_COL32(96, 196, 96, 255),
                                 IM_COL32(96, 148, 244, 255)};

const Clip* shownClip(const Document& document) {
  const auto clip = clipOnTimeline(document);
  return clip ? &document.workbench.model.clips[*clip] : nullptr;
}

// How many curves a part has.
int countAxes(ChannelPart part) {
  return part == ChannelPart::twist ? 1 : 3;
}

bool inDegrees(ChannelPart part) {
  return part == ChannelPart::rotation || part == ChannelPart::twist;
}

// None: the joint has no keys of that part.
std::optional<Interpolation> findInterpolation(const Clip& clip, std::uint32_t node,
                                               ChannelPart part) {
  if (part == ChannelPart::twist) {
    const TwistChannel* twists = findTwists(clip, node);
    return twists != nullptr ? std::optional(twists->twist.interpolation) : std::nullopt;
  }
  const Channel* channel = findChannel(clip, node);
  if (channel == nullptr) return std::nullopt;
  return part == ChannelPart::translation ? channel->translation.interpolation
         : part == ChannelPart::rotation  ? channel->rotation.interpolation
                                          : channel->scale.interpolation;
}

void clipMenu(Document& document, Ui& ui) {
  if (button("Clip...", -1.0f)) {
    ImGui::OpenPopup("clip menu");
    const Clip* clip = shownClip(document);
    ui.keys.clipName = clip != nullptr ? clip->name : "";
  }
  itemHelp("a new clip; name, length and copies of this one");
  if (!ImGui::BeginPopup("clip menu")) return;
  if (ImGui::MenuItem("New clip", "Ctrl+N")) newClip(document);
  const Clip* clip = shownClip(document);
  if (ImGui::MenuItem("Duplicate clip", "Ctrl+Shift+D", false, clip != nullptr))
    duplicateClip(document);
  if (ImGui::MenuItem("Remove clip", nullptr, false, clip != nullptr)) removeClip(document);
  clip = shownClip(document);
  if (clip != nullptr) {
    ImGui::Separator();
    labelAbove("Name");
    ImGui::InputText("##name", &ui.keys.clipName);
    if (ImGui::IsItemDeactivatedAfterEdit()) renameClip(document, ui.keys.clipName);
    float seconds = clip->seconds;
    labelAbove("Length");
    if (ImGui::DragFloat("##length", &seconds, 0.01f, 0.01f, 3600.0f, "%.2f s"))
      setClipLength(document, seconds);
    if (ImGui::IsItemDeactivatedAfterEdit()) commitEdit(document, "Length of the clip");
  }
  ImGui::EndPopup();
}

void partChoice(Document& document, Ui& ui) {
  const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
  ImGui::SetNextItemWidth(half);
  int part = static_cast<int>(ui.keys.part);
  if (ImGui::Combo("##part", &part, kPartNames.data(), static_cast<int>(kPartNames.size())))
    ui.keys.part = static_cast<ChannelPart>(part);
  itemHelp("the values whose curves are shown; a twist is that of the free spline that ends at the "
           "joint");
  ImGui::SameLine();
  const Clip* clip = shownClip(document);
  const auto now = clip != nullptr && document.selected
                       ? findInterpolation(*clip, *document.selected, ui.keys.part)
                       : std::nullopt;
  ImGui::BeginDisabled(!now);
  int kind = static_cast<int>(now.value_or(Interpolation::cubic));
  ImGui::SetNextItemWidth(half);
  if (ImGui::Combo("##kind", &kind, kInterpolationNames.data(),
                   static_cast<int>(kInterpolationNames.size())))
    setInterpolation(document, ui.keys.part, static_cast<Interpolation>(kind));
  ImGui::EndDisabled();
  itemHelp("between the keys of these curves: a line, steps, or a cubic spline");
}

// The curves on the screen.
struct CurveCanvas {
  ImVec2 min, max;
  TimeScale scale;
  float low, high;

  float toHeight(float value) const {
    return max.y - (value - low) / (high - low) * (max.y - min.y);
  }
  float valueAt(float y) const { return low + (max.y - y) / (max.y - min.y) * (high - low); }
};

// A key under the mouse.
struct CurveHit {
  float time = 0.0f;
  vec3 value{0.0f};
  std::optional<int> axis; // none: all keys at that time
};

std::optional<CurveHit> hitAt(const CurveCanvas& canvas, const JointCurves& curves, int axes,
                              const std::vector<float>& keys, float lane, const ImVec2& mouse) {
  const float reach = scaled(7);
  std::optional<CurveHit> best;
  float nearest = reach;
  const auto consider = [&](float x, float y, const CurveHit& hit) {
    const float distance = std::hypot(x - mouse.x, y - mouse.y);
    if (distance >= nearest) return;
    nearest = distance;
    best = hit;
  };
  if (mouse.y < canvas.min.y)
    for (const float time : keys)
      consider(canvas.scale.toX(time), lane, {time, {}, {}});
  for (const TimedValue& key : curves.keys)
    for (int axis = 0; axis < axes; ++axis)
      consider(canvas.scale.toX(key.time), canvas.toHeight(key.value[axis]),
               {key.time, key.value, axis});
  return best;
}

void drawDiamond(ImDrawList& draw, const ImVec2& at, float size, ImU32 color) {
  draw.AddQuadFilled({at.x - size, at.y}, {at.x, at.y - size}, {at.x + size, at.y},
                     {at.x, at.y + size}, color);
}

// The values at the edges: with room above and below, not less than a little.
void fitValues(const JointCurves& curves, KeysUi& keys) {
  const float least = inDegrees(keys.part) ? 10.0f : 0.1f;
  const float middle = 0.5f * (curves.low + curves.high);
  const float half =
      0.6f * std::max(curves.high - curves.low,
                      inDegrees(keys.part) ? least : least * std::abs(middle) + 1e-4f);
  keys.low = middle - half;
  keys.high = middle + half;
}

void drawCurves(ImDrawList& draw, const CurveCanvas& canvas, const JointCurves& curves, int axes,
                const std::optional<CurveHit>& hit) {
  for (const float value :
       {canvas.low + 0.08f * (canvas.high - canvas.low), 0.5f * (canvas.low + canvas.high),
        canvas.high - 0.08f * (canvas.high - canvas.low)}) {
    const float y = std::floor(canvas.toHeight(value)) + 0.5f;
    draw.AddLine({canvas.min.x, y}, {canvas.max.x, y}, ImGui::GetColorU32(ImGuiCol_Border, 0.6f));
    draw.AddText({canvas.min.x + scaled(3), y - 0.5f * ImGui::GetFontSize()},
                 ImGui::GetColorU32(ImGuiCol_TextDisabled), fmt::format("{:.3g}", value).c_str());
  }
  std::vector<ImVec2> line(curves.line.size());
  for (int axis = 0; axis < axes; ++axis) {
    const ImU32 color = kAxisColors[static_cast<std::size_t>(axis)];
    for (std::size_t i = 0; i < line.size(); ++i)
      line[i] = {canvas.scale.toX(curves.line[i].time),
                 canvas.toHeight(curves.line[i].value[axis])};
    draw.AddPolyline(line.data(), static_cast<int>(line.size()), color, 0, scaled(1.5f));
    for (const TimedValue& key : curves.keys) {
      const bool hot = hit && hit->axis == axis && hit->time == key.time;
      draw.AddCircleFilled({canvas.scale.toX(key.time), canvas.toHeight(key.value[axis])},
                           scaled(hot ? 5.0f : 3.5f), color);
    }
  }
}

// The mouse on the canvas, on which the item just drawn lies.
void dragOnCanvas(Document& document, Ui& ui, const CurveCanvas& canvas,
                  const std::optional<CurveHit>& hit) {
  KeysUi& keys = ui.keys;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float time = canvas.scale.timeAt(mouse.x);
  if (ImGui::IsItemActivated() && hit)
    keys.grip = gripKey(document, hit->time, hit->value, hit->axis);
  if (ImGui::IsItemActive()) {
    const bool moved = ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2.0f);
    if (keys.grip && moved) dragKey(document, *keys.grip, keys.part, time, canvas.valueAt(mouse.y));
    if (!keys.grip) {
      const TimeMap range = timelineRange(document);
      document.settings.time = std::clamp(time, range.begin, lastMoment(range));
      document.settings.playing = false;
    }
  }
  if (ImGui::IsItemDeactivated()) {
    if (keys.grip) document.history.commit("Move a key");
    keys.grip.reset();
  }
  if (!ImGui::IsItemHovered() || !hit) return;
  if (hit->axis)
    ImGui::SetTooltip("%s %c = %.4g at %.3f s: drag; right click removes it",
                      kPartNames[static_cast<std::size_t>(keys.part)], "xyz"[*hit->axis],
                      static_cast<double>(hit->value[*hit->axis]), static_cast<double>(hit->time));
  else
    ImGui::SetTooltip("all keys at %.3f s: drag", static_cast<double>(hit->time));
  if (hit->axis && ImGui::IsMouseClicked(ImGuiMouseButton_Right))
    removePartKeyAt(document, keys.part, hit->time);
}

} // namespace

void keyControls(Document& document, Ui& ui) {
  const std::string problem = keyingProblem(document);
  ImGui::BeginDisabled(!problem.empty());
  if (wideButton("Set key", "for the edited joints, or for the selected joint  Ctrl+I",
                 problem.empty(), 0))
    setKeysHere(document);
  if (wideButton("Remove key",
                 "of the selected joint, at this time; without one, all "
                 "Ctrl+Shift+I",
                 problem.empty(), 1))
    removeKeysHere(document);
  ImGui::EndDisabled();
  checkbox("Automatic keys", &document.autoKey);
  itemHelp("every edit of the pose is a key at the current time  Ctrl+Alt+I");
  partChoice(document, ui);
  clipMenu(document, ui);
  if (!problem.empty()) faintText(problem);
}

void keyCurves(Document& document, Ui& ui, const TimeScale& scale, float height) {
  const Clip* clip = shownClip(document);
  if (clip == nullptr || !(scale.seconds > 0.0f) || height < scaled(40)) return;
  const float lane = scaled(14);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size{scale.width, height - scaled(4)};
  ImGui::SetCursorScreenPos({scale.left, corner.y});
  ImGui::InvisibleButton("##curves", size);
  const ImVec2 top{scale.left, corner.y};
  CurveCanvas canvas{{top.x, top.y + lane}, {top.x + size.x, top.y + size.y}, scale, 0, 1};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(top, canvas.max, ImGui::GetColorU32(ImGuiCol_FrameBg), scaled(3));
  JointCurves curves;
  if (document.selected) {
    const auto samples = static_cast<std::size_t>(std::clamp(0.5f * size.x, 32.0f, 400.0f));
    curves =
        jointCurves(document.workbench.model, *clip, *document.selected, ui.keys.part, samples);
    if (!ui.keys.grip) fitValues(curves, ui.keys);
  }
  canvas.low = ui.keys.low;
  canvas.high = ui.keys.high;
  findKeys(document);
  const auto& keys = document.selected ? document.keys.joint : document.keys.keys;
  const float laneY = top.y + 0.5f * lane;
  const auto hit = ImGui::IsItemHovered() ? hitAt(canvas, curves, countAxes(ui.keys.part), keys,
                                                  laneY, ImGui::GetIO().MousePos)
                                          : std::nullopt;
  draw.PushClipRect(top, canvas.max, true);
  if (document.selected) drawCurves(draw, canvas, curves, countAxes(ui.keys.part), hit);
  for (const float place : markPlaces(keys, scale))
    drawDiamond(draw, {place + 0.5f, laneY}, scaled(4), ImGui::GetColorU32(accentColor()));
  const float now = scale.toX(document.settings.time);
  draw.AddLine({now, top.y}, {now, canvas.max.y}, ImGui::GetColorU32(ImGuiCol_Text), scaled(1.5f));
  draw.PopClipRect();
  if (!document.selected)
    draw.AddText({top.x + scaled(8), canvas.min.y + scaled(6)},
                 ImGui::GetColorU32(ImGuiCol_TextDisabled),
                 "select a joint to see its curves; above are the keys of the clip");
  dragOnCanvas(document, ui, canvas, hit);
}

} // namespace sinew
