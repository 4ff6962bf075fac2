#include "bake/helper_drivers.h"

#include "animation/drivers/prepared_drivers.h"
#include "bake/bake_morphs.h"
#include "bake/clip_motion.h"
#include "bake/helper_fit.h"
#include "bake/place_weights.h"
#include "core/parallel.h"
#include "rig/bone_axes.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double kWorstScore = std::numeric_limits<double>::infinity();
// A driver that is a share may use this part of the tolerance.
constexpr double kShareOfTolerance = 0.25;
// A driver that is less simple has to be so much better.
constexpr double kWorthIt = 0.95;
// Key poses of a radial basis function.
constexpr std::size_t kKeyLimit = 32;
constexpr float kNearestKeys = 0.17f; // radians
constexpr double kPolynomialRidge = 1e-6;
// Moments of clips that judge drivers.
constexpr float kMomentsASecond = 15.0f;
constexpr float kMoments = 256.0f; // about so many in all clips

struct DriverScore {
  double mean = kWorstScore;
  double largest = kWorstScore;
  double excess = kWorstScore; // the most by which the largest error grows by drivers
  // The number that is compared with the tolerance, of which the mean may be a tenth.
  double whole() const { return std::max(largest, 10.0 * mean); }
};

struct ScoredDriver {
  PoseDriver driver;
  DriverScore score;
};

// Poses by which drivers are judged.
struct JudgedPoses {
  std::vector<Pose> free; // the baked model's, with helpers as they were fitted
  BakeShapes shapes;      // with helpers and weights as drivers make them
  double before = 0.0;    // the largest error without drivers
};

struct DriverSearch {
  const BakeResult& result;
  const Model& baked;
  std::vector<Pose> fitted; // as JudgedPoses::free
  std::vector<JudgedPoses> judged;
  HelperSupports supports;
  std::vector<BoneAxis> axes;

  std::uint32_t getHelperNode(std::size_t helper) const {
    return static_cast<std::uint32_t>(result.problem.workbench->model.hierarchy.nodes.size() +
                                      helper);
  }
  const std::string& getName(std::uint32_t node) const { return baked.hierarchy.nodes[node].name; }
};

DriverScore scoreAt(const DriverSearch& search, std::span<const std::uint32_t> places) {
  const BakeProblem& problem = search.result.problem;
  DriverScore out{0.0, 0.0, -kWorstScore};
  std::size_t poses = 0;
  for (const JudgedPoses& judged : search.judged) {
    const std::size_t count = judged.shapes.count();
    std::vector<double> sums(count, 0.0), largest(count, 0.0);
    forEachInParallel(count, [&](std::size_t pose) {
      for (const std::uint32_t place : places) {
        const vec3 blended = blendedPlace(problem, judged.shapes, pose, place);
        const auto error = static_cast<double>(
            glm::distance(blended, judged.shapes.targets[place * count + pose]) / problem.size);
        sums[pose] += error;
        largest[pose] = std::max(largest[pose], std::isfinite(error) ? error : kWorstScore);
      }
    });
    for (std::size_t pose = 0; pose < count; ++pose) {
      out.mean += sums[pose];
      out.largest = std::max(out.largest, largest[pose]);
      out.excess = std::max(out.excess, largest[pose] - judged.before);
    }
    poses += count;
  }
  out.mean /= static_cast<double>(std::max<std::size_t>(poses * places.size(), 1));
  if (!std::isfinite(out.mean)) return {};
  return out;
}

// The score over the places that the helper moves.
DriverScore scoreNow(const DriverSearch& search, std::size_t helper) {
  std::vector<std::uint32_t> places;
  for (const HelperSupport& at : search.supports[helper])
    places.push_back(at.place);
  return scoreAt(search, places);
}

// Poses the helper by the driver, in the poses that judge it.
void poseBy(DriverSearch& search, std::size_t helper, const PoseDriver& driver) {
  const PreparedDrivers prepared(search.baked, {driver});
  for (JudgedPoses& judged : search.judged)
    forEachInParallel(judged.free.size(), [&](std::size_t pose) {
      Pose driven = judged.free[pose];
      prepared.apply(search.baked, driven);
      judged.shapes.helpers[pose][helper] = driven.parentFromNode[search.getHelperNode(helper)];
      placeHelper(search.result.problem, judged.shapes, pose, static_cast<std::uint32_t>(helper));
    });
}

void poseFreely(DriverSearch& search, std::size_t helper) {
  for (JudgedPoses& judged : search.judged)
    for (std::size_t pose = 0; pose < judged.free.size(); ++pose) {
      judged.shapes.helpers[pose][helper] =
          judged.free[pose].parentFromNode[search.getHelperNode(helper)];
      placeHelper(search.result.problem, judged.shapes, pose, static_cast<std::uint32_t>(helper));
    }
}

