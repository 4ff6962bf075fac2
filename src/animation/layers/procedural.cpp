#include "animation/layers/procedural.h"

#include "animation/ik/ik_path.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

// The phase in [0, 2 pi) of an oscillation. In double, so that it stays smooth after an hour of
// playback.
double computePhase(double time, double frequency) {
  const double cycles = time * frequency;
  return kTwoPi * (cycles - std::floor(cycles));
}

} // namespace

void applySineWave(const SineWave& wave, double time, float weight, Pose& pose) {
  const double now = computePhase(time, static_cast<double>(wave.frequency));
  for (std::size_t i = 0; i < wave.chain.size(); ++i) {
    const auto step = static_cast<float>(i);
    const float amplitude = wave.amplitude * (1.0f + wave.growth * step);
    const double angle = now - static_cast<double>(wave.phase * step);
    const float swing = weight * amplitude * static_cast<float>(std::sin(angle));
    quat& rotation = pose.parentFromNode[wave.chain[i]].rotation;
    rotation = glm::normalize(rotation * glm::angleAxis(swing, wave.axis));
  }
}

float breath(double time, float perMinute) {
  constexpr double kIn = 0.4; // fraction of the breath in which the chest expands
  const double at = computePhase(time, static_cast<double>(perMinute) / 60.0) / kTwoPi;
  const double part = at < kIn ? at / kIn : (1.0 - at) / (1.0 - kIn);
  return static_cast<float>(0.5 - 0.5 * std::cos(std::numbers::pi * part));
}

void applyBreathing(const Hierarchy& hierarchy, const Breathing& breathing, double time,
                    float weight, Pose& pose) {
  const float full = weight * breath(time, breathing.perMinute);
  Transform& chest = pose.parentFromNode[breathing.chest];
  const float scale = 1.0f + full * breathing.depth;
  chest.rotation =
      glm::normalize(chest.rotation * glm::angleAxis(-full * breathing.lift, breathing.axis));
  chest.scale *= scale;
  for (std::size_t node = breathing.chest + 1; node < hierarchy.nodes.size(); ++node)
    if (hierarchy.nodes[node].parent == breathing.chest) pose.parentFromNode[node].scale /= scale;
}

vec3 aimDirection(const vec3& facing, const vec3& wanted, float maxAngle) {
  constexpr float kFadeOut = 0.5f; // radians before straight behind
  const vec3 across = glm::cross(facing, wanted);
  const float angle = std::atan2(glm::length(across), glm::dot(facing, wanted));
  if (angle <= std::min(maxAngle, std::numbers::pi_v<float> - kFadeOut)) return wanted;
  if (!(glm::length(across) > 1e-6f)) return facing;
  const float fade = std::clamp((std::numbers::pi_v<float> - angle) / kFadeOut, 0.0f, 1.0f);
  const float eased = fade * fade * (3.0f - 2.0f * fade);
  return glm::normalize(glm::angleAxis(eased * std::min(maxAngle, angle), glm::normalize(across)) *
                        facing);
}

void applyAim(const Hierarchy& hierarchy, const Aim& aim, float weight, Pose& pose) {
  if (aim.chain.empty() || weight <= 0.0f) return;
  IkPath path = makePath(hierarchy, {}, pose, aim.chain.front(), aim.chain.back());
  const std::size_t tip = path.tip();
  const auto facing = [&] { return glm::normalize(computeOrientation(path, tip) * aim.forward); };
  const vec3 first = facing();
  // The neck moves the head, which changes the direction to the target slightly.
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    const vec3 line = aim.target - path.at(tip);
    if (!(glm::length(line) > 0.0f)) break; // the target is in the head
    const vec3 wanted = aimDirection(first, glm::normalize(line), aim.maxAngle);
    for (std::size_t i = 0; i < aim.chain.size(); ++i) {
      const float t = 1.0f / static_cast<float>(aim.chain.size() - i);
      rotateNode(path, indexIn(path, aim.chain[i]),
                 slerpShortest(quat(1.0f, 0.0f, 0.0f, 0.0f), rotationBetween(facing(), wanted), t));
    }
  }
  writeBack(path, std::min(weight, 1.0f), pose);
}

} // namespace sinew
