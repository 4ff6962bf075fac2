// Figures 3 and 4: bone heat and bone glow side by side, bone after bone, on a human and on a
// penguin.
#include "demo/rigging.h"
#include "tools/figures/bone_glow/weight_subject.h"
#include "tools/figures/figures.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace sinew {
namespace {

// A bone to compare, and the part of the body that belongs to it.
struct Highlight {
  std::string_view bone;
  std::function<bool(const vec3&)> part;
};

struct Entry {
  const char* key;
  const char* caption;
  WeightOptions options;
};

// The paper's two by its conditions, all weights kept, and sinew's own beside them.
std::array<Entry, 5> entries() {
  const WeightOptions heat{.algorithm = WeightAlgorithm::boneHeat};
  const WeightOptions glow{.algorithm = WeightAlgorithm::boneGlow};
  WeightOptions sharp = glow;
  sharp.glowSharpness = 4.0f;
  return {{{"heat", "a) bone heat", asPublished(heat)},
           {"glow", "b) bone glow", asPublished(glow)},
           {"glow_sharp", "sharpness 4", asPublished(sharp)},
           {"heat_faded", "heat, 4 faded", heat},
           {"glow_faded", "glow, 4 faded", glow}}};
}

// Fills tables, numbers and pictures: one row per set of weights, one column per bone.
FigureResult compareBones(const WeightSubject& subject, std::span<const Highlight> highlights,
                          const Shot& shot, std::span<const BoneRotation> pose) {
  FigureResult result;
  Table table{fmt::format("{}: the mean weight of a bone on its own part of the body, and the "
                          "share of the bone's weight that lies there",
                          subject.name),
              {{"weights", ""}, {"bone", ""}, {"mean_on_its_part", ""}, {"share_on_its_part", ""}},
              {}};
  std::vector<Tile> tiles, posed;
  for (const Entry& c : entries()) {
    const AutomaticWeights weights = bind(subject, c.options);
    for (const Highlight& h : highlights) {
      const std::uint32_t bone = boneNamed(subject, h.bone);
      const WeightShare share = shareWhere(subject, weights.influences, bone, [&](std::size_t v) {
        return h.part(subject.joined.positions[v]);
      });
      table.rows.push_back({c.key, std::string(h.bone), share.mean, share.ofJoint});
      result.numbers[c.key][std::string(h.bone)] = {{"mean", share.mean}, {"share", share.ofJoint}};
      tiles.push_back({shootWeights(subject, weights.influences, bone, shot),
                       fmt::format("{}: {}", c.caption, h.bone)});
    }
    posed.push_back({shootPosed(subject, weights.influences, pose, shot), c.caption});
  }
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", layOut(tiles, static_cast<int>(highlights.size()))});
  result.images.push_back({"posed", layOut(posed, static_cast<int>(posed.size()))});
  return result;
}

std::string describeMeans(const FigureResult& result, std::string_view bone) {
  const auto mean = [&](const char* key) {
    return result.numbers[key][std::string(bone)]["mean"].get<double>();
  };
  return fmt::format("{} {:.2f} by bone heat, {:.2f} by bone glow ({:.2f} with sharpness 4; with "
                     "four weights a vertex, faded, {:.2f} and {:.2f})",
                     bone, mean("heat"), mean("glow"), mean("glow_sharp"), mean("heat_faded"),
                     mean("glow_faded"));
}

FigureResult runHuman(const FigureOptions& /*options*/) {
  const std::array kBones = {
      Highlight{"upper back",
                [](const vec3& p) { return std::abs(p.x) < 0.14f && p.y > 1.16f && p.y < 1.33f; }},
      Highlight{"lower back",
                [](const vec3& p) { return std::abs(p.x) < 0.2f && p.y > 0.95f && p.y < 1.12f; }},
      Highlight{"left arm", [](const vec3& p) { return p.x > 0.20f && p.x < 0.40f && p.y > 1.2f; }},
      Highlight{"left leg",
                [](const vec3& p) { return p.x > 0.0f && p.y > 0.50f && p.y < 0.78f; }}};
  const std::array pose = {BoneRotation{"left arm", rotationAbout(vec3(0, 0, 1), -65.0f)},
                           BoneRotation{"right arm", rotationAbout(vec3(0, 0, 1), -60.0f)},
                           BoneRotation{"upper back", rotationAbout(vec3(0, 1, 0), 20.0f)},
                           BoneRotation{"left leg", rotationAbout(vec3(1, 0, 0), -60.0f)},
                           BoneRotation{"left shin", rotationAbout(vec3(1, 0, 0), 50.0f)}};
  FigureResult result = compareBones(
      humanSubject(), kBones,
      {.width = 300, .height = 400, .yaw = 20.0f, .frame = around(vec3(0, 0.86f, 0), 0.48f)}, pose);
  result.says = "legs are almost the same by both; back bones have strong weights on the torso by "
                "bone glow, low ones by bone heat";
  result.measured = fmt::format(
      "all weights kept, as in the paper; mean weight on the bone's own part: {}; {}; {}; {}",
      describeMeans(result, "upper back"), describeMeans(result, "lower back"),
      describeMeans(result, "left arm"), describeMeans(result, "left leg"));
  return result;
}

FigureResult runPenguin(const FigureOptions& /*options*/) {
  const std::array kBones = {
      Highlight{"back",
                [](const vec3& p) { return std::abs(p.x) < 0.26f && p.y > 0.15f && p.y < 0.6f; }},
      Highlight{"beak", [](const vec3& p) { return p.y > 0.7f && p.z > 0.20f; }},
      Highlight{"left flipper", [](const vec3& p) { return p.x > 0.29f; }},
      Highlight{"left foot",
                [](const vec3& p) { return p.x > 0.0f && p.y < 0.08f && p.z > 0.1f; }}};
  const std::array pose = {BoneRotation{"left flipper", rotationAbout(vec3(0, 0, 1), 70.0f)},
                           BoneRotation{"right flipper", rotationAbout(vec3(0, 0, 1), 20.0f)},
                           BoneRotation{"beak", rotationAbout(vec3(1, 0, 0), -30.0f)},
                           BoneRotation{"head", rotationAbout(vec3(0, 1, 0), -25.0f)},
                           BoneRotation{"left foot", rotationAbout(vec3(1, 0, 0), -35.0f)}};
  FigureResult result = compareBones(
      penguinSubject(), kBones,
      {.width = 300, .height = 330, .yaw = 35.0f, .frame = around(vec3(0, 0.49f, 0.05f), 0.36f)},
      pose);
  result.says = "limbs are similar, tighter about the joints by bone glow; back and beak are "
                "clearly better by bone glow";
  result.measured = fmt::format(
      "all weights kept, as in the paper; mean weight on the bone's own part: {}; {}; {}; {}",
      describeMeans(result, "back"), describeMeans(result, "beak"),
      describeMeans(result, "left flipper"), describeMeans(result, "left foot"));
  return result;
}

} // namespace

Figure humanWeightsFigure() {
  return {.name = "bg-human",
          .paper = kBoneGlowPaper,
          .title = "Figure 3: bone heat and bone glow on a human",
          .run = runHuman};
}

Figure penguinWeightsFigure() {
  return {.name = "bg-penguin",
          .paper = kBoneGlowPaper,
          .title = "Figure 4: bone heat and bone glow on a penguin",
          .run = runPenguin};
}

} // namespace sinew
