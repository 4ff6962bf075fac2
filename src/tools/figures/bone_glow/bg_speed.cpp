// The time of automatic weights, and meshes on which other programs fail: a tube of growing size
// and number of bones, with a larger tube around it, a ball beside it, and at a thousandth of its
// size.
#include "model/shapes.h"
#include "tools/figures/bone_glow/weight_subject.h"
#include "tools/figures/figures.h"
#include "weights/weight_report.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {
namespace {

struct Tube {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
  std::vector<BoneSegment> bones;
};

// Approximately that many vertices, twice as many triangles; radius 0.5 with waves, bones end to
// end.
Tube makeTube(std::size_t vertices, std::size_t boneCount) {
  constexpr float kLength = 10.0f;
  const auto segments = static_cast<std::uint32_t>(
      std::max(8.0, std::round(std::sqrt(static_cast<double>(vertices) / 4.0))));
  const auto rings = static_cast<std::uint32_t>(std::max<std::size_t>(
      8, static_cast<std::size_t>(
             std::lround(static_cast<double>(vertices) / static_cast<double>(segments)))));
  std::vector<Ring> loops;
  for (std::uint32_t r = 0; r < rings; ++r) {
    const float x = kLength * (static_cast<float>(r) + 0.5f) / static_cast<float>(rings);
    const float radius = 0.5f + 0.1f * std::sin(3.0f * x);
    loops.push_back({vec3(x, 0, 0), vec3(0, radius, 0), vec3(0, 0, radius)});
  }
  Mesh mesh = toMesh(sweep(vec3(0), loops, vec3(kLength, 0, 0), segments), "tube");
  Tube out{std::move(mesh.positions), std::move(mesh.triangles), {}};
  for (std::size_t b = 0; b < boneCount; ++b) {
    const auto at = [&](std::size_t i) {
      return vec3(kLength * static_cast<float>(i) / static_cast<float>(boneCount), 0, 0);
    };
    out.bones.push_back({at(b), at(b + 1)});
  }
  return out;
}

void join(Tube& tube, std::span<const vec3> positions, std::span<const Triangle> triangles) {
  const auto first = static_cast<std::uint32_t>(tube.positions.size());
  const std::vector<vec3> added(positions.begin(), positions.end());
  const std::vector<Triangle> faces(triangles.begin(), triangles.end());
  tube.positions.insert(tube.positions.end(), added.begin(), added.end());
  for (const auto& [a, b, c] : faces)
    tube.triangles.push_back({first + a, first + b, first + c});
}

struct Trouble {
  const char* name;
  Tube tube;
};

std::vector<Trouble> troubles() {
  const Tube plain = makeTube(13056, 20);
  std::vector<Trouble> out = {{"a tube 5 % outside", plain},
                              {"a ball beside it", plain},
                              {"a thousandth of its size", plain}};
  std::vector<vec3> outer = plain.positions;
  for (vec3& p : outer)
    p = vec3(5.0f, 0, 0) + vec3(1.005f, 1.05f, 1.05f) * (p - vec3(5.0f, 0, 0));
  join(out[0].tube, outer, plain.triangles);
  const Mesh ball = toMesh(ellipsoid(vec3(5, 2, 0), vec3(0.4f), 32, 20), "ball");
  join(out[1].tube, ball.positions, ball.triangles);
  for (vec3& p : out[2].tube.positions)
    p *= 0.001f;
  for (BoneSegment& bone : out[2].tube.bones)
    bone = {0.001f * bone.from, 0.001f * bone.to};
  return out;
}

constexpr std::pair<const char*, WeightAlgorithm> kAlgorithms[] = {
    {"bone-heat", WeightAlgorithm::boneHeat}, {"bone-glow", WeightAlgorithm::boneGlow}};

std::vector<std::pair<std::size_t, std::size_t>> sizesUpTo(std::size_t vertices) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (const auto& [count, bones] : {std::pair<std::size_t, std::size_t>{10'000, 20},
                                     {100'000, 20},
                                     {100'000, 100},
                                     {214'000, 20},
                                     {1'000'000, 20}})
    if (count <= vertices) out.emplace_back(count, bones);
  if (out.empty()) out.emplace_back(vertices, 20);
  return out;
}

FigureResult runWeightsSpeed(const FigureOptions& options) {
  FigureResult result;
  Table times{"seconds for a tube",
              {{"vertices", "", 0},
               {"bones", "", 0},
               {"weights", ""},
               {"seconds", "s", 2},
               {"visibility", "s", 2},
               {"factorisation", "s", 2},
               {"solve", "s", 2}},
              {}};
  Plot plot;
  plot.title = "Automatic weights of a tube with 20 bones";
  plot.xLabel = "vertices";
  plot.yLabel = "seconds";
  plot.logX = plot.logY = true;
  for (const auto& [name, algorithm] : kAlgorithms) {
    Series series{name, {}, true};
    for (const auto& [count, bones] :
         sizesUpTo(options.vertices > 0 ? options.vertices : 100'000)) {
      const Tube tube = makeTube(count, bones);
      const AutomaticWeights weights =
          automaticWeights(tube.positions, tube.triangles, tube.bones,
                           {.algorithm = algorithm, .proxy = WeightProxy::none});
      const WeightReport& r = weights.report;
      const auto vertices = static_cast<double>(tube.positions.size());
      times.rows.push_back({vertices, static_cast<double>(bones), name, r.seconds,
                            r.visibilitySeconds, r.factorSeconds, r.solveSeconds});
      result.numbers["seconds"][fmt::format("{} x {}", count, bones)][name] = r.seconds;
      if (bones == 20) series.points.emplace_back(vertices, r.seconds);
    }
    plot.series.push_back(std::move(series));
  }
  Table trouble{"meshes on which other programs leave vertices without weights",
                {{"mesh", ""},
                 {"weights", ""},
                 {"vertices", "", 0},
                 {"unweighted", "", 0},
                 {"from_nearest_surface", "", 0},
                 {"from_nearest_bone", "", 0}},
                {}};
  std::size_t unweighted = 0;
  for (const Trouble& t : troubles())
    for (const auto& [name, algorithm] : kAlgorithms) {
      const AutomaticWeights weights =
          automaticWeights(t.tube.positions, t.tube.triangles, t.tube.bones,
                           {.algorithm = algorithm, .proxy = WeightProxy::none});
      const std::size_t without = countUnweighted(weights.influences);
      unweighted += without;
      trouble.rows.push_back({t.name, name, static_cast<double>(t.tube.positions.size()),
                              static_cast<double>(without),
                              static_cast<double>(weights.report.fromNearestSurface),
                              static_cast<double>(weights.report.fromNearestBone)});
      result.numbers["troubles"][t.name][name] = {
          {"vertices", t.tube.positions.size()},
          {"unweighted", without},
          {"from_nearest_surface", weights.report.fromNearestSurface}};
    }
  result.numbers["unweighted"] = unweighted;
  const auto& last = times.rows.back();
  result.says = "suited to people who cannot set parameters; no times are given";
  result.measured = fmt::format(
      "{:.0f} vertices and {:.0f} bones in {:.2f} s by bone glow; of a tube within a tube, with a "
      "ball beside it and at a thousandth of its size {} vertices have no weights",
      std::get<double>(last[0]), std::get<double>(last[1]), std::get<double>(last[3]), unweighted);
  result.tables.push_back({"", std::move(times)});
  result.tables.push_back({"troubles", std::move(trouble)});
  result.images.push_back({"", drawPlot(plot, 900, 560)});
  return result;
}

} // namespace

Figure weightsSpeedFigure() {
  return {.name = "bg-speed",
          .paper = kBoneGlowPaper,
          .title = "Not in the paper: times, and meshes on which others fail",
          .run = runWeightsSpeed};
}

} // namespace sinew