void consider(DriverSearch& search, std::size_t helper, PoseDriver driver, ScoredDriver& best) {
  if (!findProblem(search.baked, driver).empty()) return;
  poseBy(search, helper, driver);
  const DriverScore score = scoreNow(search, helper);
  if (best.driver.joints.empty() || score.whole() < kWorthIt * best.score.whole())
    best = {std::move(driver), score};
}

PoseDriver driverWith(const DriverSearch& search, std::size_t helper,
                      std::variant<RbfDriver, PolynomialDriver, ShareDriver> kind) {
  const std::string& name = search.getName(search.getHelperNode(helper));
  return {name, true, {name}, {}, std::move(kind)};
}

// The share for which the helper's rotations in the fitted poses are met best.
float fittedShare(const DriverSearch& search, std::size_t helper, const DriverInput& input) {
  const std::uint32_t node = search.getHelperNode(helper);
  // Half of it has the input's rotation without the ambiguity of half turns.
  const PreparedDrivers half(search.baked, {driverWith(search, helper, ShareDriver{input, 0.5f})});
  const quat back = glm::conjugate(search.baked.hierarchy.nodes[node].rest.rotation);
  double along = 0.0, square = 0.0;
  for (const Pose& pose : search.fitted) {
    Pose driven = pose;
    half.apply(search.baked, driven);
    const vec3 whole = 2.0f * rotationVector(back * driven.parentFromNode[node].rotation);
    const vec3 wanted = rotationVector(back * pose.parentFromNode[node].rotation);
    along += static_cast<double>(glm::dot(whole, wanted));
    square += static_cast<double>(glm::dot(whole, whole));
  }
  return square > 1e-9 ? static_cast<float>(std::clamp(along / square, -10.0, 10.0)) : 0.0f;
}

// The coordinate axes, which other formats have, and the bone's.
std::vector<vec3> listAxes(const DriverSearch& search, std::uint32_t joint) {
  std::vector<vec3> out{vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)};
  const mat4& jointFromBind = search.result.problem.workbench->rig.joints[joint].jointFromBind;
  const vec3 bone = glm::normalize(mat3(jointFromBind) * search.axes[joint].direction);
  if (isFinite(bone)) out.push_back(bone);
  return out;
}

ScoredDriver bestShare(DriverSearch& search, std::size_t helper, std::uint32_t joint) {
  const std::string& name = search.getName(search.result.problem.helpers[helper].node);
  std::vector<DriverInput> inputs{{name, RotationPart::whole}};
  for (const RotationPart part : {RotationPart::twist, RotationPart::swing})
    for (const vec3& axis : listAxes(search, joint))
      inputs.push_back({name, part, axis});
  ScoredDriver best;
  for (const DriverInput& input : inputs) {
    const float share = fittedShare(search, helper, input);
    consider(search, helper, driverWith(search, helper, ShareDriver{input, share}), best);
  }
  return best;
}

// A joint alone, with its parent, and with a child.
std::vector<std::vector<DriverInput>> neighborhoods(const DriverSearch& search,
                                                    std::uint32_t joint) {
  const std::vector<RigJoint>& joints = search.result.problem.workbench->rig.joints;
  const DriverInput own{search.getName(joints[joint].node)};
  std::vector<std::vector<DriverInput>> out{{own}};
  if (joints[joint].parent != kNoNode)
    out.push_back({own, {search.getName(joints[joints[joint].parent].node)}});
  for (const RigJoint& other : joints)
    if (other.parent == joint) {
      out.push_back({own, {search.getName(other.node)}});
      break;
    }
  return out;
}

void considerPolynomials(DriverSearch& search, std::size_t helper, std::uint32_t joint,
                         ScoredDriver& best) {
  for (const std::vector<DriverInput>& inputs : neighborhoods(search, joint))
    for (const int degree : {2, 3}) {
      PoseDriver driver = driverWith(search, helper, PolynomialDriver{inputs, degree, {}});
      fitPolynomial(search.baked, driver, search.fitted, kPolynomialRidge);
      consider(search, helper, std::move(driver), best);
    }
}

