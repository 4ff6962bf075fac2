#include "bench/pose_bench.h"

#include "animation/random_model.h"
#include "animation/sample.h"
#include "bench/pose_layouts.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "skinning/bone_palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sinew {
namespace {

// Nodes of all characters together; each takes about 200 bytes in all layouts.
constexpr std::size_t kMaxPosedNodes = 5'000'000;

double nanoseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::nano>(duration).count();
}

// Characters start at different places and go on by a frame of 60 a second every round.
float computeTime(std::size_t character, int round) {
  return 0.37f * static_cast<float>(character % 997) + static_cast<float>(round) / 60.0f;
}

// The steps one after the other, each for all characters.
struct Stages {
  std::vector<SampleCursor> cursors;
  std::vector<Pose> poses;
  std::vector<std::vector<mat4>> modelFromNode;
  std::vector<vec4> rows;
  std::vector<double> sampleNs, nodesNs, paletteNs;

  void run(const PoseScene& scene, int round) {
    cursors.resize(scene.characters);
    poses.resize(scene.characters);
    modelFromNode.resize(scene.characters);
    rows.resize(3 * scene.rig.joints.size());
    const Hierarchy& hierarchy = scene.model.hierarchy;
    const auto start = Clock::now();
    for (std::size_t i = 0; i < scene.characters; ++i)
      sample(hierarchy, scene.clip, computeTime(i, round), Wrap::loop, cursors[i], poses[i]);
    const auto sampled = Clock::now();
    for (std::size_t i = 0; i < scene.characters; ++i)
      modelFromNodes(hierarchy, poses[i], modelFromNode[i]);
    const auto placed = Clock::now();
    for (std::size_t i = 0; i < scene.characters; ++i)
      packBoneMatrices(scene.rig, scene.binding, modelFromNode[i], rows);
    const auto packed = Clock::now();
    sampleNs.push_back(nanoseconds(sampled - start));
    nodesNs.push_back(nanoseconds(placed - sampled));
    paletteNs.push_back(nanoseconds(packed - placed));
  }
};

// The median without the first round, a joint.
double computeMedian(std::vector<double> values, double joints) {
  values.erase(values.begin());
  return computeDistribution(std::move(values)).median / joints;
}

Distribution perJoint(std::vector<double> values, double joints) {
  values.erase(values.begin());
  for (double& value : values)
    value /= joints;
  return computeDistribution(std::move(values));
}

float largestDifference(PoseLayout& a, PoseLayout& b, std::size_t rows) {
  std::vector<vec4> fromA(rows), fromB(rows);
  float largest = 0.0f;
  for (std::size_t character = 0; character < 20; ++character) {
    a.pose(0, computeTime(character, 0), fromA);
    b.pose(0, computeTime(character, 0), fromB);
    for (std::size_t i = 0; i < rows; ++i)
      for (int k = 0; k < 4; ++k)
        largest = std::max(largest, std::abs(fromA[i][k] - fromB[i][k]));
  }
  return largest;
}

} // namespace

Model poseBenchModel() {
  Model model = randomModel(64, {.joints = 64, .vertices = 3, .rigidMesh = false});
  const Pose rest = restPose(model.hierarchy);
  Clip clip{"turning", 4.0f, {}};
  for (std::uint32_t node = 0; node < model.hierarchy.nodes.size(); ++node)
    clip.channels.push_back({node, {}, {}, {}});
  constexpr int kFrames = 120;
  constexpr int kBetween = 15; // frames from one random pose to the next
  for (int f = 0; f <= kFrames; ++f) {
    const auto index = static_cast<std::uint64_t>(f / kBetween % (kFrames / kBetween));
    const auto next = (index + 1) % (kFrames / kBetween);
    const Pose from = blend(rest, randomPose(model, index), 0.25f);
    const Pose to = blend(rest, randomPose(model, next), 0.25f);
    const Pose pose = blend(from, to, static_cast<float>(f % kBetween) / kBetween);
    for (Channel& channel : clip.channels) {
      channel.rotation.times.push_back(static_cast<float>(f) / 30.0f);
      channel.rotation.values.push_back(pose.parentFromNode[channel.node].rotation);
    }
    clip.channels[0].translation.times.push_back(static_cast<float>(f) / 30.0f);
    clip.channels[0].translation.values.push_back(pose.parentFromNode[0].translation);
  }
  model.clips.push_back(std::move(clip));
  model.name = "64 joints";
  return model;
}

PoseBenchReport runPoseBench(const Workbench& workbench, std::size_t characters, int rounds) {
  if (!workbench.clip) throw usageError("no clip plays", "give --model a file with animation");
  const std::size_t nodes = std::max<std::size_t>(workbench.model.hierarchy.nodes.size(), 1);
  if (characters > kMaxPosedNodes / nodes)
    throw usageError(
        fmt::format("--poses {}: that many characters of {} nodes take too much memory", characters,
                    nodes),
        fmt::format("choose at most {}", kMaxPosedNodes / nodes));
  const Binding binding = findMethod("lbs").bind(workbench.rig, {});
  const PoseScene scene{workbench.model, workbench.model.clips[*workbench.clip], workbench.rig,
                        binding, characters};
  struct Entry {
    const PoseLayoutEntry* entry;
    std::unique_ptr<PoseLayout> layout;
    std::vector<double> ns = {};
  };
  std::vector<Entry> entries;
  for (const PoseLayoutEntry& entry : poseLayouts())
    entries.push_back({&entry, entry.make(scene)});
  Stages stages;
  std::vector<vec4> rows(3 * scene.rig.joints.size() * characters);
  const std::size_t each = 3 * scene.rig.joints.size();
  std::vector<float> times(characters);
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < characters; ++i)
      times[i] = computeTime(i, round);
    for (Entry& entry : entries) {
      const auto start = Clock::now();
      entry.layout->poseAll(times, rows);
      entry.ns.push_back(nanoseconds(Clock::now() - start));
    }
    stages.run(scene, round);
  }

  PoseBenchReport report;
  report.model = workbench.model.name;
  report.clip = scene.clip.name;
  report.cpu = cpuName();
  report.characters = characters;
  report.joints = scene.rig.joints.size();
  report.nodes = scene.model.hierarchy.nodes.size();
  report.rounds = rounds;
  const double joints = static_cast<double>(characters) * static_cast<double>(report.joints);
  report.stages = {computeMedian(stages.sampleNs, joints), computeMedian(stages.nodesNs, joints),
                   computeMedian(stages.paletteNs, joints)};
  for (Entry& entry : entries)
    report.results.push_back({std::string(entry.entry->name), std::string(entry.entry->help),
                              perJoint(entry.ns, joints),
                              largestDifference(*entries[0].layout, *entry.layout, each)});
  return report;
}

} // namespace sinew
