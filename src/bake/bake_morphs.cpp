#include "bake/bake_morphs.h"

#include "bake/place_weights.h"
#include "core/parallel.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

constexpr int kShapeRounds = 8;   // rounds of one shape and its weights in turn
constexpr int kLastShapes = 6;    // rounds of all shapes and all weights
constexpr int kSweeps = 500;      // sweeps over the weights of a pose
constexpr double kRidge = 1e-6;   // share of a diagonal: what poses leave open stays small
constexpr float kNoShape = 1e-6f; // a shape that moves less is none; share of the model's size

// A corrective shape at a place: which one, and which of its places it is.
struct ShapeAt {
  std::uint32_t morph = 0;
  std::uint32_t index = 0;
};
using ShapesAt = std::vector<std::vector<ShapeAt>>; // per place

ShapesAt shapesAtPlaces(const BakeProblem& problem) {
  ShapesAt out(problem.positions.size());
  for (std::uint32_t k = 0; k < problem.morphs.size(); ++k)
    for (std::uint32_t i = 0; i < problem.morphs[k].places.size(); ++i)
      out[problem.morphs[k].places[i]].push_back({k, i});
  return out;
}

// A: the linear part of where linear blending brings a place.
mat3 blendedLinear(const BakeProblem& problem, const BakeShapes& shapes, std::size_t pose,
                   std::size_t place) {
  const PlaceWeights& weights = problem.weights[place];
  mat3 sum(0.0f);
  for (std::uint32_t i = 0; i < weights.count; ++i)
    sum += weights.weights[i] * mat3(shapes.modelFromBind[pose][weights.bones[i]]);
  return sum;
}

vec3 computeResidual(const BakeProblem& problem, const BakeShapes& shapes, std::size_t pose,
                     std::size_t place) {
  return shapes.targets[place * shapes.count() + pose] - blendedPlace(problem, shapes, pose, place);
}

// One pose of fitMorphWeights(), before the shapes have moved anything.
void solveMorphWeights(const BakeProblem& problem, const ShapesAt& at, std::size_t pose,
                       BakeShapes& shapes) {
  const auto n = static_cast<Eigen::Index>(problem.morphs.size());
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
  std::vector<glm::dvec3> moves;
  for (std::size_t place = 0; place < at.size(); ++place) {
    if (at[place].empty()) continue;
    const mat3 linear = blendedLinear(problem, shapes, pose, place);
    const glm::dvec3 rest(computeResidual(problem, shapes, pose, place));
    moves.clear();
    for (const ShapeAt& each : at[place])
      moves.emplace_back(linear * problem.morphs[each.morph].offsets[each.index]);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      right[at[place][i].morph] += glm::dot(moves[i], rest);
      for (std::size_t k = 0; k < moves.size(); ++k)
        squares(at[place][i].morph, at[place][k].morph) += glm::dot(moves[i], moves[k]);
    }
  }
  const Eigen::VectorXd solved = solveInUnitBox(squares, right);
  std::vector<float>& weights = shapes.morphWeights[pose];
  weights.assign(problem.morphs.size(), 0.0f);
  if (!solved.allFinite()) return;
  for (Eigen::Index k = 0; k < n; ++k)
    weights[static_cast<std::size_t>(k)] = static_cast<float>(solved[k]);
}

// Moves the places of one shape by a change of its weight.
void moveBy(const BakeMorph& morph, std::size_t pose, float change, BakeShapes& shapes) {
  for (std::size_t i = 0; i < morph.places.size(); ++i)
    shapes.moved[morph.places[i] * shapes.count() + pose] += change * morph.offsets[i];
}

void fillMoved(const BakeProblem& problem, BakeShapes& shapes) {
  if (!shapes.moved.empty()) return;
  shapes.moved.resize(shapes.targets.size());
  for (std::size_t place = 0; place < problem.positions.size(); ++place)
    std::fill_n(shapes.moved.begin() + static_cast<std::ptrdiff_t>(place * shapes.count()),
                shapes.count(), problem.positions[place]);
}

// The offsets of these shapes at every place, for the weights that they have.
void fitOffsets(BakeProblem& problem, const ShapesAt& at, std::uint32_t firstMorph,
                BakeShapes& shapes) {
  const std::size_t count = shapes.count();
  forEachPieceInParallel(at.size(), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t place = first; place < last; ++place)
      for (const ShapeAt& each : at[place]) {
        if (each.morph < firstMorph) continue;
        vec3& offset = problem.morphs[each.morph].offsets[each.index];
        glm::dmat3 squares(0.0);
        glm::dvec3 right(0.0);
        for (std::size_t pose = 0; pose < count; ++pose) {
          const double s = static_cast<double>(shapes.morphWeights[pose][each.morph]);
          if (s == 0.0) continue;
          const glm::dmat3 linear(blendedLinear(problem, shapes, pose, place));
          const glm::dvec3 rest = glm::dvec3(computeResidual(problem, shapes, pose, place)) +
                                  s * (linear * glm::dvec3(offset));
          squares += s * s * (glm::transpose(linear) * linear);
          right += s * (glm::transpose(linear) * rest);
        }
        const double ridge = kRidge * (squares[0][0] + squares[1][1] + squares[2][2]) + 1e-300;
        for (int axis = 0; axis < 3; ++axis)
          squares[axis][axis] += ridge;
        const vec3 solved(glm::inverse(squares) * right);
        if (!isFinite(solved)) continue;
        const vec3 change = solved - std::exchange(offset, solved);
        for (std::size_t pose = 0; pose < count; ++pose)
          shapes.moved[place * count + pose] += shapes.morphWeights[pose][each.morph] * change;
      }
  });
}

