// Section 4: axis and angle computed once per joint or once per vertex, and the rotation skipped
// where t is 0 or 1.
#include "demo/models.h"
#include "tools/figures/bones_blending/zone_binding.h"
#include "tools/figures/figures.h"
#include "tools/figures/timing.h"

#include <fmt/format.h>

namespace sinew {
namespace {

// Fraction of the vertices with 0 < t < 1 in their first joint, which need a rotation.
double rotatingFraction(const Model& model) {
  const Workbench workbench = poseBy(model, {"bones-blending"}, restPose(model.hierarchy));
  const Attribute& blendFactors = findAttribute(workbench.bound.front().binding, "blendFactor");
  std::size_t turning = 0;
  for (std::size_t v = 0; v < workbench.rig.positions.size(); ++v) {
    const float t = readFloat(blendFactors, v).x;
    if (t > 0.0f && t < 1.0f) ++turning;
  }
  return static_cast<double>(turning) / static_cast<double>(workbench.rig.positions.size());
}

// Where t is neither 0 nor 1, as colour.
Tile rotatingPicture(const Model& model, const char* name) {
  const Workbench workbench = poseBy(model, {"bones-blending"}, restPose(model.hierarchy));
  const Attribute& blendFactors = findAttribute(workbench.bound.front().binding, "blendFactor");
  std::vector<float> field;
  for (std::size_t v = 0; v < workbench.rig.positions.size(); ++v) {
    const float t = readFloat(blendFactors, v).x;
    field.push_back(t > 0.0f && t < 1.0f ? 1.0f : 0.0f);
  }
  return {shoot(workbench, {.width = 430, .height = 300, .pitch = 8.0f, .field = std::move(field)}),
          fmt::format("{}: 0 < t < 1 in red", name)};
}

FigureResult runOptimisations(const FigureOptions& options) {
  const std::vector<TimedCase> cases = {
      {"axis cached", "bones-blending", "axis=cached,skip=off"},
      {"axis per vertex", "bones-blending", "axis=per-vertex,skip=off"},
      {"axis cached, skip", "bones-blending", "axis=cached,skip=on"},
      {"axis per vertex, skip", "bones-blending", "axis=per-vertex,skip=on"},
      {"linear blending", "lbs"}};
  const TimingPlan plan = applyOptions({.vertices = 300000, .frames = 31}, options);
  struct Character {
    const char* name;
    Model model;
  };
  const Character characters[] = {{"arm", makeArm()}, {"humanoid", makeHumanoid()}};
  FigureResult result;
  Table table{"bones blending, vertex stage alone",
              {{"character", ""},
               {"case", ""},
               {"minimum", "ms", 2},
               {"median", "ms", 2},
               {"ratio_to_cached", "", 2}},
              {}};
  std::vector<Tile> tiles;
  for (const auto& [name, model] : characters) {
    Workbench workbench = poseBy(model, {"bones-blending"}, restPose(model.hierarchy));
    const BenchReport report = timeCases(workbench, cases, plan);
    describeRun(report, result);
    for (const BenchResult& r : report.results) {
      const double ratio = r.ratioToStatic;
      table.rows.push_back({name, r.method, r.frame.minimum, r.frame.median, ratio});
      result.numbers[name][r.method] = {{"ms_min", r.frame.minimum}, {"ratio", ratio}};
    }
    result.numbers[name]["rotating_fraction"] = rotatingFraction(model);
    tiles.push_back(rotatingPicture(model, name));
  }
  const auto ratio = [&](std::size_t row) { return std::get<double>(table.rows[row][4]); };
  result.says =
      "it is not necessary to compute the full slerp for every vertex: axis and angle can "
      "be found once a joint; and it can be cancelled where t is 0 or 1, after which the "
      "time depends on how many vertices have 0 < t < 1 (neither was implemented)";
  result.measured = fmt::format(
      "axis and angle by every vertex take {:.2f} times as long on the arm and {:.2f} on the "
      "humanoid; leaving the rotation out at t = 0 and 1 {:.2f} and {:.2f} times, although only "
      "{:.0f} and {:.0f} % of the vertices have 0 < t < 1",
      ratio(1), ratio(6), ratio(2), ratio(7),
      100.0 * result.numbers["arm"]["rotating_fraction"].get<double>(),
      100.0 * result.numbers["humanoid"]["rotating_fraction"].get<double>());
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", layOut(tiles, 2)});
  return result;
}

} // namespace

Figure optimisationsFigure() {
  return {.name = "bb-optimisations",
          .paper = kBonesBlendingPaper,
          .title = "Section 4: cached axis, and no rotation at t = 0 or 1",
          .run = runOptimisations};
}

} // namespace sinew
