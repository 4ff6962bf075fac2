#include "bake/helper_fit.h"

#include "core/parallel.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dvec3;

// Rotations that the places leave open, as about the line on which all of them lie, stay near what
// they are: by this share of what the places count.
constexpr double kStay = 1e-3;
// Where several motions fit almost equally well, a helper stays half way between its joint and the
// joint's parent. The weight is a share of what the places count.
constexpr double kHalfway = 0.01;
// The weight of a neighbour in time, likewise.
constexpr double kNeighbor = 0.05;
constexpr std::uint32_t kFirstRounds = 24; // rounds of a fit without a neighbour
constexpr std::uint32_t kForwardRounds = 8, kBackwardRounds = 4, kFinalRounds = 4;

dvec3 doubles(const vec3& v) {
  return {v};
}

// Sums of a weighted fit of T + R p to q, each times its factor w.
struct RigidSums {
  double whole = 0.0; // sum w w
  double sum = 0.0;   // sum w
  dvec3 p{0.0};       // sum w w p
  dvec3 q{0.0};       // sum w q
  dmat3 pp{0.0};      // sum w w p p^T
  dmat3 pq{0.0};      // sum w q p^T

  void add(double w, const dvec3& from, const dvec3& to, double emphasis) {
    whole += emphasis * w * w;
    sum += emphasis * w;
    p += emphasis * w * w * from;
    q += emphasis * w * to;
    pp += glm::outerProduct(emphasis * w * w * from, from);
    pq += glm::outerProduct(emphasis * w * to, from);
  }

  // sum w w |p - mean|^2
  double spread() const {
    return pp[0][0] + pp[1][1] + pp[2][2] - glm::dot(p, p) / std::max(whole, 1e-300);
  }

  // All that was added so far is wanted there too, counting by that factor.
  void addAnchor(const RigidSums& places, const Transform& at, double scale, double factor) {
    const dmat3 linear = scale * glm::mat3_cast(glm::dquat(at.rotation));
    const dvec3 translation(at.translation);
    pq += factor * (linear * places.pp + glm::outerProduct(translation, places.p));
    q += factor * (linear * places.p + places.whole * translation);
    pp += factor * places.pp;
    p += factor * places.p;
    whole += factor * places.whole;
  }
};

// The nearest rotation to the sums, and to `now` where they leave it open.
glm::dquat fitRotation(const RigidSums& sums, const glm::dquat& now) {
  const dvec3 mean = sums.p / sums.whole;
  const dmat3 target = sums.pq - glm::outerProduct(sums.q, mean) +
                       kStay * std::max(sums.spread(), 1e-30) * glm::mat3_cast(now);
  Eigen::Matrix3d m;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      m(r, c) = target[c][r];
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Vector3d signs(1.0, 1.0, 1.0);
  if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0.0) signs[2] = -1.0;
  const Eigen::Matrix3d r = svd.matrixU() * signs.asDiagonal() * svd.matrixV().transpose();
  dmat3 out;
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 3; ++i)
      out[c][i] = r(i, c);
  return glm::quat_cast(out);
}

// The factor that fits best behind that rotation, 1 where nothing says; within reason.
double scaleOfFit(const RigidSums& sums, const glm::dquat& rotation) {
  const dvec3 mean = sums.p / sums.whole;
  const double spread = sums.spread();
  if (!(spread > 1e-30)) return 1.0;
  const dmat3 cross = sums.pq - glm::outerProduct(sums.q, mean); // sum w (q - w mean q) p^T
  const dmat3 r = glm::mat3_cast(rotation);
  const double along =
      glm::dot(r[0], cross[0]) + glm::dot(r[1], cross[1]) + glm::dot(r[2], cross[2]);
  return std::clamp((along + kStay * spread) / (spread + kStay * spread), 0.8, 1.25);
}

// What is fitted: the helper's local rotation and translation, in its parent's space.
struct LocalFit {
  const BakeProblem& problem;
  BakeShapes& shapes;
  std::size_t pose;
  std::uint32_t helper;
  dmat3 parentFromModel;
  dvec3 origin; // the parent's, model space
  bool possible;

