#include "bake/bake_problem.h"

#include "core/affine.h"
#include "core/bounds.h"
#include "core/error.h"
#include "core/parallel.h"
#include "rig/bend_shares.h"
#include "rig/welded_vertices.h"
#include "skinning/modified.h"
#include "skinning/rebind.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

constexpr float kBends = 0.02f; // the least share of a joint that counts as bending a place

void addOnce(std::uint32_t value, std::vector<std::uint32_t>& out) {
  if (std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
}

// The largest, renormalised.
PlaceWeights makePlaceWeights(std::span<const Influence> influences, std::uint32_t limit) {
  PlaceWeights out;
  float sum = 0.0f;
  for (const Influence& influence : influences) {
    if (out.count == limit) break;
    out.bones[out.count] = influence.joint;
    out.weights[out.count++] = influence.weight;
    sum += influence.weight;
  }
  if (out.count < influences.size())
    for (std::uint32_t i = 0; i < out.count; ++i)
      out.weights[i] /= sum;
  return out;
}

// Its own joints, their parents, and those that bend it. moves: velocities move skin of a single
// joint too, which any method leaves rigid with it, or nearly so.
void findJoints(const Rig& rig, std::span<const BendShare> shares, std::size_t vertex, bool moves,
                std::vector<std::uint32_t>& joints, std::vector<std::uint32_t>& bentBy) {
  const auto influences = rig.influences.of(vertex);
  for (const Influence& influence : influences)
    addOnce(influence.joint, joints);
  if (moves)
    for (const Influence& influence : influences)
      if (influence.weight >= kBends) addOnce(influence.joint, bentBy);
  if (influences.size() == 1) return;
  std::vector<BendShare> sorted(shares.begin(), shares.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const BendShare& a, const BendShare& b) { return a.share > b.share; });
  for (const BendShare& each : sorted) {
    addOnce(each.joint, joints);
    if (each.share >= kBends) addOnce(each.joint, bentBy);
    if (const std::uint32_t up = rig.joints[each.joint].parent; up != kNoNode) addOnce(up, joints);
  }
}

// The target in a pose, in model space; displaced: what velocities do, per joint of the rig, or
// empty.
SkinnedMesh targetIn(const Workbench& workbench, const PoseView& pose,
                     std::span<const MatrixRows> displaced) {
  const BoundMethod& bound = workbench.bound.front();
  Palette palette;
  packPalette(*bound.method, workbench.rig, bound.binding, pose.modelFromNode, palette,
              pose.twists);
  if (!displaced.empty()) putModifierRows(bound.binding, displaced, palette.rows);
  SkinnedMesh out;
  skinMorphed(*bound.method, workbench.rig, bound.binding, palette, pose.morphWeights, out);
  return out;
}

// What the velocities of a clip do to a workbench whose skin follows them; empty: nothing.
std::vector<MatrixRows> displacedAt(const Workbench& workbench, const BakeMoment& moment,
                                    const Pose& pose, std::span<const mat4> modelFromNode) {
  if (!moment.clip || !workbench.moving.strength.moves()) return {};
  SkinMoment out;
  moveSkin(workbench,
           {moment.clip, static_cast<double>(moment.seconds), Wrap::clamp, {}, pose, modelFromNode},
           out);
  return std::move(out.joints);
}

void addTargets(const BakeProblem& problem, std::size_t pose, BakeShapes& shapes,
                const SkinnedMesh& skinned) {
  const std::size_t count = shapes.count();
  for (std::size_t place = 0; place < problem.positions.size(); ++place) {
    glm::dvec3 sum(0.0);
    const auto& vertices = problem.verticesByPlace[place];
    for (const std::uint32_t v : vertices)
      sum += glm::dvec3(skinned.positions[v]);
    const vec3 mean(sum / static_cast<double>(vertices.size()));
    if (!isFinite(mean))
      throw inputError(
          problem.workbench->model.path,
          fmt::format("vertex {} has no place in {}", vertices.front(), shapes.names[pose]),
          "choose another method, or other clips");
    shapes.targets[place * count + pose] = mean;
  }
}

