#include "weights/spline_set.h"

#include "animation/pose.h"
#include "skinning/free_spline.h"
#include "skinning/spline.h"
#include "weights/skin_joints.h"
#include "weights/weights_file.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace sinew {
namespace {

bool isNumber(const vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

// Whether a node with this matrix can carry points: it has an inverse.
bool carries(const mat4& modelFromNode) {
  const mat4 inverse = glm::inverse(modelFromNode);
  for (int c = 0; c < 4; ++c)
    if (!isNumber(vec3(inverse[c]))) return false;
  return std::abs(glm::determinant(mat3(modelFromNode))) > 0.0f;
}

std::string problemOfSpline(const Model& model, const std::vector<mat4>& modelFromBound,
                            const SplineSketch& spline, std::set<std::string>& names,
                            std::set<std::string>& points) {
  if (spline.name.empty()) return "a spline has no name";
  if (!names.insert(spline.name).second && !spline.own)
    return fmt::format("two splines are named '{}'", spline.name);
  float apart = 0.0f;
  for (const vec3& point : spline.points) {
    if (!isNumber(point))
      return fmt::format("a control point of '{}' is not a number", spline.name);
    apart = std::max(apart, glm::length(point - spline.points[0]));
  }
  if (!(apart > 0.0f))
    return fmt::format("the control points of '{}' are in one place", spline.name);
  if (spline.own) return {};
  const auto node = findNode(model.hierarchy, spline.parent);
  if (!node && !points.contains(spline.parent))
    return fmt::format("the parent of '{}' is '{}', which the model does not have", spline.name,
                       spline.parent);
  if (node && !carries(modelFromBound[*node]))
    return fmt::format("'{}' cannot carry '{}': it is scaled to nothing", spline.parent,
                       spline.name);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string name = controlPointName(spline, i);
    if (findNode(model.hierarchy, name))
      return fmt::format("the model has a node '{}', as a control point of '{}' would be named",
                         name, spline.name);
    points.insert(name);
  }
  return {};
}

// Positions of all vertices in the bind pose.
std::vector<vec3> boundPositions(const Model& model) {
  const std::vector<mat4> modelFromBound = modelFromNodes(model.hierarchy, bindPose(model));
  std::vector<vec3> out;
  for (const Mesh& mesh : model.meshes)
    for (const vec3& p : mesh.positions)
      out.push_back(mesh.skin ? p : transformPoint(modelFromBound[mesh.node], p));
  return out;
}

// Gives one spline of every vertex a weight; the others are scaled to the rest.
template <class GetWeight>
void setWeights(Influences& weights, std::uint32_t spline, const GetWeight& getWeight) {
  Influences out;
  std::vector<Influence> vertex;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    const float own = getWeight(v);
    float others = 0.0f;
    vertex.clear();
    for (const Influence& influence : weights.of(v))
      if (influence.joint != spline) {
        vertex.push_back(influence);
        others += influence.weight;
      }
    if (others > 1.0f - own) {
      for (Influence& influence : vertex)
        influence.weight *= (1.0f - own) / others;
      std::erase_if(vertex, [](const Influence& i) { return !(i.weight > 0.0f); });
    }
    if (own > 0.0f) vertex.push_back({spline, own});
    std::stable_sort(vertex.begin(), vertex.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    out.append(vertex);
  }
  weights = std::move(out);
}

// The joint below that leads farthest from `from`; kNoNode: none.
std::uint32_t nextJoint(const Model& model, const std::vector<std::uint32_t>& joints,
                        const std::vector<mat4>& modelFromBound, std::uint32_t from) {
  std::uint32_t best = kNoNode;
  float farthest = 0.0f;
  for (const std::uint32_t node : joints) {
    if (model.hierarchy.nodes[node].parent != from) continue;
    const float distance = glm::length(vec3(modelFromBound[node][3] - modelFromBound[from][3]));
    if (distance > farthest) {
      farthest = distance;
      best = node;
    }
  }
  return best;
}

// Three nodes below the sketch's parent, at its control points.
void addNodes(Model& model, const SplineSketch& sketch, std::vector<mat4>& modelFromBound,
              FreeSpline& spline) {
  std::uint32_t parent = findNode(model.hierarchy, sketch.parent).value();
  for (std::size_t i = 0; i < 3; ++i) {
    const mat4 there = glm::translate(mat4(1.0f), sketch.points[i]);
    const Transform local = decompose(glm::inverse(modelFromBound[parent]) * there);
    spline.nodes[i] = static_cast<std::uint32_t>(model.hierarchy.nodes.size());
    modelFromBound.push_back(modelFromBound[parent] * toMatrix(local));
    model.hierarchy.nodes.push_back({controlPointName(sketch, i), parent, local});
    parent = spline.nodes[i];
  }
}

// Whether a vertex of a mesh with this skin follows the spline.
bool bindsVertices(const Model& model, std::size_t skin, std::size_t spline) {
  return std::ranges::any_of(model.meshes, [&](const Mesh& mesh) {
    return mesh.skin == skin &&
           std::ranges::find(mesh.splineInfluences.values, static_cast<std::uint32_t>(spline),
                             &Influence::joint) != mesh.splineInfluences.values.end();
  });
}

std::array<vec3, 3> straight(const vec3& from, const vec3& to) {
  return {from, 0.5f * (from + to), to};
}

} // namespace

