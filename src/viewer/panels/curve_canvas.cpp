#include "viewer/panels/curve_canvas.h"

#include "viewer/panels/controls.h"
#include "viewer/window/theme.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

using glm::vec2;

constexpr float kLeastGap = 0.02f; // between fractions of points, and to the ends
constexpr int kSegments = 64;

// The canvas on the screen: (0, 0) of the curve is its lower left corner.
struct Canvas {
  ImVec2 corner, size;

  ImVec2 onScreen(const vec2& p) const {
    return {corner.x + p.x * size.x, corner.y + (1.0f - p.y) * size.y};
  }
  vec2 onCurve(const ImVec2& p) const {
    return {(p.x - corner.x) / size.x, 1.0f - (p.y - corner.y) / size.y};
  }
};

int pointNear(const Canvas& canvas, const BlendCurve& curve, const ImVec2& mouse) {
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const ImVec2 at = canvas.onScreen(curve.points[i]);
    if (std::hypot(at.x - mouse.x, at.y - mouse.y) < scaled(8)) return static_cast<int>(i);
  }
  return -1;
}

void draw(const Canvas& canvas, const BlendCurve& curve, int grabbed) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end{canvas.corner.x + canvas.size.x, canvas.corner.y + canvas.size.y};
  list.AddRectFilled(canvas.corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg), scaled(3));
  list.AddLine(canvas.onScreen({0, 0}), canvas.onScreen({1, 1}),
               ImGui::GetColorU32(ImGuiCol_Border), scaled(1));
  std::array<ImVec2, kSegments + 1> line;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const float fraction = static_cast<float>(i) / kSegments;
    line[i] = canvas.onScreen({fraction, blendAt(curve, fraction)});
  }
  const ImU32 color = ImGui::GetColorU32(accentColor());
  list.AddPolyline(line.data(), static_cast<int>(line.size()), color, 0, scaled(2));
  for (std::size_t i = 0; i < curve.points.size(); ++i)
    list.AddCircleFilled(canvas.onScreen(curve.points[i]),
                         scaled(static_cast<int>(i) == grabbed ? 6.0f : 4.0f), color);
}

// The mouse on the canvas, on which the item just drawn lies.
CurveEdit edited(const Canvas& canvas, const BlendCurve& curve, int& grabbed) {
  CurveEdit out{curve};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsItemActivated() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    grabbed = pointNear(canvas, curve, mouse);
    if (grabbed < 0) {
      AddedPoint added = withPointAdded(curve.points, canvas.onCurve(mouse));
      out.curve.points = std::move(added.points);
      grabbed = added.index;
    }
    out.changed = grabbed >= 0;
  } else if (ImGui::IsItemActive() && grabbed >= 0 &&
             grabbed < static_cast<int>(curve.points.size())) {
    out.curve.points =
        withPointMoved(curve.points, static_cast<std::size_t>(grabbed), canvas.onCurve(mouse));
    out.changed = true;
  }
  if (ImGui::IsItemDeactivated() && grabbed >= 0) {
    out.changed = out.done = true;
    grabbed = -1;
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right))
    if (const int point = pointNear(canvas, curve, mouse); point >= 0) {
      out.curve.points.erase(out.curve.points.begin() + point);
      out.changed = out.done = true;
    }
  return out;
}

} // namespace

std::vector<vec2> withPointMoved(std::vector<vec2> points, std::size_t point, const vec2& to) {
  const vec2 before = point > 0 ? points[point - 1] : vec2(0.0f);
  const vec2 after = point + 1 < points.size() ? points[point + 1] : vec2(1.0f);
  // Points of a file may be nearer to each other than the mouse can put them.
  const float gap = std::min(kLeastGap, 0.5f * (after.x - before.x));
  points[point] = {std::clamp(to.x, before.x + gap, after.x - gap),
                   std::clamp(to.y, before.y, after.y)};
  return points;
}

AddedPoint withPointAdded(std::vector<vec2> points, const vec2& at) {
  const auto next = std::ranges::upper_bound(points, at.x, {}, &vec2::x);
  const auto index = static_cast<std::size_t>(next - points.begin());
  const float before = index > 0 ? points[index - 1].x : 0.0f;
  const float after = index < points.size() ? points[index].x : 1.0f;
  if (!(after - before > 2.0f * kLeastGap)) return {std::move(points), -1};
  points.insert(next, at);
  return {withPointMoved(std::move(points), index, at), static_cast<int>(index)};
}

CurveEdit curveCanvas(const BlendCurve& curve, int& grabbed) {
  const Canvas canvas{ImGui::GetCursorScreenPos(), {ImGui::GetContentRegionAvail().x, scaled(90)}};
  ImGui::InvisibleButton("##curve canvas", canvas.size);
  CurveEdit out{curve};
  if (curve.kind == BlendCurve::Kind::drawn) {
    out = edited(canvas, curve, grabbed);
    itemHelp("click to add a point, drag it, right click to remove it");
  }
  draw(canvas, out.curve, grabbed);
  return out;
}

} // namespace sinew
