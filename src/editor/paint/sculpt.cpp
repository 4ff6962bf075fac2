#include "editor/paint/sculpt.h"

#include "app/corrective.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "editor/paint/stroke.h"
#include "editor/pose/driving.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace sinew {
namespace {

constexpr float kPush = 0.1f;       // share of the radius, by a stamp of full strength
constexpr double kSlowShape = 60.0; // milliseconds: then the shape is made when the stroke ends

vec3 getPosition(const SculptStroke& stroke, std::uint32_t welded) {
  return stroke.places[stroke.surface.verticesByWelded.of(welded).front()];
}

void moveTo(SculptStroke& stroke, std::uint32_t welded, const vec3& place) {
  for (const std::uint32_t v : stroke.surface.verticesByWelded.of(welded))
    stroke.places[v] = place;
}

// Area-weighted, of the triangles about a welded vertex.
vec3 computeNormal(const SculptStroke& stroke, std::uint32_t welded) {
  vec3 sum(0.0f);
  for (const std::uint32_t t : stroke.surface.trianglesByVertex.of(welded)) {
    const Triangle& corners = stroke.surface.triangles[t];
    const vec3 a = getPosition(stroke, corners[0]);
    sum += glm::cross(getPosition(stroke, corners[1]) - a, getPosition(stroke, corners[2]) - a);
  }
  return sum;
}

vec3 meanOfNeighbors(const SculptStroke& stroke, std::uint32_t welded) {
  vec3 sum(0.0f);
  float count = 0.0f;
  for (const std::uint32_t t : stroke.surface.trianglesByVertex.of(welded))
    for (const std::uint32_t corner : stroke.surface.triangles[t])
      if (corner != welded) {
        sum += getPosition(stroke, corner);
        count += 1.0f;
      }
  return count > 0.0f ? sum / count : getPosition(stroke, welded);
}

std::string freeShapeName(const Document& document) {
  const auto& targets = document.workbench.model.morphTargets;
  for (int number = 1;; ++number) {
    std::string name = fmt::format("sculpt {}", number);
    if (std::ranges::find(targets, name, &MorphTarget::name) == targets.end()) return name;
  }
}

// Makes what the stroke has moved a corrective shape of the pose. Ends the stroke, with a message,
// where it cannot be one.
void makeShape(Document& document, SculptState& sculpt) {
  SculptStroke& stroke = *sculpt.stroke;
  if (!std::exchange(stroke.waits, false)) return;
  const Clock::time_point start = Clock::now();
  const Workbench& workbench = document.workbench;
  auto set = std::make_shared<DriverSet>(getDrivers(document));
  try {
    if (const std::string shape = correctiveHere(workbench, *set); !shape.empty())
      changeCorrective(workbench, stroke.places, shape, stroke.view, *set);
    else
      addCorrective(workbench, stroke.places, {freeShapeName(document), {}, stroke.view}, *set);
  } catch (const Error& problem) {
    notify(document, problem.what());
    sculpt.stroke.reset();
    return;
  }
  document.history.live().drivers = std::move(set);
  sculpt.shapeMs = millisecondsSince(start);
}

void stampAt(Document& document, PaintState& paint, SculptState& sculpt, const SurfaceHit& hit) {
  SculptStroke& stroke = *sculpt.stroke;
  const auto center =
      surfacePoint(stroke.surface, document.workbench.rig.triangles[hit.triangle], hit.shares);
  if (!center) return;
  const Brush& brush = paint.choices.brush;
  sculptStamp(stroke, *center, brush, brush.radius * posedScale(document.workbench, hit));
}

} // namespace

bool sculpting(const Document& document) {
  return document.tool == Tool::sculpt && hasModel(document) && !document.crowd &&
         !drafting(document) && !document.workbench.rig.triangles.empty();
}

void sculptStamp(SculptStroke& stroke, const SurfacePoint& center, const Brush& brush,
                 float radius) {
  const auto reached = verticesWithin(stroke.surface, center, radius, brush.along);
  vec3 normal(0.0f);
  for (const Reached& each : reached)
    normal += falloffAt(brush.falloff, each.distance / radius) * computeNormal(stroke, each.welded);
  const float length = glm::length(normal);
  if (stroke.brush == SculptBrush::push && !(length > 0.0f)) return;
  const vec3 step = (stroke.inward ? -kPush : kPush) * radius * normal / std::max(length, 1e-30f);
  std::vector<std::pair<std::uint32_t, vec3>> moved;
  for (const Reached& each : reached) {
    const float share = brush.strength * falloffAt(brush.falloff, each.distance / radius);
    const vec3 place = getPosition(stroke, each.welded);
    moved.emplace_back(each.welded,
                       stroke.brush == SculptBrush::push
                           ? place + share * step
                           : glm::mix(place, meanOfNeighbors(stroke, each.welded), share));
  }
  for (const auto& [welded, place] : moved)
    moveTo(stroke, welded, place);
  stroke.waits |= !moved.empty();
}

void startSculpt(Document& document, PaintState& paint, SculptState& sculpt, std::size_t view,
                 vec2 pixel, SculptBrush brush, bool inward) {
  document.settings.playing = false;
  document.views.active = view;
  const Rig& rig = document.workbench.rig;
  SculptStroke stroke{.view = view, .last = pixel, .brush = brush, .inward = inward};
  stroke.places = paint.pick->posed;
  stroke.surface = makePaintSurface(rig.positions, rig.triangles,
                                    std::vector<std::uint32_t>(rig.positions.size(), 0));
  for (std::uint32_t welded = 0; welded < stroke.surface.positions.size(); ++welded)
    stroke.surface.positions[welded] =
        stroke.places[stroke.surface.verticesByWelded.of(welded).front()];
  sculpt.stroke = std::move(stroke);
  sculpt.shapeMs = 0.0;
  stampAt(document, paint, sculpt, *paint.hover);
  makeShape(document, sculpt);
}

void continueSculpt(Document& document, PaintState& paint, SculptState& sculpt, const View& view,
                    vec2 pixel) {
  SculptStroke& stroke = *sculpt.stroke;
  if (!sameView(paint.pick->seen, view)) return; // the camera has moved meanwhile
  const PaintPick& pick = *paint.pick;
  const auto under = pick.grid.at(pixel);
  if (under) paint.hover = under;
  if (pixel == stroke.last || !paint.hover) return;
  const float radius = paint.choices.brush.radius * posedScale(document.workbench, *paint.hover);
  const float spacing =
      std::max(kStampSpacing * radius / unitsPerPixel(pick.seen, paint.hover->position), 1.0f);
  for (const vec2 at : stampsBetween(stroke.last, pixel, spacing, stroke.carried))
    if (const auto hit = pick.grid.at(at)) stampAt(document, paint, sculpt, *hit);
  stroke.last = pixel;
  if (sculpt.shapeMs < kSlowShape) makeShape(document, sculpt);
}

void endSculpt(Document& document, SculptState& sculpt) {
  if (!sculpt.stroke) return;
  makeShape(document, sculpt);
  if (!sculpt.stroke) return;
  const bool push = sculpt.stroke->brush == SculptBrush::push;
  sculpt.stroke.reset();
  commitEdit(document, push ? "Push the surface" : "Smooth the surface");
}

std::string shapeHere(const Document& document) {
  return document.stale ? std::string() : correctiveHere(document.workbench, getDrivers(document));
}

} // namespace sinew
