#include "rig/smoothed_weights.h"

#include "core/parallel.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

constexpr std::size_t kMoments = 10; // weight, first, second
constexpr std::size_t kAtOnce = 4;   // joints whose columns are held together
constexpr double kNothing = 1e-7;    // a weight that counts as none
constexpr double kEqual = 1e-4;      // sizes of influences: those of single precision vary so far
constexpr double kExtent = 1e-3;
constexpr double kNoExtent = 1e-12; // relative to the model's squared size: an extent of nothing

glm::dvec3 computeCenter(const Rig& rig) {
  const Bounds box = computeBounds(rig.positions);
  return box.empty() ? glm::dvec3(0.0) : 0.5 * (glm::dvec3(box.min) + glm::dvec3(box.max));
}

std::array<double, 6> outer(const glm::dvec3& a, const glm::dvec3& b) {
  return {a.x * b.x,
          a.y * b.y,
          a.z * b.z,
          0.5 * (a.x * b.y + a.y * b.x),
          0.5 * (a.x * b.z + a.z * b.x),
          0.5 * (a.y * b.z + a.z * b.y)};
}

double trace(const std::array<double, 6>& symmetric) {
  return symmetric[0] + symmetric[1] + symmetric[2];
}

class WeightSmoother {
 public:
  WeightSmoother(const Rig& rig, const Influences& weights, const SurfaceSmoothing& surface,
                 const SmoothedWeightsOptions& options)
      : surface_(surface), options_(options), origin_(computeCenter(rig)),
        position_(surface.pointCount()), largest_(surface.pointCount()),
        cut_(surface.pointCount()) {
    const double size = static_cast<double>(computeBounds(rig.positions).size());
    squaredSize_ = size * size;
    for (std::size_t point = 0; point < surface.pointCount(); ++point)
      position_[point] = glm::dvec3(rig.positions[surface.vertexAt(point)]) - origin_;
    byJoint_ = gatherLists<PointWeight>(rig.joints.size(), [&](const auto& each) {
      for (std::uint32_t point = 0; point < surface.pointCount(); ++point) {
        const auto all = weights.of(surface.vertexAt(point));
        for (auto influence = all.begin(); influence != all.end(); ++influence) {
          const auto isSame = [&](const Influence& other) {
            return other.joint == influence->joint;
          };
          // A vertex may name a joint twice.
          if (std::find_if(all.begin(), influence, isSame) != influence) continue;
          double weight = 0.0;
          for (const Influence& other : all)
            if (isSame(other)) weight += static_cast<double>(other.weight);
          each(influence->joint, PointWeight{point, weight});
        }
      }
    });
    smoothCenters();
  }

