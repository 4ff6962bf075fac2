#include "bake/bake.h"

#include "bake/bake_morphs.h"
#include "bake/helper_fit.h"
#include "bake/place_weights.h"
#include "core/error.h"
#include "core/parallel.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace sinew {
namespace {

using Indices = std::vector<std::uint32_t>;

constexpr std::uint32_t kFreshRounds = 24; // rounds of a fit in a new pose
constexpr std::uint32_t kFitRounds = 3;    // rounds between two solutions of the weights
constexpr int kAlternations = 8;           // after a helper has been added
// Without a given number of helpers: at most kAutoHelpers, and no more once kPatience of them
// together have reduced neither the mean nor the largest error by kLeastGain.
constexpr std::uint32_t kAutoHelpers = 80;
constexpr std::size_t kPatience = 6;
constexpr double kLeastGain = 0.1;
constexpr double kAimOfTolerance = 0.8;
constexpr int kLastRounds = 8;        // rounds over everything, for the largest errors
constexpr int kLastAlternations = 25; // in each of these rounds
// Tried one after another; shares of the region's root mean square radius.
constexpr std::array kClusterReaches{0.5f, 1.0f, 0.25f};

// The skin that a joint bends.
struct BakeRegion {
  std::uint32_t node = 0;
  Indices places; // bent by the joint
  std::uint32_t helpers = 0;
  bool done = false;
};

struct Bake {
  const BakeOptions& options;
  ProgressMeter meter;
  BakeProblem problem;
  BakeShapes fitted, heldOut;
  std::vector<BakeRegion> regions;
  BakeError error; // over the poses held out
};

void fitAll(const BakeProblem& problem, BakeShapes& shapes, const Indices& helpers,
            std::uint32_t rounds, bool fresh) {
  if (helpers.empty()) return;
  const HelperSupports supports = listSupports(problem);
  forEachInParallel(shapes.count(), [&](std::size_t pose) {
    fitHelpers(problem, shapes, pose, helpers, supports, rounds, fresh);
  });
}

Indices makeIndices(std::size_t count) {
  Indices out(count);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

std::vector<BakeRegion> makeRegions(const BakeProblem& problem) {
  std::map<std::uint32_t, BakeRegion> byNode;
  for (std::uint32_t place = 0; place < problem.positions.size(); ++place)
    for (const std::uint32_t joint : problem.bentBy[place]) {
      const std::uint32_t node = problem.workbench->rig.joints[joint].node;
      BakeRegion& region = byNode[node];
      region.node = node;
      if (region.places.empty() || region.places.back() != place) region.places.push_back(place);
    }
  std::vector<BakeRegion> out;
  for (auto& [node, region] : byNode)
    if (region.places.size() >= 3) out.push_back(std::move(region));
  return out;
}

// Helpers that move some of these places.
Indices helpersAt(const BakeProblem& problem, const Indices& places) {
  Indices out;
  for (const std::uint32_t place : places) {
    const PlaceWeights& weights = problem.weights[place];
    for (std::uint32_t i = 0; i < weights.count; ++i)
      if (const std::uint32_t helper = problem.bones[weights.bones[i]].helper; helper != kNoHelper)
        out.push_back(helper);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Per place what its errors in all poses come to; large ones count most, for those are seen.
std::vector<double> sumEnergies(const std::vector<float>& errors, std::size_t places) {
  std::vector<double> out(places, 0.0);
  const std::size_t poses = errors.size() / std::max<std::size_t>(places, 1);
  for (std::size_t place = 0; place < places; ++place)
    for (std::size_t pose = 0; pose < poses; ++pose)
      out[place] += std::pow(static_cast<double>(errors[place * poses + pose]), 3.0);
  return out;
}

bool isBentFirstBy(const BakeProblem& problem, std::uint32_t place, std::uint32_t node) {
  return problem.workbench->rig.joints[problem.bentBy[place].front()].node == node;
}

double sumEnergy(const BakeProblem& problem, const BakeRegion& region,
                 const std::vector<double>& energies) {
  double sum = 0.0;
  for (const std::uint32_t place : region.places)
    if (isBentFirstBy(problem, place, region.node)) sum += energies[place];
  return sum;
}

// The places about the one that is farthest off, each counting with its energy.
std::vector<HelperSupport> gatherCluster(const BakeProblem& problem, const BakeRegion& region,
                                         const std::vector<double>& energies, float share) {
  std::uint32_t seed = region.places.front();
  vec3 middle(0.0f);
  for (const std::uint32_t place : region.places) {
    if (energies[place] > energies[seed]) seed = place;
    middle += problem.positions[place] / static_cast<float>(region.places.size());
  }
  float square = 0.0f;
  for (const std::uint32_t place : region.places) {
    const vec3 apart = problem.positions[place] - middle;
    square += glm::dot(apart, apart) / static_cast<float>(region.places.size());
  }
  const float reach = std::max(share * std::sqrt(square), 1e-6f * problem.size);
  std::vector<HelperSupport> out;
  for (const std::uint32_t place : region.places) {
    const float d = glm::distance(problem.positions[place], problem.positions[seed]) / reach;
    const double energy = energies[place] / std::max(energies[seed], 1e-300);
    const auto weight =
        static_cast<float>(std::sqrt(energy) * std::exp(-0.5 * static_cast<double>(d * d)));
    if (!(weight > 1e-4f)) continue;
    for (const std::uint32_t joint : problem.bentBy[place])
      if (problem.workbench->rig.joints[joint].node == region.node)
        out.push_back({place, joint, weight});
  }
  return out;
}

// A helper at the middle of the cluster, with the axes of the joint that it helps.
BakeHelper helperFor(const BakeProblem& problem, const BakeShapes& shapes, std::uint32_t node,
                     const std::vector<HelperSupport>& cluster) {
  const Workbench& workbench = *problem.workbench;
  BakeHelper out;
  out.node = node;
  out.parent = workbench.model.hierarchy.nodes[node].parent;
  if (out.parent == kNoNode) out.parent = node;
  float whole = 0.0f;
  for (const HelperSupport& support : cluster) {
    const RigJoint& joint = workbench.rig.joints[support.joint];
    out.center +=
        support.weight * transformPoint(joint.jointFromBind, problem.positions[support.place]);
    whole += support.weight;
  }
  out.center /= whole;
  const std::vector<mat4>& modelFromNode = shapes.modelFromNode.front(); // the bind pose
  mat4 jointFromHelper(1.0f);
  jointFromHelper[3] = vec4(out.center, 1.0f);
  out.bind = decompose(mat4(glm::inverse(glm::dmat4(modelFromNode[out.parent])) *
                            glm::dmat4(modelFromNode[node]) * glm::dmat4(jointFromHelper)));
  return out;
}

void startHelper(Bake& bake, std::uint32_t helper, const std::vector<HelperSupport>& cluster,
                 BakeShapes& shapes) {
  forEachInParallel(shapes.count(), [&](std::size_t pose) {
    shapes.helpers[pose].push_back(bake.problem.helpers[helper].bind);
    placeHelper(bake.problem, shapes, pose, helper);
    fitToTargets(bake.problem, shapes, pose, helper, cluster);
  });
}

BakeError heldOutError(Bake& bake) {
  return summarize(bake.problem, bake.heldOut, computeErrors(bake.problem, bake.heldOut));
}

// What a trial changes.
struct BakeState {
  BakeProblem problem;
  std::vector<std::vector<Transform>> fitted, heldOut;
  std::vector<std::vector<glm::mat4x3>> fittedMatrices, heldOutMatrices;
};

BakeState getState(const Bake& bake) {
  return {bake.problem, bake.fitted.helpers, bake.heldOut.helpers, bake.fitted.modelFromBind,
          bake.heldOut.modelFromBind};
}

void restore(Bake& bake, BakeState state) {
  bake.problem = std::move(state.problem);
  bake.fitted.helpers = std::move(state.fitted);
  bake.heldOut.helpers = std::move(state.heldOut);
  bake.fitted.modelFromBind = std::move(state.fittedMatrices);
  bake.heldOut.modelFromBind = std::move(state.heldOutMatrices);
}

// Keeps the change if neither mean nor largest error of the poses held out has grown.
bool keepOrRestore(Bake& bake, BakeState state) {
  const BakeError now = heldOutError(bake);
  if (now.mean <= bake.error.mean && now.largest <= bake.error.largest) {
    bake.error = now;
    return true;
  }
  restore(bake, std::move(state));
  return false;
}

// Weighs each squared error by that power of its share of the largest one, and a little in any
// case.
void emphasize(const BakeProblem& problem, BakeShapes& shapes, double power) {
  const std::vector<float> errors = computeErrors(problem, shapes);
  shapes.emphasis.resize(errors.size());
  const double whole = static_cast<double>(*std::max_element(errors.begin(), errors.end()));
  for (std::size_t i = 0; i < errors.size(); ++i)
    shapes.emphasis[i] = static_cast<float>(
        0.02 + std::pow(static_cast<double>(errors[i]) / std::max(whole, 1e-12), power));
}

bool tryHelper(Bake& bake, const BakeRegion& region, const std::vector<double>& energies,
               float share) {
  const std::vector<HelperSupport> cluster = gatherCluster(bake.problem, region, energies, share);
  if (cluster.size() < 3) return false;
  BakeState before = getState(bake);
  const std::uint32_t helper =
      addHelper(bake.problem, helperFor(bake.problem, bake.fitted, region.node, cluster));
  startHelper(bake, helper, cluster, bake.fitted);
  startHelper(bake, helper, cluster, bake.heldOut);
  for (int round = 0; round < kAlternations; ++round) {
    solveWeights(bake.problem, bake.fitted, region.places, bake.options.influences);
    fitAll(bake.problem, bake.fitted, helpersAt(bake.problem, region.places), kFitRounds, false);
  }
  solveWeights(bake.problem, bake.fitted, region.places, bake.options.influences);
  fitAll(bake.problem, bake.heldOut, helpersAt(bake.problem, region.places), kFreshRounds, true);
  return keepOrRestore(bake, std::move(before));
}

// The poses held out are fewer than the clips'; the worst of all clips is somewhat farther.
bool isGoodEnough(const Bake& bake) {
  return isWithin(bake.error, kAimOfTolerance * static_cast<double>(bake.options.tolerance));
}

// Whether the last helpers were worth little.
bool gainsLittle(const std::vector<BakeStep>& curve) {
  if (curve.size() <= kPatience) return false;
  const BakeError& now = curve.back().error;
  const BakeError& before = curve[curve.size() - 1 - kPatience].error;
  return now.mean > (1.0 - kLeastGain) * before.mean &&
         now.largest > (1.0 - kLeastGain) * before.largest;
}

void addHelpers(Bake& bake, std::vector<BakeStep>& curve) {
  auto limit = static_cast<std::uint32_t>(bake.regions.size()) * bake.options.perJoint;
  limit = std::min(limit, bake.options.helpers.value_or(kAutoHelpers));
  bake.meter.startStage("helpers", 0.8f, limit + bake.regions.size() + 1);
  while (bake.problem.helpers.size() < limit) {
    if (!bake.options.helpers && (isGoodEnough(bake) || gainsLittle(curve))) break;
    const std::vector<double> energies =
        sumEnergies(computeErrors(bake.problem, bake.fitted), bake.problem.positions.size());
    BakeRegion* worst = nullptr;
    double energy = 0.0;
    for (BakeRegion& region : bake.regions)
      if (const double own = sumEnergy(bake.problem, region, energies);
          !region.done && own > energy) {
        energy = own;
        worst = &region;
      }
    if (worst == nullptr) break;
    if (std::any_of(kClusterReaches.begin(), kClusterReaches.end(),
                    [&](float share) { return tryHelper(bake, *worst, energies, share); })) {
      curve.push_back({static_cast<std::uint32_t>(bake.problem.helpers.size()),
                       bake.problem.workbench->model.hierarchy.nodes[worst->node].name,
                       bake.error});
      worst->done = ++worst->helpers == bake.options.perJoint;
    } else {
      worst->done = true;
    }
    bake.meter.piece();
  }
}

// Fits everything at once, with more and more emphasis on the largest errors.
void refine(Bake& bake) {
  bake.meter.startStage("refinement", 0.95f, kLastRounds);
  const Indices places = makeIndices(bake.problem.positions.size());
  const Indices helpers = makeIndices(bake.problem.helpers.size());
  for (int round = 0; round < kLastRounds; ++round) {
    if (round > 1 && !bake.options.helpers && isGoodEnough(bake)) break;
    BakeState before = getState(bake);
    if (round > 0) emphasize(bake.problem, bake.fitted, 0.5 * static_cast<double>(1 + round % 4));
    for (int i = 0; i < kLastAlternations; ++i) {
      fitAll(bake.problem, bake.fitted, helpers, kFitRounds, false);
      solveWeights(bake.problem, bake.fitted, places, bake.options.influences);
    }
    fitAll(bake.problem, bake.heldOut, helpers, kFreshRounds, true);
    keepOrRestore(bake, std::move(before));
    bake.meter.piece();
  }
  bake.fitted.emphasis.clear();
}

} // namespace

bool isWithin(const BakeError& error, double tolerance) {
  return error.largest <= tolerance && error.mean <= 0.1 * tolerance;
}

void ErrorSum::add(BakeError part, std::size_t distances) {
  sum_ += part.mean * static_cast<double>(distances);
  count_ += static_cast<double>(distances);
  const double p999 = std::max(whole_.p999, part.p999); // an upper bound
  if (part.largest >= whole_.largest) whole_ = std::move(part);
  whole_.p999 = p999;
}

BakeError ErrorSum::result() const {
  BakeError out = whole_;
  out.mean = count_ > 0.0 ? sum_ / count_ : 0.0;
  return out;
}

void fitFreshly(const BakeProblem& problem, BakeShapes& shapes) {
  fitAll(problem, shapes, makeIndices(problem.helpers.size()), kFreshRounds, true);
  fitMorphWeights(problem, shapes);
}

BakeError summarize(const BakeProblem& problem, const BakeShapes& shapes,
                    const std::vector<float>& errors) {
  BakeError out;
  if (errors.empty()) return out;
  const auto largest = std::max_element(errors.begin(), errors.end());
  const auto at = static_cast<std::size_t>(largest - errors.begin());
  const std::size_t place = at / shapes.count();
  out.largest = static_cast<double>(*largest);
  out.vertex = problem.verticesByPlace[place].front();
  out.node = problem.workbench->rig.joints[problem.original[place].bones[0]].node;
  out.pose = shapes.names[at % shapes.count()];
  double sum = 0.0;
  for (const float error : errors)
    sum += static_cast<double>(error);
  out.mean = sum / static_cast<double>(errors.size());
  std::vector<float> sorted = errors;
  const auto rank =
      static_cast<std::ptrdiff_t>(std::ceil(0.999 * static_cast<double>(sorted.size())) - 1.0);
  std::nth_element(sorted.begin(), sorted.begin() + rank, sorted.end());
  out.p999 = static_cast<double>(sorted[static_cast<std::size_t>(rank)]);
  return out;
}

BakeResult bake(const Workbench& workbench, const BakeOptions& options) {
  if (workbench.model.skins.empty() || workbench.rig.positions.empty())
    throw inputError(workbench.model.path.empty() ? workbench.model.name : workbench.model.path,
                     "has no skin to bake", "bind its mesh to a skeleton with sinew weights");
  Bake bake{
      options, ProgressMeter(options.progress), bakeProblem(workbench, kBakeInfluences), {}, {}, {},
      {}};
  bake.problem.scale = options.scale;
  bake.problem.influences = options.influences;
  bake.meter.startStage("poses", 0.1f);
  BakePoses poses = bakePoses(workbench.model, workbench.rig, options.poses);
  std::array<std::vector<Pose>, 2> parts;
  std::array<std::vector<std::string>, 2> names;
  std::array<std::vector<BakeMoment>, 2> moments;
  for (std::size_t i = 0; i < poses.poses.size(); ++i) {
    parts[poses.heldOut[i] ? 1 : 0].push_back(std::move(poses.poses[i]));
    names[poses.heldOut[i] ? 1 : 0].push_back(std::move(poses.names[i]));
    moments[poses.heldOut[i] ? 1 : 0].push_back(poses.moments[i]);
  }
  bake.fitted = shapesIn(bake.problem, std::move(parts[0]), std::move(names[0]), moments[0]);
  bake.heldOut = shapesIn(bake.problem, std::move(parts[1]), std::move(names[1]), moments[1]);
  bake.regions = makeRegions(bake.problem);

  BakeResult out;
  out.linear = bake.error = heldOutError(bake);
  bake.meter.startStage("weights", 0.15f);
  solveWeights(bake.problem, bake.fitted, makeIndices(bake.problem.positions.size()),
               options.influences);
  bake.error = heldOutError(bake);
  out.curve.push_back({0, "", bake.error});
  addHelpers(bake, out.curve);
  if (!bake.problem.helpers.empty()) {
    refine(bake);
    out.curve.back().error = bake.error;
  }
  fitFreshly(bake.problem, bake.fitted);
  centerHelpers(bake.problem, bake.fitted, bake.heldOut);
  bake.meter.startStage("shapes", 0.99f);
  std::vector<BakeMorphRegion> regions;
  for (BakeRegion& region : bake.regions)
    regions.push_back({region.node, std::move(region.places)});
  const std::vector<BakeStep> steps = addMorphs(bake.problem, bake.fitted, bake.heldOut,
                                                std::move(regions), options.morphs, bake.error);
  out.curve.insert(out.curve.end(), steps.begin(), steps.end());
  out.heldOut = bake.error;
  bake.meter.startStage("done", 1.0f);
  out.problem = std::move(bake.problem);
  out.fittedShapes = std::move(bake.fitted);
  out.heldOutShapes = std::move(bake.heldOut);
  return out;
}

} // namespace sinew
