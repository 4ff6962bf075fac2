#include "app/crowd.h"

#include "core/random.h"
#include "core/stopwatch.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sinew {
namespace {

double milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

// Rows and columns as square as they come, centred on the first character's place.
std::vector<vec3> gridOffsets(std::size_t count, const Bounds& one) {
  const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  const vec3 step = 1.1f * glm::max(one.extent(), vec3(1e-3f * one.size()));
  std::vector<vec3> offsets;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t column = i % columns;
    const std::size_t row = i / columns;
    const float middle = 0.5f * static_cast<float>(columns - 1);
    offsets.emplace_back((static_cast<float>(column) - middle) * step.x, 0.0f,
                         (static_cast<float>(row) - middle) * step.z);
  }
  return offsets;
}

void sway(const Hierarchy& hierarchy, float phase, Pose& pose) {
  pose.parentFromNode.resize(hierarchy.nodes.size());
  for (std::size_t i = 0; i < hierarchy.nodes.size(); ++i) {
    Transform& t = pose.parentFromNode[i];
    t = hierarchy.nodes[i].rest;
    const float angle = 0.15f * std::sin(phase + static_cast<float>(i));
    t.rotation = t.rotation * glm::angleAxis(angle, vec3(0.0f, 0.0f, 1.0f));
  }
  pose.morphWeights.clear();
  pose.twists.clear();
}

} // namespace

Crowd makeCrowd(const Workbench& bench, std::size_t vertices) {
  const std::size_t each = std::max<std::size_t>(bench.rig.positions.size(), 1);
  const std::size_t count = std::max<std::size_t>((vertices + each - 1) / each, 1);

  Crowd crowd;
  const Bounds one = posedBounds(bench);
  crowd.offsets = gridOffsets(count, one);
  for (const vec3& offset : crowd.offsets) {
    crowd.bounds.include(one.min + offset);
    crowd.bounds.include(one.max + offset);
  }
  Random random(1);
  for (std::size_t i = 0; i < count; ++i) {
    CrowdMember member;
    member.start = random.uniform(0.0f, 60.0f);
    member.speed = random.uniform(0.8f, 1.2f);
    const auto clips = static_cast<std::uint32_t>(bench.model.clips.size());
    if (clips > 0) member.clip = bench.clip ? *bench.clip : random.below(clips);
    crowd.members.push_back(std::move(member));
  }
  return crowd;
}

void evaluateCrowd(const Workbench& bench, const BoundMethod& bound, Crowd& crowd, float seconds) {
  const Hierarchy& hierarchy = bench.model.hierarchy;
  const std::size_t rowsEach =
      static_cast<std::size_t>(bound.binding.entryCount) * bound.binding.rowsPerEntry;
  crowd.rows.resize(rowsEach * crowd.members.size());
  crowd.nonUniformScale = false;
  crowd.cost = {};
  if (rowsEach == 0) { // the unskinned mesh needs no pose
    crowd.morphWeights.clear();
    return;
  }
  crowd.morphWeights.resize(bench.rig.morphs.empty() ? 0 : crowd.members.size());
  Clock::duration posing{};
  Clock::duration packing{};
  for (std::size_t i = 0; i < crowd.members.size(); ++i) {
    CrowdMember& member = crowd.members[i];
    const auto start = Clock::now();
    member.memory.preRoll = 0.0; // a thousand times as many springs begin at rest
    const float time = member.start + member.speed * seconds;
    if (member.clip || !bench.layerStack.layers.empty())
      poseAt(bench, member.clip, static_cast<double>(time), Wrap::loop, member.memory, crowd.pose);
    else
      sway(hierarchy, time, crowd.pose);
    if (!bench.rig.morphs.empty()) crowd.morphWeights[i] = morphWeightsOf(bench.model, crowd.pose);
    modelFromNodes(hierarchy, crowd.pose, crowd.modelFromNode);
    const auto posed = Clock::now();
    const std::span<vec4> rows(crowd.rows.data() + i * rowsEach, rowsEach);
    crowd.nonUniformScale |=
        bound.method->pack(bench.rig, bound.binding, crowd.modelFromNode, rows);
    if (usesFreeSplines(*bound.method) && !crowd.pose.twists.empty())
      bound.method->addRotations(bench.rig, bound.binding, crowd.pose.twists, rows);
    posing += posed - start;
    packing += Clock::now() - posed;
  }
  crowd.cost = {milliseconds(posing), milliseconds(packing)};
}

} // namespace sinew