  SmoothedWeights run() {
    std::vector<std::uint32_t> joints;
    for (std::uint32_t j = 0; j < byJoint_.count(); ++j)
      if (!byJoint_.of(j).empty()) joints.push_back(j);
    for (std::size_t first = 0; first < joints.size(); first += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, joints.size() - first);
      std::array<Columns, kAtOnce> columns;
      forEachInParallel(count, [&](std::size_t i) { columns[i] = makeColumns(joints[first + i]); });
      for (std::size_t i = 0; i < count; ++i)
        forEachPieceInParallel(columns[i].points.size(), 1024,
                               [&](std::size_t from, std::size_t to) {
                                 for (std::size_t at = from; at < to; ++at)
                                   add(columns[i].points[at], joints[first + i], columns[i].at(at));
                               });
    }
    return finished();
  }

 private:
  struct PointWeight {
    std::uint32_t point = 0;
    double weight = 0.0;
  };
  // The values of one joint at one point: c, and w'.
  struct Column {
    const double* moments = nullptr;
    double weight = 0.0;
  };
  struct Columns {
    std::vector<std::uint32_t> points;
    std::vector<double> moments; // kMoments of each of the points
    std::vector<double> weights; // w' of each

    Column at(std::size_t i) const { return {moments.data() + kMoments * i, weights[i]}; }
  };

  // p_i, and the extent of what is smoothed together there.
  void smoothCenters() {
    std::vector<double> columns;
    for (const glm::dvec3& u : position_)
      columns.insert(columns.end(), {u.x, u.y, u.z, glm::dot(u, u)});
    surface_.smooth(options_.strength, 4, columns);
    for (std::size_t point = 0; point < position_.size(); ++point) {
      const double* c = columns.data() + 4 * point;
      centers_.emplace_back(c[0], c[1], c[2]);
      extent_.push_back(std::max(c[3] - glm::dot(centers_.back(), centers_.back()), 0.0));
    }
  }

  Columns makeColumns(std::uint32_t joint) const {
    SurfaceSmoothing::LocalValues own;
    SurfaceSmoothing::LocalValues moments;
    for (const PointWeight& at : byJoint_.of(joint)) {
      const glm::dvec3& u = position_[at.point];
      const std::array<double, 6> square = outer(u, u);
      own.points.push_back(at.point);
      own.values.push_back(at.weight);
      moments.values.push_back(at.weight);
      for (int i = 0; i < 3; ++i)
        moments.values.push_back(at.weight * u[i]);
      for (const double each : square)
        moments.values.push_back(at.weight * each);
    }
    moments.points = own.points;
    moments = surface_.smoothNear(options_.strength, kMoments, std::move(moments));
    SurfaceSmoothing::LocalValues weights;
    if (options_.alpha > 0.0)
      weights = surface_.smoothNear({options_.kappa, options_.strength.rounds}, 1, std::move(own));
    // One reaches farther than the other, from the same points.
    Columns out;
    out.points =
        std::move(weights.points.size() > moments.points.size() ? weights.points : moments.points);
    out.moments = std::move(moments.values);
    out.moments.resize(kMoments * out.points.size(), 0.0);
    out.weights = std::move(weights.values);
    out.weights.resize(out.points.size(), 0.0);
    return out;
  }

  // How much is lost without it.
  double measureSize(std::size_t point, const SmoothedInfluence& influence) const {
    return influence.weight + trace(influence.second) / std::max(extent_[point], 1e-30);
  }

  void add(std::size_t point, std::uint32_t joint, const Column& column) {
    const double* c = column.moments;
    const double own = 1.0 - options_.alpha;
    SmoothedInfluence influence{joint, own * c[0] + options_.alpha * column.weight, {}, {}};
    if (!(influence.weight > kNothing)) return;
    const glm::dvec3& p = centers_[point];
    const glm::dvec3 sum(c[1], c[2], c[3]);
    influence.first = own * (sum - c[0] * p);
    const std::array<double, 6> cross = outer(sum, p);
    const std::array<double, 6> square = outer(p, p);
    for (std::size_t i = 0; i < 6; ++i)
      influence.second[i] = own * (c[4 + i] - 2.0 * cross[i] + c[0] * square[i]);
    // The larger first. Joints come in their order, so the lower one stays before its equal: in the
    // middle of a symmetric character left and right are equal but for rounding, which must not
    // choose between them.
    std::vector<SmoothedInfluence>& largest = largest_[point];
    const double size = measureSize(point, influence);
    const auto before = std::ranges::find_if(largest, [&](const SmoothedInfluence& other) {
      return size > measureSize(point, other) + kEqual;
    });
    largest.insert(before, influence);
    if (largest.size() <= options_.limit) return;
    cut_[point] += largest.back().weight;
    largest.pop_back();
  }

  // Renormalised, and about the position that is left.
  void renormalise(std::size_t point, std::vector<SmoothedInfluence>& all) {
    double weight = 0.0;
    glm::dvec3 off(0.0);
    for (const SmoothedInfluence& influence : all) {
      weight += influence.weight;
      off += influence.first;
    }
    off /= weight;
    centers_[point] += off;
    for (SmoothedInfluence& influence : all) {
      const std::array<double, 6> cross = outer(influence.first, off);
      const std::array<double, 6> square = outer(off, off);
      for (std::size_t i = 0; i < 6; ++i)
        influence.second[i] =
            (influence.second[i] - 2.0 * cross[i] + influence.weight * square[i]) / weight;
      influence.first = (influence.first - influence.weight * off) / weight;
      influence.weight /= weight;
    }
  }

  SmoothedWeights finished() {
    SmoothedWeights out;
    for (std::size_t point = 0; point < centers_.size(); ++point) {
      std::vector<SmoothedInfluence>& all = largest_[point];
      renormalise(point, all);
      std::ranges::stable_sort(all, [](const SmoothedInfluence& a, const SmoothedInfluence& b) {
        return a.weight > b.weight;
      });
      const bool extends = extent_[point] > kNoExtent * squaredSize_;
      const double extra = extends ? kExtent * extent_[point] : 1.0;
      for (SmoothedInfluence& influence : all)
        for (std::size_t i = 0; i < 3; ++i)
          influence.second[i] += influence.weight * extra;
      out.influences.append(all);
      out.largestCut = std::max(out.largestCut, cut_[point]);
    }
    out.centers = std::move(centers_);
    for (glm::dvec3& point : out.centers)
      point += origin_;
    return out;
  }

  const SurfaceSmoothing& surface_;
  const SmoothedWeightsOptions& options_;
  glm::dvec3 origin_; // numbers stay small about the middle of the model
  double squaredSize_ = 0.0;
  std::vector<glm::dvec3> position_;
  std::vector<glm::dvec3> centers_;
  std::vector<double> extent_;
  Lists<PointWeight> byJoint_;
  std::vector<std::vector<SmoothedInfluence>> largest_;
  std::vector<double> cut_;
};

} // namespace

SmoothedWeights smoothedWeights(const Rig& rig, const Influences& weights,
                                const SurfaceSmoothing& surface,
                                const SmoothedWeightsOptions& options) {
  return WeightSmoother(rig, weights, surface, options).run();
}

} // namespace sinew