// Poses of these joints that are as far from each other as there are, the farthest first; at rest
// it is neutral without a key.
std::vector<DriverKey> spreadKeys(const DriverSearch& search, const PoseDriver& driver,
                                  std::span<const std::uint32_t> nodes) {
  const auto collectRotations = [&](const Pose& pose) {
    std::vector<quat> out;
    for (const std::uint32_t node : nodes)
      out.push_back(pose.parentFromNode[node].rotation);
    return out;
  };
  std::vector<float> distances;
  const std::vector<quat> rest = collectRotations(restPose(search.baked));
  for (const Pose& pose : search.fitted)
    distances.push_back(keyDistance(collectRotations(pose), rest));
  std::vector<DriverKey> keys;
  while (keys.size() < kKeyLimit) {
    const auto farthest = std::max_element(distances.begin(), distances.end());
    if (farthest == distances.end() || *farthest < kNearestKeys) break;
    const Pose& chosen = search.fitted[static_cast<std::size_t>(farthest - distances.begin())];
    keys.push_back(keyFromPose(search.baked, driver, chosen));
    const std::vector<quat> at = collectRotations(chosen);
    for (std::size_t i = 0; i < distances.size(); ++i)
      distances[i] = std::min(distances[i], keyDistance(collectRotations(search.fitted[i]), at));
  }
  return keys;
}

void considerRbf(DriverSearch& search, std::size_t helper, ScoredDriver& best) {
  const std::uint32_t node = search.result.problem.helpers[helper].node;
  for (const Falloff falloff : {Falloff::gaussian, Falloff::thinPlate}) {
    RbfDriver rbf;
    rbf.inputs = {{search.getName(node)}};
    rbf.shape.falloff = falloff;
    PoseDriver driver = driverWith(search, helper, rbf);
    rbf.keys = spreadKeys(search, driver, std::span(&node, 1));
    driver.kind = rbf;
    consider(search, helper, std::move(driver), best);
  }
}

std::uint32_t jointAt(const Rig& rig, std::uint32_t node) {
  std::uint32_t joint = 0;
  while (rig.joints[joint].node != node)
    ++joint;
  return joint;
}

// Leaves the helper as the driver makes it, or free.
HelperDriver drive(DriverSearch& search, std::size_t helper, double tolerance) {
  const BakeProblem& problem = search.result.problem;
  const std::uint32_t joint = jointAt(problem.workbench->rig, problem.helpers[helper].node);
  HelperDriver out;
  out.free = scoreNow(search, helper).largest;
  ScoredDriver best = bestShare(search, helper, joint);
  if (best.score.excess > kShareOfTolerance * tolerance) {
    considerPolynomials(search, helper, joint, best);
    if (best.score.excess > tolerance) considerRbf(search, helper, best);
  }
  out.driver = std::move(best.driver);
  out.driven = best.score.largest;
  out.driver.on = best.score.excess <= tolerance;
  if (out.driver.on)
    poseBy(search, helper, out.driver);
  else
    poseFreely(search, helper);
  return out;
}

// Solves for the keys' values that best give the shape's weights in the fitted poses: the weights
// of keys are the columns of a linear system, and the remainder to 1 is neutral.
void fitKeyValues(const DriverSearch& search, std::uint32_t target, PoseDriver& driver) {
  const PreparedDrivers prepared(search.baked, {driver});
  std::vector<DriverKey>& keys = std::get<RbfDriver>(driver.kind).keys;
  const auto n = static_cast<Eigen::Index>(keys.size());
  const auto neutral = static_cast<double>(search.baked.morphTargets[target].weight);
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
  for (const Pose& pose : search.fitted) {
    const std::vector<float> weights = prepared.keyWeights(0, pose);
    const Eigen::VectorXd w = Eigen::Map<const Eigen::VectorXf>(weights.data(), n).cast<double>();
    const auto wanted = static_cast<double>(pose.morphWeights[target]);
    squares += w * w.transpose();
    right += (wanted - neutral * (1.0 - w.sum())) * w;
  }
  const Eigen::VectorXd values = solveInUnitBox(squares, right);
  for (Eigen::Index k = 0; k < n; ++k)
    keys[static_cast<std::size_t>(k)].morphs = {static_cast<float>(values[k])};
}

// Sets the weight in the poses that judge the driver as it makes it.
void weighBy(DriverSearch& search, std::size_t morph, std::uint32_t target,
             const PoseDriver& driver) {
  const PreparedDrivers prepared(search.baked, {driver});
  for (JudgedPoses& judged : search.judged)
    forEachInParallel(judged.free.size(), [&](std::size_t pose) {
      Pose driven = judged.free[pose];
      prepared.apply(search.baked, driven);
      setMorphWeight(search.result.problem, judged.shapes, pose, morph,
                     driven.morphWeights[target]);
    });
}