// Adds the positions that the model's own morph targets give the places.
void addMoved(const BakeProblem& problem, std::size_t pose, std::span<const float> morphWeights,
              BakeShapes& shapes) {
  if (shapes.moved.empty()) return;
  MorphedVertices morphed;
  if (!morphWeights.empty()) applyMorphs(problem.workbench->rig, morphWeights, morphed);
  for (std::size_t place = 0; place < problem.positions.size(); ++place) {
    vec3& moved = shapes.moved[place * shapes.count() + pose];
    moved = problem.positions[place];
    if (!morphed.moved()) continue;
    const auto& vertices = problem.verticesByPlace[place];
    for (const std::uint32_t v : vertices)
      moved += (morphed.positions[v] - problem.workbench->rig.positions[v]) /
               static_cast<float>(vertices.size());
  }
}

// All of a pose but its target.
void placeBones(const BakeProblem& problem, std::size_t pose, BakeShapes& shapes) {
  const Rig& rig = problem.workbench->rig;
  shapes.modelFromBind[pose].resize(problem.bones.size());
  for (std::size_t j = 0; j < rig.joints.size(); ++j)
    shapes.modelFromBind[pose][j] = glm::mat4x3(
        affineProduct(shapes.modelFromNode[pose][rig.joints[j].node], rig.joints[j].jointFromBind));
  for (std::uint32_t h = 0; h < problem.helpers.size(); ++h) {
    shapes.helpers[pose].push_back(problem.helpers[h].bind);
    placeHelper(problem, shapes, pose, h);
  }
}

BakeShapes shapesFor(const BakeProblem& problem, std::vector<Pose> poses,
                     std::vector<std::string> names) {
  BakeShapes out;
  out.poses = std::move(poses);
  out.names = std::move(names);
  out.targets.resize(problem.positions.size() * out.count());
  out.modelFromNode.resize(out.count());
  out.modelFromBind.resize(out.count());
  out.helpers.resize(out.count());
  if (!problem.workbench->rig.morphs.empty()) out.moved.resize(out.targets.size());
  return out;
}

// One of the shapes, whose modelFromNode is there already.
void fillShape(const BakeProblem& problem, std::size_t index, const PoseView& pose,
               std::span<const MatrixRows> displaced, BakeShapes& shapes) {
  placeBones(problem, index, shapes);
  addTargets(problem, index, shapes, targetIn(*problem.workbench, pose, displaced));
  addMoved(problem, index, pose.morphWeights, shapes);
}

} // namespace

BakeProblem bakeProblem(const Workbench& workbench, std::uint32_t influences) {
  const Rig& rig = workbench.rig;
  BakeProblem out;
  out.workbench = &workbench;
  const Pose rest = restPose(workbench.model);
  const SkinnedMesh shape =
      targetIn(workbench, {modelFromNodes(workbench.model.hierarchy, rest), rest.twists, {}}, {});
  out.size = std::max(computeBounds(shape.positions).size(), 1e-30f);
  const std::vector<std::uint32_t> welded = weldVertices(rig);
  const Lists<BendShare> shares = bendShares(rig);
  out.placeByVertex.resize(welded.size());
  for (std::uint32_t v = 0; v < welded.size(); ++v) {
    if (welded[v] == v) {
      out.placeByVertex[v] = static_cast<std::uint32_t>(out.positions.size());
      out.positions.push_back(rig.positions[v]);
      out.original.push_back(makePlaceWeights(rig.influences.of(v), influences));
      out.verticesByPlace.emplace_back();
      out.joints.emplace_back();
      out.bentBy.emplace_back();
    }
    const std::uint32_t place = out.placeByVertex[v] = out.placeByVertex[welded[v]];
    out.verticesByPlace[place].push_back(v);
    findJoints(rig, shares.of(v), v, workbench.moving.strength.moves(), out.joints[place],
               out.bentBy[place]);
  }
  out.weights = out.original;
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j)
    out.bones.push_back({j});
  return out;
}