std::string controlPointName(const SplineSketch& spline, std::size_t which) {
  return fmt::format("{}.{}", spline.name, which + 1);
}

std::string findProblem(const Model& model, const SplineSet& set) {
  const std::vector<mat4> modelFromBound = modelFromNodes(model.hierarchy, bindPose(model));
  std::set<std::string> names, points;
  for (const SplineSketch& spline : set.splines)
    if (std::string problem = problemOfSpline(model, modelFromBound, spline, names, points);
        !problem.empty())
      return problem;
  if (set.weights.vertexCount() != vertexCount(model))
    return fmt::format("weights of {} vertices; the model has {}", set.weights.vertexCount(),
                       vertexCount(model));
  const std::size_t all = set.splines.size();
  if (std::ranges::any_of(set.weights.values, [&](const Influence& i) { return i.joint >= all; }))
    return "weights are of a spline that is not there";
  return {};
}

void putSplines(Model& model, const SplineSet& set) {
  std::vector<mat4> modelFromBound = modelFromNodes(model.hierarchy, bindPose(model));
  const std::vector<FreeSpline> own = std::exchange(model.splines, {});
  bool laid = false;
  for (const SplineSketch& sketch : set.splines) {
    FreeSpline spline{sketch.name, {}, sketch.points};
    if (sketch.own)
      spline.nodes = own[*sketch.own].nodes;
    else
      addNodes(model, sketch, modelFromBound, spline);
    laid = laid || !sketch.own;
    model.splines.push_back(std::move(spline));
  }
  GrowingSkins skins(model, modelFromBound);
  std::size_t first = 0;
  for (Mesh& mesh : model.meshes) {
    const std::size_t end = first + mesh.positions.size();
    bool follows = laid || mesh.splineInfluences.vertexCount() > 0;
    for (std::size_t v = first; v < end && !follows; ++v)
      follows = !set.weights.of(v).empty();
    follows = follows && !set.splines.empty();
    if (!mesh.skin && follows) skins.bindRigid(mesh);
    mesh.splineInfluences = {};
    for (; first < end; ++first)
      if (follows) mesh.splineInfluences.append(set.weights.of(first));
  }
  skins.dropUnused();
  for (std::uint32_t k = 0; k < model.skins.size(); ++k)
    for (std::size_t s = 0; s < model.splines.size(); ++s)
      if (!set.splines[s].own || bindsVertices(model, k, s))
        for (const std::uint32_t node : model.splines[s].nodes)
          skins.of(k).of(node);
}

SplineSet emptySet(const Model& model) {
  SplineSet set{{}, collectSplineWeights(model)};
  set.splines.reserve(model.splines.size());
  for (std::uint32_t s = 0; s < model.splines.size(); ++s)
    set.splines.push_back({model.splines[s].name, {}, model.splines[s].points, s});
  return set;
}

