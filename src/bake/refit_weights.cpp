#include "bake/refit_weights.h"

#include "animation/clip_keys.h"
#include "animation/sample.h"
#include "bake/place_weights.h"
#include "core/bounds.h"
#include "core/error.h"
#include "core/parallel.h"
#include "weights/evaluate_rig.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace sinew {
namespace {

constexpr std::size_t kCandidates = 12; // per vertex, as in place_weights.cpp

Workbench makeLinearWorkbench(const Model& model) {
  Settings settings;
  settings.methods = parseMethods("lbs");
  settings.clip = "bind";
  return makeWorkbench(model, settings);
}

// Poses without morph weights mean those at rest before.
std::vector<Pose> partOfPoses(const RefitTargets& targets, bool heldOut,
                              std::vector<std::size_t>& which, std::vector<std::string>& names) {
  std::vector<Pose> out;
  for (std::size_t i = 0; i < targets.poses.poses.size(); ++i) {
    if (targets.poses.heldOut[i] != heldOut) continue;
    out.push_back(targets.poses.poses[i]);
    names.push_back(targets.poses.names[i]);
    which.push_back(i);
  }
  return out;
}

BakeShapes refitShapes(const BakeProblem& problem, const RefitTargets& targets, bool heldOut) {
  std::vector<std::size_t> which;
  std::vector<std::string> names;
  std::vector<Pose> poses = partOfPoses(targets, heldOut, which, names);
  const std::size_t nodes = problem.workbench->model.hierarchy.nodes.size();
  for (Pose& pose : poses) // nodes that were added stay at rest
    for (std::size_t n = pose.parentFromNode.size(); n < nodes; ++n)
      pose.parentFromNode.push_back(problem.workbench->model.hierarchy.nodes[n].rest);
  BakeShapes out = shapesIn(problem, std::move(poses), std::move(names));
  for (std::size_t place = 0; place < problem.positions.size(); ++place) {
    const auto& vertices = problem.verticesByPlace[place];
    for (std::size_t i = 0; i < which.size(); ++i) {
      glm::dvec3 sum(0.0);
      for (const std::uint32_t v : vertices)
        sum += glm::dvec3(targets.shapes[which[i]][v]);
      out.targets[place * which.size() + i] = vec3(sum / static_cast<double>(vertices.size()));
    }
  }
  return out;
}

void addCandidate(std::uint32_t joint, std::vector<std::uint32_t>& joints) {
  if (joint != kNoNode && joints.size() < kCandidates &&
      std::ranges::find(joints, joint) == joints.end())
    joints.push_back(joint);
}

// Parents and children of the joints that a place follows; none of a place that one joint without
// any moves rigidly.
void addNeighbours(BakeProblem& problem) {
  const std::vector<RigJoint>& rig = problem.workbench->rig.joints;
  std::vector<std::vector<std::uint32_t>> children(rig.size());
  for (std::uint32_t j = 0; j < rig.size(); ++j)
    if (rig[j].parent != kNoNode) children[rig[j].parent].push_back(j);
  for (std::size_t place = 0; place < problem.positions.size(); ++place) {
    const PlaceWeights& own = problem.original[place];
    for (std::uint32_t i = 0; i < own.count; ++i) {
      addCandidate(rig[own.bones[i]].parent, problem.joints[place]);
      for (const std::uint32_t child : children[own.bones[i]])
        addCandidate(child, problem.joints[place]);
    }
  }
}

// Per place the sum of its squared errors.
std::vector<double> sumSquares(const std::vector<float>& errors, std::size_t poses) {
  std::vector<double> out(poses > 0 ? errors.size() / poses : 0, 0.0);
  for (std::size_t i = 0; i < errors.size(); ++i)
    out[i / poses] += static_cast<double>(errors[i]) * static_cast<double>(errors[i]);
  return out;
}

void solveAgain(BakeProblem& problem, const BakeShapes& fitted, const BakeShapes& heldOut,
                std::uint32_t influences) {
  const std::vector<PlaceWeights> given = problem.weights;
  const auto before = sumSquares(computeErrors(problem, heldOut), heldOut.count());
  std::vector<std::uint32_t> places(problem.positions.size());
  std::iota(places.begin(), places.end(), 0u);
  solveWeights(problem, fitted, places, influences);
  const auto after = sumSquares(computeErrors(problem, heldOut), heldOut.count());
  for (std::size_t place = 0; place < after.size(); ++place)
    if (after[place] > before[place]) problem.weights[place] = given[place];
}

struct PlayedMoment {
  std::size_t clip = 0;
  float time = 0.0f;
};

std::vector<PlayedMoment> playedMoments(const Model& model) {
  std::vector<PlayedMoment> out;
  for (std::size_t c = 0; c < model.clips.size(); ++c) {
    std::vector<float> times = keyTimes(model.clips[c]);
    if (times.empty()) times = {0.0f};
    for (std::size_t i = 0; i < times.size(); ++i) {
      out.push_back({c, times[i]});
      if (i + 1 < times.size()) out.push_back({c, 0.5f * (times[i] + times[i + 1])});
    }
  }
  return out;
}

struct PlayedApart {
  double sum = 0.0, largest = 0.0;
  std::size_t vertex = 0;
};

PlayedApart measureDeviation(const std::vector<glm::dvec3>& a, const std::vector<glm::dvec3>& b,
                             double size) {
  PlayedApart out;
  for (std::size_t v = 0; v < a.size(); ++v) {
    const double apart = glm::distance(a[v], b[v]) / size;
    out.sum += apart;
    if (apart <= out.largest) continue;
    out.largest = apart;
    out.vertex = v;
  }
  return out;
}

} // namespace

