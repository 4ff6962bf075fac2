#include "app/vertex_colors.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Hue in rotations, saturation and value in [0, 1].
vec3 fromHue(float hue, float saturation, float value) {
  vec3 out;
  for (int i = 0; i < 3; ++i) {
    const float k = std::fmod(static_cast<float>(5 - 2 * i) + 6.0f * hue, 6.0f);
    out[i] = value * (1.0f - saturation * std::clamp(std::min(k, 4.0f - k), 0.0f, 1.0f));
  }
  return out;
}

// Blue, orange and vermilion of a palette that colour-blind readers tell apart (Okabe and Ito).
vec3 matchColor(TransferOrigin origin) {
  switch (origin) {
  case TransferOrigin::matched:
    return vec3(0.34f, 0.60f, 0.80f);
  case TransferOrigin::inpainted:
    return vec3(0.95f, 0.66f, 0.05f);
  case TransferOrigin::nearest:
    break;
  }
  return vec3(0.75f, 0.15f, 0.05f);
}

} // namespace

vec3 boneColor(std::uint32_t number) {
  constexpr double kGoldenRatio = 0.61803398875;
  const auto hue = static_cast<float>(std::fmod(kGoldenRatio * number, 1.0));
  constexpr float kValues[] = {0.95f, 0.72f, 0.85f};
  constexpr float kSaturations[] = {0.72f, 0.8f, 0.5f};
  return fromHue(hue, kSaturations[number % 3], kValues[number % 3]);
}

std::vector<vec3> boneColors(const Rig& rig) {
  std::vector<vec3> out(rig.positions.size(), vec3(0.0f));
  for (std::size_t v = 0; v < out.size(); ++v) {
    float sum = 0.0f;
    for (const Influence& influence : rig.influences.of(v)) {
      out[v] += influence.weight * boneColor(rig.joints[influence.joint].node);
      sum += influence.weight;
    }
    if (sum > 0.0f) out[v] /= sum;
  }
  return out;
}

std::vector<vec3> matchColors(std::span<const TransferOrigin> origins, std::size_t before) {
  std::vector<vec3> out(before, vec3(0.6f));
  for (const TransferOrigin origin : origins)
    out.push_back(matchColor(origin));
  return out;
}

} // namespace sinew