std::vector<PlaceWeights> largestWeights(const BakeProblem& problem, std::uint32_t limit) {
  std::vector<PlaceWeights> out;
  for (const PlaceWeights& weights : problem.original) {
    std::vector<Influence> influences;
    for (std::uint32_t i = 0; i < weights.count; ++i)
      influences.push_back({weights.bones[i], weights.weights[i]});
    std::stable_sort(influences.begin(), influences.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    out.push_back(makePlaceWeights(influences, limit));
  }
  return out;
}

BakeShapes shapesIn(const BakeProblem& problem, std::vector<Pose> poses,
                    std::vector<std::string> names, std::span<const BakeMoment> moments) {
  const Workbench& workbench = *problem.workbench;
  BakeShapes out = shapesFor(problem, std::move(poses), std::move(names));
  forEachInParallel(out.count(), [&](std::size_t pose) {
    const Pose& of = out.poses[pose];
    modelFromNodes(workbench.model.hierarchy, of, out.modelFromNode[pose]);
    MorphWeights weights;
    if (!workbench.rig.morphs.empty()) weights = getMorphWeights(workbench.model, of);
    std::vector<MatrixRows> displaced;
    if (!moments.empty())
      displaced = displacedAt(workbench, moments[pose], of, out.modelFromNode[pose]);
    fillShape(problem, pose, {out.modelFromNode[pose], of.twists, weights}, displaced, out);
  });
  return out;
}

BakeShapes shapeAt(const BakeProblem& problem, const PoseView& pose) {
  BakeShapes out = shapesFor(problem, {Pose{}}, {"a pose"});
  out.modelFromNode.front().assign(pose.modelFromNode.begin(), pose.modelFromNode.end());
  fillShape(problem, 0, pose, {}, out);
  return out;
}

const vec3& placeInBind(const BakeProblem& problem, const BakeShapes& shapes, std::size_t pose,
                        std::size_t place) {
  return shapes.moved.empty() ? problem.positions[place]
                              : shapes.moved[place * shapes.count() + pose];
}

std::uint32_t addHelper(BakeProblem& problem, const BakeHelper& helper) {
  const auto index = static_cast<std::uint32_t>(problem.helpers.size());
  problem.helpers.push_back(helper);
  const std::vector<RigJoint>& joints = problem.workbench->rig.joints;
  for (std::uint32_t j = 0; j < joints.size(); ++j)
    if (joints[j].node == helper.node) problem.bones.push_back({j, index});
  return index;
}

void placeHelper(const BakeProblem& problem, BakeShapes& shapes, std::size_t pose,
                 std::uint32_t helper) {
  const BakeHelper& of = problem.helpers[helper];
  mat4 helperFromJoint(1.0f);
  helperFromJoint[3] = vec4(-of.center, 1.0f);
  const mat4 modelFromJoint =
      affineProduct(shapes.modelFromNode[pose][of.parent],
                    affineProduct(toMatrix(shapes.helpers[pose][helper]), helperFromJoint));
  std::vector<glm::mat4x3>& out = shapes.modelFromBind[pose];
  out.resize(problem.bones.size());
  for (std::size_t b = problem.workbench->rig.joints.size(); b < problem.bones.size(); ++b)
    if (problem.bones[b].helper == helper)
      out[b] = glm::mat4x3(affineProduct(
          modelFromJoint, problem.workbench->rig.joints[problem.bones[b].joint].jointFromBind));
}

void writeWeights(const BakeProblem& problem, std::span<const std::uint32_t> nodeOfBone,
                  Model& model) {
  const Rig& rig = problem.workbench->rig;
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    Mesh& mesh = model.meshes[m];
    if (!mesh.skin) continue;
    const Skin& skin = model.skins[*mesh.skin];
    Influences out;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
      const PlaceWeights& weights =
          problem.weights[problem.placeByVertex[rig.meshes[m].firstVertex + v]];
      for (std::uint32_t i = 0; i < weights.count; ++i) {
        const auto joint =
            std::ranges::find(skin.joints, nodeOfBone[weights.bones[i]], &SkinJoint::node);
        out.values.push_back(
            {static_cast<std::uint32_t>(joint - skin.joints.begin()), weights.weights[i]});
      }
      out.endList();
    }
    mesh.influences = std::move(out);
  }
}

vec3 blendedPlace(const BakeProblem& problem, const BakeShapes& shapes, std::size_t pose,
                  std::size_t place) {
  const PlaceWeights& weights = problem.weights[place];
  const vec4 v(placeInBind(problem, shapes, pose, place), 1.0f);
  vec3 sum(0.0f);
  for (std::uint32_t i = 0; i < weights.count; ++i)
    sum += weights.weights[i] * (shapes.modelFromBind[pose][weights.bones[i]] * v);
  return sum;
}

} // namespace sinew