// Reads the joint whose skin the shape corrects, or a neighbour too; none where nothing rotates.
ScoredDriver bestWeighing(DriverSearch& search, std::size_t morph, std::uint32_t target,
                          const std::string& label) {
  const BakeMorph& shape = search.result.problem.morphs[morph];
  const std::uint32_t joint = jointAt(search.result.problem.workbench->rig, shape.node);
  ScoredDriver best;
  for (const std::vector<DriverInput>& inputs : neighborhoods(search, joint)) {
    std::vector<std::uint32_t> nodes;
    nodes.reserve(inputs.size());
    for (const DriverInput& input : inputs)
      nodes.push_back(*findNode(search.baked.hierarchy, input.joint));
    for (const Falloff falloff : {Falloff::gaussian, Falloff::thinPlate}) {
      RbfDriver rbf;
      rbf.inputs = inputs;
      rbf.shape.falloff = falloff;
      PoseDriver driver{label, true, {}, {label}, rbf};
      rbf.keys = spreadKeys(search, driver, nodes);
      driver.kind = rbf;
      if (!findProblem(search.baked, driver).empty()) continue;
      fitKeyValues(search, target, driver);
      weighBy(search, morph, target, driver);
      const DriverScore score = scoreAt(search, shape.places);
      if (best.driver.morphs.empty() || score.whole() < kWorthIt * best.score.whole())
        best = {std::move(driver), score};
    }
  }
  return best;
}

// Leaves the weights as the driver makes them, or as they were fitted to each pose.
HelperDriver driveShape(DriverSearch& search, std::size_t morph, std::uint32_t target,
                        const std::string& label, double tolerance) {
  HelperDriver out;
  out.free = scoreAt(search, search.result.problem.morphs[morph].places).largest;
  ScoredDriver best = bestWeighing(search, morph, target, label);
  out.driver = std::move(best.driver);
  out.driver.name = label;
  out.driven = best.score.largest;
  out.driver.on = best.score.excess <= tolerance;
  if (out.driver.on) {
    weighBy(search, morph, target, out.driver);
    return out;
  }
  for (JudgedPoses& judged : search.judged)
    for (std::size_t pose = 0; pose < judged.free.size(); ++pose)
      setMorphWeight(search.result.problem, judged.shapes, pose, morph,
                     judged.free[pose].morphWeights[target]);
  return out;
}

// Even moments of the baked clips, as many as each is long and as are quick to look at. Clips go
// farther than the poses held out, and drivers play them in sinew.
void addClips(const BakedClips& baked, DriverSearch& search) {
  const BakeProblem& problem = search.result.problem;
  float seconds = 0.0f;
  for (const Clip& clip : baked.model.clips)
    seconds += clip.seconds;
  const float rate = std::min(kMomentsASecond, kMoments / std::max(seconds, 1e-3f));
  for (std::size_t i = 0; i < baked.model.clips.size(); ++i) {
    const Clip& clip = baked.model.clips[i];
    const auto count = static_cast<std::size_t>(std::ceil(clip.seconds * rate));
    std::vector<float> times{0.0f};
    for (std::size_t k = 1; k <= count; ++k)
      times.push_back(clip.seconds * static_cast<float>(k) / static_cast<float>(count));
    BakeShapes shapes = playedShapes(problem, baked.model, baked.sources[i], clip, times);
    search.judged.push_back({bakedPoses(shapes, problem.workbench->model, baked.model),
                             std::move(shapes), baked.error.largest});
  }
}

} // namespace

HelperDrivers helperDrivers(const BakeResult& result, const BakedClips& clips, double tolerance) {
  const BakeProblem& problem = result.problem;
  const Model& source = problem.workbench->model;
  const Model& baked = clips.model;
  DriverSearch search{result,
                      baked,
                      bakedPoses(result.fittedShapes, source, baked),
                      {},
                      listSupports(problem),
                      boneAxes(problem.workbench->rig)};
  search.judged.push_back({bakedPoses(result.heldOutShapes, source, baked), result.heldOutShapes,
                           result.heldOut.largest});
  addClips(clips, search);
  HelperDrivers out;
  for (std::size_t helper = 0; helper < problem.helpers.size(); ++helper)
    out.helpers.push_back(drive(search, helper, tolerance));
  const std::vector<std::string> labels = morphLabels(baked);
  const std::size_t first = baked.morphTargets.size() - problem.morphs.size();
  for (std::size_t morph = 0; morph < problem.morphs.size(); ++morph)
    out.shapes.push_back(driveShape(search, morph, static_cast<std::uint32_t>(first + morph),
                                    labels[first + morph], tolerance));
  ErrorSum inClips;
  for (const JudgedPoses& judged : search.judged) {
    const std::vector<float> all = computeErrors(problem, judged.shapes);
    const BakeError error = summarize(problem, judged.shapes, all);
    if (&judged == &search.judged.front())
      out.error = error;
    else
      inClips.add(error, all.size());
  }
  if (search.judged.size() > 1) out.clips = inClips.result();
  return out;
}

PoseDrivers listDrivers(const HelperDrivers& drivers) {
  PoseDrivers out;
  for (const HelperDriver& helper : drivers.helpers)
    out.push_back(helper.driver);
  for (const HelperDriver& shape : drivers.shapes)
    if (!shape.driver.morphs.empty()) out.push_back(shape.driver);
  return out;
}

} // namespace sinew