  LocalFit(const BakeProblem& of, BakeShapes& in, std::size_t at, std::uint32_t which)
      : problem(of), shapes(in), pose(at), helper(which) {
    const glm::dmat4 parent(shapes.modelFromNode[pose][problem.helpers[helper].parent]);
    const dmat3 linear(parent);
    const double volume = std::abs(glm::determinant(linear));
    const double length = glm::length(linear[0]) * glm::length(linear[1]) * glm::length(linear[2]);
    possible = std::isfinite(volume) && volume > 1e-6 * length && length > 1e-30;
    parentFromModel = possible ? glm::inverse(linear) : dmat3(1.0);
    origin = dvec3(parent[3]);
  }

  // A place in the helper's own axes, scaled as the helper is.
  dvec3 own(const HelperSupport& support) const {
    const RigJoint& joint = problem.workbench->rig.joints[support.joint];
    const vec3 p =
        transformPoint(joint.jointFromBind, placeInBind(problem, shapes, pose, support.place));
    const BakeHelper& of = problem.helpers[helper];
    return doubles(of.bind.scale) * (doubles(p) - doubles(of.center));
  }

  // w times a place in model space, in the parent's space.
  dvec3 inParent(const dvec3& model, double w) const {
    return parentFromModel * (model - w * origin);
  }

  // Half way between the joint and its parent; not finite where the parent is singular.
  Transform halfway() const {
    const BakeHelper& of = problem.helpers[helper];
    const mat4 parentFromJoint =
        mat4(glm::inverse(glm::dmat4(shapes.modelFromNode[pose][of.parent])) *
             glm::dmat4(shapes.modelFromNode[pose][of.node]));
    if (!possible || !isFinite(parentFromJoint)) return shapes.helpers[pose][helper];
    Transform joint = decompose(parentFromJoint);
    joint.translation = transformPoint(parentFromJoint, of.center);
    Transform out = interpolate(of.bind, joint, 0.5f);
    out.scale = of.bind.scale;
    return out;
  }

  void apply(const RigidSums& places, const Transform& halfway,
             std::span<const HelperAnchor> anchors) {
    RigidSums sums = places;
    if (isFinite(halfway)) sums.addAnchor(places, halfway, 1.0, kHalfway);
    // Places that follow the helper little say little about it: a neighbour counts more there.
    const double factor = places.sum / std::max(places.whole, 1e-12);
    const float own = problem.helpers[helper].bind.scale.x;
    for (const HelperAnchor& anchor : anchors) {
      const Transform& at = (*anchor.locals)[helper];
      sums.addAnchor(places, at, own != 0.0f ? static_cast<double>(at.scale.x / own) : 1.0,
                     factor * anchor.weight);
    }
    apply(sums);
  }

  void apply(const RigidSums& sums) {
    if (!possible || !(sums.whole > 1e-12)) return;
    Transform& local = shapes.helpers[pose][helper];
    const glm::dquat rotation = fitRotation(sums, glm::dquat(local.rotation));
    const double factor = problem.scale ? scaleOfFit(sums, rotation) : 1.0;
    const dvec3 translation = (sums.q - factor * (rotation * sums.p)) / sums.whole;
    const Transform fitted{vec3(translation), glm::normalize(quat(rotation)),
                           static_cast<float>(factor) * problem.helpers[helper].bind.scale};
    if (!isFinite(fitted)) return;
    local = fitted;
    placeHelper(problem, shapes, pose, helper);
  }
};

double emphasisAt(const BakeShapes& shapes, std::size_t pose, std::size_t place) {
  if (shapes.emphasis.empty()) return 1.0;
  return static_cast<double>(shapes.emphasis[place * shapes.count() + pose]);
}

std::uint32_t findBone(const BakeProblem& problem, std::uint32_t joint, std::uint32_t helper) {
  std::uint32_t bone = static_cast<std::uint32_t>(problem.workbench->rig.joints.size());
  while (problem.bones[bone].helper != helper || problem.bones[bone].joint != joint)
    ++bone;
  return bone;
}