// The weights of one shape, all others as they are.
void fitOwnWeights(const BakeProblem& problem, std::uint32_t morph, BakeShapes& shapes) {
  const BakeMorph& of = problem.morphs[morph];
  forEachInParallel(shapes.count(), [&](std::size_t pose) {
    float& weight = shapes.morphWeights[pose][morph];
    double along = 0.0, square = 0.0;
    for (std::size_t i = 0; i < of.places.size(); ++i) {
      const vec3 move = blendedLinear(problem, shapes, pose, of.places[i]) * of.offsets[i];
      const vec3 rest = computeResidual(problem, shapes, pose, of.places[i]) + weight * move;
      along += static_cast<double>(glm::dot(move, rest));
      square += static_cast<double>(glm::dot(move, move));
    }
    const float solved = square > 1e-30 ? static_cast<float>(std::max(along / square, 0.0)) : 0.0f;
    moveBy(of, pose, solved - std::exchange(weight, solved), shapes);
  });
}

// The largest weight of the poses is 1.
void normalizeMorphs(BakeProblem& problem, BakeShapes& shapes) {
  for (std::uint32_t k = 0; k < problem.morphs.size(); ++k) {
    float largest = 0.0f;
    for (const std::vector<float>& weights : shapes.morphWeights)
      largest = std::max(largest, weights[k]);
    if (largest == 0.0f) continue;
    for (std::vector<float>& weights : shapes.morphWeights)
      weights[k] /= largest;
    for (vec3& offset : problem.morphs[k].offsets)
      offset *= largest;
  }
}

struct MorphTrial {
  BakeProblem& problem;
  BakeShapes& fitted;
  BakeShapes& heldOut;
  std::vector<vec3> fittedBase, heldOutBase; // BakeShapes::moved without corrective shapes
  BakeError& error;

  // All weights for the shapes as they are now; true if neither mean nor largest error of the poses
  // held out has grown.
  bool isBetter() {
    fitted.moved = fittedBase;
    heldOut.moved = heldOutBase;
    normalizeMorphs(problem, fitted);
    fitMorphWeights(problem, fitted);
    normalizeMorphs(problem, fitted);
    fitMorphWeights(problem, heldOut);
    const BakeError now = summarize(problem, heldOut, computeErrors(problem, heldOut));
    if (!(now.mean <= error.mean && now.largest <= error.largest)) return false;
    error = now;
    return true;
  }

  void restore(std::vector<BakeMorph> morphs) {
    problem.morphs = std::move(morphs);
    fitted.moved = fittedBase;
    heldOut.moved = heldOutBase;
    fitMorphWeights(problem, fitted);
    fitMorphWeights(problem, heldOut);
  }
};

// What is left in the poses, large errors most, for those are seen.
double energyAt(const BakeProblem& problem, const BakeShapes& shapes, std::size_t place) {
  double sum = 0.0;
  for (std::size_t pose = 0; pose < shapes.count(); ++pose)
    sum += std::pow(static_cast<double>(glm::length(computeResidual(problem, shapes, pose, place)) /
                                        problem.size),
                    3.0);
  return sum;
}

// Weights to begin with: how far the place with the largest error is off in the direction in which
// it is farthest off.
void startWeights(const BakeProblem& problem, std::size_t place, BakeShapes& shapes) {
  std::vector<vec3> rests;
  vec3 farthest(0.0f);
  for (std::size_t pose = 0; pose < shapes.count(); ++pose) {
    const mat3 back = glm::transpose(blendedLinear(problem, shapes, pose, place));
    rests.push_back(back * computeResidual(problem, shapes, pose, place));
    if (glm::length(rests.back()) > glm::length(farthest)) farthest = rests.back();
  }
  const float square = std::max(glm::dot(farthest, farthest), 1e-30f);
  for (std::size_t pose = 0; pose < shapes.count(); ++pose)
    shapes.morphWeights[pose].push_back(std::max(glm::dot(rests[pose], farthest) / square, 0.0f));
}

