// Figures 1 and 2: an arm beside a chest. Bone heat gives the arm's bone much of the chest; bone
// glow does not. Figure 1 is posed by dual quaternions, figure 2 by linear blending.
#include "demo/rigging.h"
#include "tools/figures/bone_glow/weight_subject.h"
#include "tools/figures/figures.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace sinew {
namespace {

struct ArmCase {
  const char* key;
  const char* caption;
  WeightOptions options;
};

// Three sets of weights by the paper's conditions, the same without diffusion, and as sinew prunes
// them.
std::vector<ArmCase> cases() {
  WeightOptions heat = asPublished({.algorithm = WeightAlgorithm::boneHeat});
  WeightOptions glow = asPublished({.algorithm = WeightAlgorithm::boneGlow});
  WeightOptions sharp = glow;
  sharp.glowSharpness = 4.0f;
  std::vector<ArmCase> out = {{"heat", "a) bone heat", heat},
                              {"glow", "b) bone glow", glow},
                              {"glow_sharp", "bone glow, sharpness 4", sharp}};
  for (std::size_t i = 0; i < 3; ++i) {
    ArmCase before = out[i];
    before.options.diffusion = false;
    before.key = std::array{"heat_undiffused", "glow_undiffused", "glow_sharp_undiffused"}[i];
    before.caption = "without diffusion";
    out.push_back(before);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    ArmCase pruned = out[i];
    pruned.options.influences = WeightOptions{}.influences;
    pruned.key = std::array{"heat_faded", "glow_faded", "glow_sharp_faded"}[i];
    pruned.caption = "four weights, faded";
    out.push_back(pruned);
  }
  return out;
}

// The trunk below the shoulder, which an arm should not move.
bool onChest(const vec3& p) {
  return std::abs(p.x) < 0.15f && p.y > 0.95f && p.y < 1.29f;
}

Shot near() {
  return {.width = 380,
          .height = 330,
          .yaw = 25.0f,
          .pitch = 6.0f,
          .frame = around(vec3(0.16f, 1.22f, 0), 0.25f)};
}

FigureResult runArmWeights(const FigureOptions& /*options*/) {
  const WeightSubject human = humanSubject();
  const std::uint32_t arm = boneNamed(human, "left arm");
  const std::array raised = {BoneRotation{"left arm", rotationAbout(vec3(0, 0, 1), 75.0f)},
                             BoneRotation{"left forearm", rotationAbout(vec3(0, 0, 1), 10.0f)}};
  FigureResult result;
  Table table{
      "the left arm's bone on the chest", {{"weights", ""}, {"of_the_bone", ""}, {"mean", ""}}, {}};
  std::vector<Tile> rest, posed, rotated;
  for (const ArmCase& c : cases()) {
    const AutomaticWeights weights = bind(human, c.options);
    const WeightShare share = shareWhere(human, weights.influences, arm, [&](std::size_t v) {
      return onChest(human.joined.positions[v]);
    });
    result.numbers[c.key] = {{"of_the_bone", share.ofJoint}, {"mean", share.mean}};
    table.rows.push_back({c.key, share.ofJoint, share.mean});
    rest.push_back({shootWeights(human, weights.influences, arm, near()),
                    fmt::format("{}: {:.0f} % on the chest", c.caption, 100.0 * share.ofJoint)});
    posed.push_back({shootPosed(human, weights.influences, raised, near()),
                     fmt::format("{}, the arm raised", c.caption)});
    if (rotated.size() < 3)
      rotated.push_back({shootPosed(human, weights.influences, raised, near(), "dqs"),
                         fmt::format("{}, by dual quaternions", c.caption)});
  }
  const auto number = [&](const char* key) {
    return result.numbers[key]["of_the_bone"].get<double>();
  };
  result.says = "bone heat gives the arm's bone much of the chest, which is nearer to its end than "
                "to the back; bone glow gives it the arm, also without diffusion";
  result.measured = fmt::format(
      "with all weights kept, as in the paper, the chest has {:.1f} % of the arm bone's weight by "
      "bone heat and {:.1f} % by bone glow ({:.1f} % with sharpness 4); before diffusion {:.1f} % "
      "and {:.1f} %; with four weights a vertex, faded, {:.1f} % and {:.1f} %",
      100.0 * number("heat"), 100.0 * number("glow"), 100.0 * number("glow_sharp"),
      100.0 * number("heat_undiffused"), 100.0 * number("glow_undiffused"),
      100.0 * number("heat_faded"), 100.0 * number("glow_faded"));
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", layOut(rest, 3)});
  result.images.push_back({"posed", layOut(posed, 3)});
  result.images.push_back({"dual-quaternions", layOut(rotated, 3)});
  return result;
}

} // namespace

Figure armWeightsFigure() {
  return {.name = "bg-arm",
          .paper = kBoneGlowPaper,
          .title = "Figures 1 and 2: an arm's bone beside the chest",
          .run = runArmWeights};
}

} // namespace sinew