// One place that some of the helpers move.
struct Blended {
  std::uint32_t place = 0;
  dvec3 rest{0.0}; // target minus all that linear blending gives
};

// A place stays near where it is by this share of what a rotation by one radian counts.
constexpr double kStayInPlace = 1e-4;

glm::dmat3 linearPart(const Transform& local) {
  glm::dmat3 out = glm::mat3_cast(glm::dquat(local.rotation));
  for (int c = 0; c < 3; ++c)
    out[c] *= static_cast<double>(local.scale[c]);
  return out;
}

// The step d from the center for which sum |(A_f d + t_f) - (A_0 d + t_0)|^2 is least.
vec3 stepToCenter(const BakeShapes& shapes, std::size_t helper) {
  const Transform& first = shapes.helpers.front()[helper];
  const glm::dmat3 from = linearPart(first);
  const double stay =
      kStayInPlace * static_cast<double>(shapes.count()) *
      (glm::dot(from[0], from[0]) + glm::dot(from[1], from[1]) + glm::dot(from[2], from[2])) / 3.0;
  glm::dmat3 squares(stay);
  glm::dvec3 right(0.0);
  for (const std::vector<Transform>& locals : shapes.helpers) {
    const Transform& local = locals[helper];
    const glm::dmat3 turned = linearPart(local) - from;
    squares += glm::transpose(turned) * turned;
    right -=
        glm::transpose(turned) * (glm::dvec3(local.translation) - glm::dvec3(first.translation));
  }
  const vec3 step(glm::inverse(squares) * right);
  return isFinite(step) ? step : vec3(0.0f);
}

void moveAlong(Transform& local, const vec3& step) {
  local.translation += vec3(linearPart(local) * glm::dvec3(step));
}

} // namespace

HelperSupports listSupports(const BakeProblem& problem) {
  HelperSupports out(problem.helpers.size());
  for (std::uint32_t place = 0; place < problem.weights.size(); ++place) {
    const PlaceWeights& weights = problem.weights[place];
    for (std::uint32_t i = 0; i < weights.count; ++i)
      if (const BakeBone& bone = problem.bones[weights.bones[i]]; bone.helper != kNoHelper)
        out[bone.helper].push_back({place, bone.joint, weights.weights[i]});
  }
  return out;
}

void fitToTargets(const BakeProblem& problem, BakeShapes& shapes, std::size_t pose,
                  std::uint32_t helper, std::span<const HelperSupport> places) {
  LocalFit fit(problem, shapes, pose, helper);
  // The helper stays here where the places leave it open.
  shapes.helpers[pose][helper] = fit.halfway();
  placeHelper(problem, shapes, pose, helper);
  RigidSums sums;
  for (const HelperSupport& support : places) {
    const double w = static_cast<double>(support.weight);
    const dvec3 target = doubles(shapes.targets[support.place * shapes.count() + pose]);
    sums.add(w, fit.own(support), fit.inParent(w * target, w),
             emphasisAt(shapes, pose, support.place));
  }
  fit.apply(sums);
}

