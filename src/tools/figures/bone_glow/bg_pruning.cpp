// Four weights per vertex out of many: the largest unchanged, or faded so that none ends abruptly.
#include "demo/rigging.h"
#include "tools/figures/bone_glow/weight_subject.h"
#include "tools/figures/figures.h"
#include "weights/quality.h"

#include <fmt/format.h>

#include <array>

namespace sinew {
namespace {

struct PruningCase {
  const char* key;
  const char* caption;
  std::uint32_t influences;
  Pruning pruning;
};

FigureResult runPruning(const FigureOptions& /*options*/) {
  const WeightSubject penguin = penguinSubject();
  const WeightSurface surface =
      makeWeightSurface(penguin.joined.positions, penguin.joined.triangles);
  const std::array pose = {BoneRotation{"left flipper", rotationAbout(vec3(0, 0, 1), 60.0f)},
                           BoneRotation{"right flipper", rotationAbout(vec3(0, 0, 1), -60.0f)},
                           BoneRotation{"left foot", rotationAbout(vec3(1, 0, 0), -30.0f)},
                           BoneRotation{"head", rotationAbout(vec3(1, 0, 0), -25.0f)}};
  const Shot shot{.width = 380,
                  .height = 400,
                  .yaw = 8.0f,
                  .pitch = 4.0f,
                  .frame = around(vec3(0, 0.45f, 0), 0.34f)};
  FigureResult result;
  Table table{"seven bones' weights by bone glow",
              {{"pruning", ""},
               {"dirichlet", "", 2},
               {"largest_step", ""},
               {"steep_step", ""},
               {"moved_mean", ""},
               {"moved_at_most", ""}},
              {}};
  std::vector<Tile> rest, posed;
  for (const PruningCase& c : {PruningCase{"all", "all weights", 0, Pruning::plain},
                               PruningCase{"plain", "the four largest", 4, Pruning::plain},
                               PruningCase{"faded", "four, faded", 4, Pruning::faded}}) {
    const AutomaticWeights weights = bind(
        penguin,
        {.algorithm = WeightAlgorithm::boneGlow, .influences = c.influences, .pruning = c.pruning});
    const WeightSmoothness s = measureSmoothness(surface, weights.influences);
    table.rows.push_back({c.key, s.dirichlet, s.largestStep, s.steepStep, weights.report.meanCut,
                          static_cast<double>(weights.report.largestCut)});
    result.numbers[c.key] = {{"dirichlet", s.dirichlet},
                             {"largest_step", s.largestStep},
                             {"steep_step", s.steepStep},
                             {"moved_mean", weights.report.meanCut},
                             {"moved_at_most", weights.report.largestCut}};
    rest.push_back({shootWeights(penguin, weights.influences, boneNamed(penguin, "back"), shot),
                    fmt::format("{}: the back's", c.caption)});
    if (c.influences > 0) // no more are drawn
      posed.push_back({shootPosed(penguin, weights.influences, pose, shot), c.caption});
  }
  const auto number = [&](const char* key, const char* what) {
    return result.numbers[key][what].get<double>();
  };
  result.says = "nothing: the paper keeps all weights";
  result.measured = fmt::format(
      "of seven weights a vertex four kept: a thousandth of the edges have steps above {:.2f} "
      "(all weights {:.2f}); faded {:.2f}. Dirichlet energy {:.1f}, {:.1f} and {:.1f}",
      number("plain", "steep_step"), number("all", "steep_step"), number("faded", "steep_step"),
      number("plain", "dirichlet"), number("all", "dirichlet"), number("faded", "dirichlet"));
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", layOut(rest, 3)});
  result.images.push_back({"posed", layOut(posed, 2)});
  return result;
}

} // namespace

Figure pruningFigure() {
  return {.name = "bg-pruning",
          .paper = kBoneGlowPaper,
          .title = "Not in the paper: four weights a vertex",
          .run = runPruning};
}

} // namespace sinew
