#include "bench/scaling_bench.h"

#include "core/random.h"

#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::uint32_t kSides = 20;
constexpr float kRadius = 0.35f;
constexpr int kKeys = 31; // keys in one second

void addJoints(const TubeScale& scale, Model& model) {
  Skin skin;
  Clip clip;
  clip.name = "wave";
  clip.seconds = 1.0f;
  // All together bend by about a radian, whatever their number.
  const float bend = 2.0f / static_cast<float>(scale.joints);
  for (std::uint32_t j = 0; j < scale.joints; ++j) {
    Node node{"joint" + std::to_string(j), j == 0 ? kNoNode : j - 1, {}};
    if (j > 0) node.rest.translation.y = 1.0f;
    model.hierarchy.nodes.push_back(node);
    skin.joints.push_back(
        {j, glm::translate(mat4(1.0f), vec3(0.0f, -static_cast<float>(j), 0.0f))});
    Channel channel;
    channel.node = j;
    for (int k = 0; k < kKeys; ++k) {
      const float time = static_cast<float>(k) / static_cast<float>(kKeys - 1);
      const float angle = bend * std::sin(6.2831853f * time + 0.3f * static_cast<float>(j));
      channel.rotation.times.push_back(time);
      channel.rotation.values.push_back(glm::angleAxis(angle, vec3(0.0f, 0.0f, 1.0f)));
    }
    clip.channels.push_back(std::move(channel));
  }
  model.skins.push_back(std::move(skin));
  model.clips.push_back(std::move(clip));
}

// The nearest joints along the tube.
std::vector<Influence> influencesAt(float along, const TubeScale& scale) {
  const std::uint32_t count = std::min(scale.influences, scale.joints);
  const float reach = 0.5f * static_cast<float>(count) + 0.5f;
  const auto last = static_cast<float>(scale.joints - count);
  const auto first = static_cast<std::uint32_t>(
      std::clamp(std::floor(along - 0.5f * static_cast<float>(count) + 0.5f), 0.0f, last));
  std::vector<Influence> out;
  float sum = 0.0f;
  for (std::uint32_t j = first; j < first + count; ++j) {
    const float weight = std::max(reach - std::abs(along - static_cast<float>(j)), 0.05f);
    out.push_back({j, weight});
    sum += weight;
  }
  for (Influence& influence : out)
    influence.weight /= sum;
  std::stable_sort(out.begin(), out.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  return out;
}

// Different joints anywhere along the tube.
std::vector<Influence> randomInfluences(const TubeScale& scale, Random& random) {
  const std::uint32_t count = std::min(scale.influences, scale.joints);
  std::vector<Influence> out;
  float sum = 0.0f;
  while (out.size() < count) {
    const std::uint32_t joint = random.below(scale.joints);
    if (std::ranges::find(out, joint, &Influence::joint) != out.end()) continue;
    out.push_back({joint, random.uniform(0.1f, 1.0f)});
    sum += out.back().weight;
  }
  for (Influence& influence : out)
    influence.weight /= sum;
  std::ranges::stable_sort(out, std::ranges::greater(), &Influence::weight);
  return out;
}

struct ScalingStep {
  const char* axis;
  TubeScale tube;
  std::size_t vertices; // vertices of the crowd
};

// Beyond a million vertices there are several tubes: one of ten million would measure memory.
constexpr std::array<ScalingStep, 17> kSteps{{
    {"vertices", {10000, 16, 4}, 10000},
    {"vertices", {100000, 16, 4}, 100000},
    {"vertices", {1000000, 16, 4}, 1000000},
    {"vertices", {1000000, 16, 4}, 10000000},
    {"instances", {1000000, 16, 4}, 1000000},
    {"instances", {10000, 16, 4}, 1000000},
    {"instances", {1000, 16, 4}, 1000000},
    {"instances", {50, 16, 4}, 1000000},
    {"joints", {10000, 16, 4}, 100000},
    {"joints", {10000, 64, 4}, 100000},
    {"joints", {10000, 256, 4}, 100000},
    {"joints", {10000, 1000, 4}, 100000},
    {"influences", {10000, 16, 1}, 100000},
    {"influences", {10000, 16, 2}, 100000},
    {"influences", {10000, 16, 4}, 100000},
    {"influences", {10000, 16, 8}, 100000},
    {"influences", {10000, 16, 12}, 100000},
}};

} // namespace

Model scalingTube(const TubeScale& scale) {
  Model model;
  model.name = "tube";
  addJoints(scale, model);
  Mesh mesh;
  mesh.skin = 0;
  const std::uint32_t sides = std::clamp(scale.vertices / 10u, 3u, kSides);
  const std::uint32_t rings = std::max((scale.vertices + sides - 1) / sides, 2u);
  const auto length = static_cast<float>(scale.joints);
  Random random(scale.vertices);
  for (std::uint32_t r = 0; r < rings; ++r) {
    const float along = length * static_cast<float>(r) / static_cast<float>(rings - 1) - 0.5f;
    const std::vector<Influence> influences = influencesAt(along, scale);
    for (std::uint32_t s = 0; s < sides; ++s) {
      const float angle = 6.2831853f * static_cast<float>(s) / static_cast<float>(sides);
      const vec3 out(std::cos(angle), 0.0f, std::sin(angle));
      mesh.positions.push_back(vec3(0.0f, along, 0.0f) + kRadius * out);
      mesh.normals.push_back(out);
      mesh.influences.append(scale.scattered ? randomInfluences(scale, random) : influences);
    }
  }
  for (std::uint32_t r = 0; r + 1 < rings; ++r)
    for (std::uint32_t s = 0; s < sides; ++s) {
      const std::uint32_t a = r * sides + s;
      const std::uint32_t b = r * sides + (s + 1) % sides;
      mesh.triangles.push_back({a, a + sides, b});
      mesh.triangles.push_back({b, a + sides, b + sides});
    }
  model.materials.emplace_back();
  model.meshes.push_back(std::move(mesh));
  return model;
}

std::vector<ScalingRow> runScaling(std::span<const Method* const> chosen, const Settings& settings,
                                   BenchOptions options, double seconds) {
  options.seconds = seconds / static_cast<double>(kSteps.size());
  options.drawing = {};
  Settings all = settings;
  all.influences = static_cast<int>(kInfluenceLimit);
  std::vector<ScalingRow> rows;
  const std::size_t limit = options.vertices;
  for (const ScalingStep& step : kSteps) {
    if (step.vertices > limit) continue;
    const Workbench workbench = makeWorkbench(scalingTube(step.tube), all);
    options.vertices = step.vertices - step.vertices / 100; // rings are whole
    rows.push_back({step.axis, step.tube, runBench(workbench, chosen, all, options)});
  }
  return rows;
}

} // namespace sinew