RefitTargets refitTargets(const Model& before, const BakePoseOptions& options) {
  if (before.skins.empty())
    throw inputError(before.path.empty() ? before.name : before.path, "has no skin",
                     "bind its mesh to a skeleton with sinew weights");
  const Rig rig = buildRig(before);
  RefitTargets out;
  out.poses = bakePoses(before, rig, options);
  for (Pose& pose : out.poses.poses)
    pose.morphWeights = getMorphWeights(before, pose);
  out.shapes.resize(out.poses.poses.size());
  forEachInParallel(out.shapes.size(), [&](std::size_t i) {
    for (const glm::dvec3& p : blendedVertices(rig, before, out.poses.poses[i]))
      out.shapes[i].emplace_back(p);
  });
  return out;
}

RefitErrors refitWeights(const RefitTargets& targets, Model& after, const RefitOptions& options) {
  ProgressMeter meter(options.progress);
  meter.startStage("poses", 0.3f);
  const Workbench workbench = makeLinearWorkbench(after);
  BakeProblem problem = bakeProblem(workbench, kBakeInfluences);
  if (options.neighbours) addNeighbours(problem);
  problem.weights = largestWeights(problem, options.influences);
  const BakeShapes fitted = refitShapes(problem, targets, false);
  const BakeShapes heldOut = refitShapes(problem, targets, true);
  RefitErrors out;
  out.given = summarize(problem, heldOut, computeErrors(problem, heldOut));
  meter.startStage("weights", 1.0f);
  if (options.solve) solveAgain(problem, fitted, heldOut, options.influences);
  out.fitted = summarize(problem, fitted, computeErrors(problem, fitted));
  out.heldOut = summarize(problem, heldOut, computeErrors(problem, heldOut));
  std::vector<std::uint32_t> nodes;
  for (const RigJoint& joint : problem.workbench->rig.joints)
    nodes.push_back(joint.node);
  writeWeights(problem, nodes, after);
  meter.reach(1.0f);
  return out;
}

PlayedDifference playedDifference(const Model& before, const Model& after,
                                  const Progress& progress) {
  const Rig beforeRig = buildRig(before), afterRig = buildRig(after);
  Bounds box;
  for (const glm::dvec3& p : blendedVertices(beforeRig, before, restPose(before)))
    box.include(vec3(p));
  const double size = std::max(static_cast<double>(box.size()), 1e-30);
  const std::vector<PlayedMoment> moments = playedMoments(before);
  ProgressMeter meter(progress);
  meter.startStage("clips", 1.0f, std::max<std::size_t>(moments.size(), 1));
  std::vector<PlayedApart> aparts(moments.size());
  forEachInParallel(moments.size(), [&](std::size_t i) {
    const auto& [clip, time] = moments[i];
    aparts[i] = measureDeviation(
        blendedVertices(beforeRig, before, sample(before, before.clips[clip], time)),
        blendedVertices(afterRig, after, sample(after, after.clips[clip], time)), size);
    meter.piece();
  });
  PlayedDifference out;
  out.moments = moments.size();
  double sum = 0.0;
  for (std::size_t i = 0; i < aparts.size(); ++i) {
    sum += aparts[i].sum;
    if (aparts[i].largest <= out.largest) continue;
    out.largest = aparts[i].largest;
    out.vertex = static_cast<std::uint32_t>(aparts[i].vertex);
    out.moment = fmt::format("clip {}, {:.3f} s", before.clips[moments[i].clip].name,
                             static_cast<double>(moments[i].time));
  }
  if (!moments.empty() && !beforeRig.positions.empty())
    out.mean = sum / static_cast<double>(moments.size() * beforeRig.positions.size());
  return out;
}

ReposeOutcome reposeAndRefit(const Model& model, const Pose& pose, const ReposeOptions& options) {
  ReposeOutcome out;
  out.reposed = reposeModel(model, pose, options.exact);
  if (!options.exact) {
    BakePoseOptions poses;
    poses.clips.resize(model.clips.size());
    std::iota(poses.clips.begin(), poses.clips.end(), 0u);
    RefitOptions refit;
    refit.solve = !options.keepWeights;
    refit.influences = options.keepWeights ? kBakeInfluences : options.influences;
    refit.progress = options.progress;
    out.poses = refitWeights(refitTargets(model, poses), out.reposed.model, refit);
    out.reposed.influences = 0;
    for (const Mesh& mesh : out.reposed.model.meshes)
      if (mesh.skin)
        out.reposed.influences = std::max(out.reposed.influences, maxInfluences(mesh.influences));
  }
  out.clips = playedDifference(model, out.reposed.model, options.progress);
  return out;
}

} // namespace sinew