SplineSketch sketchAlong(const Model& model, std::optional<std::uint32_t> node) {
  const std::vector<mat4> modelFromBound = modelFromNodes(model.hierarchy, bindPose(model));
  const auto at = [&](std::uint32_t n) { return vec3(modelFromBound[n][3]); };
  SplineSketch out;
  if (node) {
    const std::vector<std::uint32_t> joints = jointNodes(model);
    out.name = fmt::format("{} spline", model.hierarchy.nodes[*node].name);
    out.parent = model.hierarchy.nodes[*node].name;
    const std::uint32_t next = nextJoint(model, joints, modelFromBound, *node);
    const std::uint32_t last =
        next == kNoNode ? kNoNode : nextJoint(model, joints, modelFromBound, next);
    const std::uint32_t parent = model.hierarchy.nodes[*node].parent;
    if (last != kNoNode)
      out.points = {at(*node), at(next), at(last)};
    else if (next != kNoNode)
      out.points = straight(at(*node), at(next));
    else if (parent != kNoNode && at(*node) != at(parent))
      out.points = straight(at(*node), 2.0f * at(*node) - at(parent));
    else
      node.reset();
    if (node) return out;
  }
  const Bounds box = computeBounds(boundPositions(model));
  const vec3 extent = box.extent();
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (extent[i] > extent[axis]) axis = i;
  vec3 low = box.center();
  vec3 high = low;
  low[axis] = box.min[axis];
  high[axis] = box.max[axis];
  if (out.name.empty()) {
    out.name = "spline";
    // What carries the mesh; where it is the skin of many joints, the root.
    const bool rigid = !model.meshes.empty() && !model.meshes[0].skin;
    out.parent = model.hierarchy.nodes[rigid ? model.meshes[0].node : 0].name;
  }
  out.points = straight(low, high);
  return out;
}

std::string freeSplineName(const Model& model, const SplineSet& set, const std::string& name) {
  const auto taken = [&](const std::string& wanted) {
    const SplineSketch as{wanted, {}, {}, {}};
    if (std::ranges::find(set.splines, wanted, &SplineSketch::name) != set.splines.end())
      return true;
    for (std::size_t i = 0; i < 3; ++i)
      if (findNode(model.hierarchy, controlPointName(as, i))) return true;
    return false;
  };
  if (!taken(name)) return name;
  // The number it has already gives way.
  std::string base = name;
  const std::size_t last = base.find_last_not_of("0123456789");
  if (last != std::string::npos && last > 0 && last + 1 < base.size() && base[last] == ' ')
    base.resize(last);
  for (int i = 2;; ++i)
    if (std::string numbered = fmt::format("{} {}", base, i); !taken(numbered)) return numbered;
}

std::size_t addSpline(SplineSet& set, SplineSketch spline) {
  set.splines.push_back(std::move(spline));
  return set.splines.size() - 1;
}

void removeSpline(SplineSet& set, std::size_t index) {
  const SplineSketch gone = set.splines[index];
  set.splines.erase(set.splines.begin() + static_cast<std::ptrdiff_t>(index));
  for (SplineSketch& spline : set.splines)
    for (std::size_t i = 0; i < 3; ++i)
      if (!gone.own && spline.parent == controlPointName(gone, i)) spline.parent = gone.parent;
  const auto item = static_cast<std::uint32_t>(index);
  setWeights(set.weights, item, [](std::size_t) { return 0.0f; });
  for (Influence& influence : set.weights.values)
    if (influence.joint > item) --influence.joint;
}

void renameSpline(SplineSet& set, std::size_t index, const std::string& name) {
  const SplineSketch before = set.splines[index];
  set.splines[index].name = name;
  if (before.own) return; // its nodes keep their names
  for (SplineSketch& spline : set.splines)
    for (std::size_t i = 0; i < 3; ++i)
      if (spline.parent == controlPointName(before, i))
        spline.parent = controlPointName(set.splines[index], i);
}

void bindNear(const Model& model, SplineSet& set, std::size_t index, float reach) {
  const Curve& curve = arcCurve();
  const FreeShape shape = makeFreeShape(set.splines[index].points);
  const std::vector<vec3> positions = boundPositions(model);
  setWeights(set.weights, static_cast<std::uint32_t>(index), [&](std::size_t v) {
    const CurvePoint point = curve.at(projectToCurve(curve, shape, positions[v]));
    const glm::dvec3 onCurve = shape.p1 + static_cast<double>(point.along12) * shape.d12 +
                               static_cast<double>(point.along23) * shape.d23;
    const double distance = glm::length(glm::dvec3(positions[v]) - onCurve);
    const float outside = std::clamp(
        static_cast<float>(2.0 * distance / static_cast<double>(reach) - 1.0), 0.0f, 1.0f);
    const float weight = 1.0f - outside * outside * (3.0f - 2.0f * outside);
    return weight > 1e-4f ? weight : 0.0f;
  });
}

float usualReach(const SplineSketch& spline) {
  return 0.5f * (glm::length(spline.points[1] - spline.points[0]) +
                 glm::length(spline.points[2] - spline.points[1]));
}

} // namespace sinew