void fitHelpers(const BakeProblem& problem, BakeShapes& shapes, std::size_t pose,
                std::span<const std::uint32_t> helpers, const HelperSupports& supports,
                std::uint32_t rounds, bool fresh, std::span<const HelperAnchor> anchors) {
  if (fresh)
    for (const std::uint32_t helper : helpers)
      fitToTargets(problem, shapes, pose, helper, supports[helper]);
  std::vector<Blended> blended;
  for (const std::uint32_t helper : helpers)
    for (const HelperSupport& support : supports[helper])
      blended.push_back({support.place});
  std::sort(blended.begin(), blended.end(),
            [](const Blended& a, const Blended& b) { return a.place < b.place; });
  blended.erase(std::unique(blended.begin(), blended.end(),
                            [](const Blended& a, const Blended& b) { return a.place == b.place; }),
                blended.end());
  for (Blended& each : blended)
    each.rest = doubles(shapes.targets[each.place * shapes.count() + pose]) -
                doubles(blendedPlace(problem, shapes, pose, each.place));
  const auto moved = [&](const HelperSupport& support, std::uint32_t bone) {
    return static_cast<double>(support.weight) *
           doubles(shapes.modelFromBind[pose][bone] *
                   vec4(placeInBind(problem, shapes, pose, support.place), 1.0f));
  };
  std::vector<Transform> halfways;
  for (const std::uint32_t helper : helpers)
    halfways.push_back(LocalFit(problem, shapes, pose, helper).halfway());
  for (std::uint32_t round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < helpers.size(); ++i) {
      const std::uint32_t helper = helpers[i];
      LocalFit fit(problem, shapes, pose, helper);
      RigidSums sums;
      std::uint32_t joint = kNoNode, bone = 0;
      const auto update = [&](double sign, bool collect) {
        auto at = blended.begin();
        for (const HelperSupport& support : supports[helper]) {
          while (at->place != support.place)
            ++at;
          if (support.joint != joint) bone = findBone(problem, joint = support.joint, helper);
          at->rest += sign * moved(support, bone);
          if (!collect) continue;
          const double w = static_cast<double>(support.weight);
          sums.add(w, fit.own(support), fit.inParent(at->rest, w),
                   emphasisAt(shapes, pose, support.place));
        }
      };
      update(1.0, true);
      fit.apply(sums, halfways[i], anchors);
      update(-1.0, false);
    }
}

void fitOverTime(const BakeProblem& problem, BakeShapes& shapes,
                 const std::vector<Transform>* before) {
  const auto count = static_cast<std::uint32_t>(problem.helpers.size());
  if (count == 0 || shapes.count() == 0) return;
  std::vector<std::uint32_t> helpers(count);
  std::iota(helpers.begin(), helpers.end(), 0u);
  const HelperSupports supports = listSupports(problem);
  if (before == nullptr) fitHelpers(problem, shapes, 0, helpers, supports, kFirstRounds, true);
  for (std::size_t pose = before == nullptr ? 1 : 0; pose < shapes.count(); ++pose) {
    const std::vector<Transform>& last = pose > 0 ? shapes.helpers[pose - 1] : *before;
    shapes.helpers[pose] = last;
    for (const std::uint32_t helper : helpers)
      placeHelper(problem, shapes, pose, helper);
    const HelperAnchor anchor{&last, kNeighbor};
    fitHelpers(problem, shapes, pose, helpers, supports, kForwardRounds, false, {&anchor, 1});
  }
  for (std::size_t pose = shapes.count(); pose-- > 0;) {
    std::vector<HelperAnchor> anchors;
    if (pose + 1 < shapes.count()) anchors.push_back({&shapes.helpers[pose + 1], kNeighbor});
    if (pose > 0)
      anchors.push_back({&shapes.helpers[pose - 1], kNeighbor});
    else if (before != nullptr)
      anchors.push_back({before, kNeighbor});
    fitHelpers(problem, shapes, pose, helpers, supports, kBackwardRounds, false, anchors);
  }
  // Now fit each pose alone from there: the neighbours have chosen which of several fits.
  forEachInParallel(shapes.count(), [&](std::size_t pose) {
    fitHelpers(problem, shapes, pose, helpers, supports, kFinalRounds, false);
  });
}

void centerHelpers(BakeProblem& problem, BakeShapes& shapes, BakeShapes& others) {
  if (shapes.helpers.empty()) return;
  for (std::uint32_t h = 0; h < problem.helpers.size(); ++h) {
    const vec3 step = stepToCenter(shapes, h);
    problem.helpers[h].center += step;
    moveAlong(problem.helpers[h].bind, step);
    for (BakeShapes* each : {&shapes, &others})
      for (std::size_t pose = 0; pose < each->count(); ++pose) {
        moveAlong(each->helpers[pose][h], step);
        placeHelper(problem, *each, pose, h);
      }
  }
}

} // namespace sinew