bool tryMorph(MorphTrial& trial, const BakeMorphRegion& region,
              const std::vector<double>& energies) {
  BakeProblem& problem = trial.problem;
  const std::vector<BakeMorph> before = problem.morphs;
  const std::uint32_t worst = *std::max_element(
      region.places.begin(), region.places.end(),
      [&](std::uint32_t a, std::uint32_t b) { return energies[a] < energies[b]; });
  const auto morph = static_cast<std::uint32_t>(problem.morphs.size());
  startWeights(problem, worst, trial.fitted);
  problem.morphs.push_back(
      {region.node, region.places, std::vector<vec3>(region.places.size(), vec3(0.0f))});
  const ShapesAt at = shapesAtPlaces(problem);
  for (int round = 0; round < kShapeRounds; ++round) {
    fitOffsets(problem, at, morph, trial.fitted);
    fitOwnWeights(problem, morph, trial.fitted);
  }
  float largest = 0.0f;
  for (const vec3& offset : problem.morphs.back().offsets)
    largest = std::max(largest, glm::length(offset));
  if (largest > kNoShape * problem.size && trial.isBetter()) return true;
  trial.restore(before);
  return false;
}

// All shapes and all weights at once.
void refineMorphs(MorphTrial& trial) {
  const ShapesAt at = shapesAtPlaces(trial.problem);
  for (int round = 0; round < kLastShapes; ++round) {
    const std::vector<BakeMorph> before = trial.problem.morphs;
    fitOffsets(trial.problem, at, 0, trial.fitted);
    if (trial.isBetter()) continue;
    trial.restore(before);
    return;
  }
}

} // namespace

// One number after another: a convex function, so that no other minimum stops it.
Eigen::VectorXd solveInUnitBox(Eigen::MatrixXd squares, const Eigen::VectorXd& right) {
  const Eigen::Index n = right.size();
  squares.diagonal().array() += kRidge * squares.trace() / static_cast<double>(n) + 1e-300;
  Eigen::VectorXd w = Eigen::VectorXd::Zero(n);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double changed = 0.0;
    for (Eigen::Index k = 0; k < n; ++k) {
      const double rest = right[k] - squares.row(k).dot(w) + squares(k, k) * w[k];
      const double solved = std::clamp(rest / squares(k, k), 0.0, 1.0);
      changed = std::max(changed, std::abs(solved - std::exchange(w[k], solved)));
    }
    if (changed < 1e-8) break;
  }
  return w;
}

void setMorphWeight(const BakeProblem& problem, BakeShapes& shapes, std::size_t pose,
                    std::size_t morph, float weight) {
  const float change = weight - std::exchange(shapes.morphWeights[pose][morph], weight);
  moveBy(problem.morphs[morph], pose, change, shapes);
}

void fitMorphWeights(const BakeProblem& problem, BakeShapes& shapes) {
  shapes.morphWeights.assign(shapes.count(), {});
  if (problem.morphs.empty()) return;
  fillMoved(problem, shapes);
  const ShapesAt at = shapesAtPlaces(problem);
  forEachInParallel(shapes.count(), [&](std::size_t pose) {
    solveMorphWeights(problem, at, pose, shapes);
    for (std::size_t k = 0; k < problem.morphs.size(); ++k)
      moveBy(problem.morphs[k], pose, shapes.morphWeights[pose][k], shapes);
  });
}

std::vector<BakeStep> addMorphs(BakeProblem& problem, BakeShapes& fitted, BakeShapes& heldOut,
                                std::vector<BakeMorphRegion> regions, std::uint32_t limit,
                                BakeError& error) {
  std::vector<BakeStep> steps;
  if (limit == 0) return steps;
  fillMoved(problem, fitted);
  fillMoved(problem, heldOut);
  MorphTrial trial{problem, fitted, heldOut, fitted.moved, heldOut.moved, error};
  fitted.morphWeights.resize(fitted.count());
  while (problem.morphs.size() < limit && !regions.empty()) {
    std::vector<double> energies(problem.positions.size());
    forEachPieceInParallel(energies.size(), 64, [&](std::size_t first, std::size_t last) {
      for (std::size_t place = first; place < last; ++place)
        energies[place] = energyAt(problem, fitted, place);
    });
    const auto sumEnergy = [&](const BakeMorphRegion& region) {
      double sum = 0.0;
      for (const std::uint32_t place : region.places) // each counts for one region
        if (problem.workbench->rig.joints[problem.bentBy[place].front()].node == region.node)
          sum += energies[place];
      return sum;
    };
    const auto worst = std::max_element(regions.begin(), regions.end(),
                                        [&](const BakeMorphRegion& a, const BakeMorphRegion& b) {
                                          return sumEnergy(a) < sumEnergy(b);
                                        });
    if (!tryMorph(trial, *worst, energies)) {
      regions.erase(worst);
      continue;
    }
    steps.push_back({static_cast<std::uint32_t>(problem.helpers.size()),
                     problem.workbench->model.hierarchy.nodes[worst->node].name, error,
                     static_cast<std::uint32_t>(problem.morphs.size())});
  }
  if (steps.empty()) return steps;
  refineMorphs(trial);
  steps.back().error = error;
  return steps;
}

} // namespace sinew
