// Exact normals against finite differences of positions alone, skinned with weights that change
// along the edges of the mesh.
#include "core/test_effort.h"
#include "core/test_files.h"
#include "demo/demo.h"
#include "import/import_model.h"
#include "model/shapes.h"
#include "rig/joint_weights.h"
#include "rig/welded_vertices.h"
#include "skinning/joint_test_support.h"
#include "skinning/spline.h"

#include <doctest/doctest.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

using namespace sinew;
using glm::dvec3;

namespace {

std::vector<Influence> mixedWeights(std::span<const Influence> a, std::span<const Influence> b,
                                    float t) {
  std::map<std::uint32_t, float> sums;
  for (const Influence& each : a)
    sums[each.joint] += (1.0f - t) * each.weight;
  for (const Influence& each : b)
    sums[each.joint] += t * each.weight;
  std::vector<Influence> out;
  for (const auto& [joint, weight] : sums)
    if (weight > 0.0f) out.push_back({joint, weight});
  std::ranges::stable_sort(out, std::greater<>(), &Influence::weight);
  return out;
}

// A rig with further vertices, in no triangle: some way along every edge, laid into the tangent
// plane, with the weights there.
struct Probes {
  struct Step {
    std::size_t vertex = 0; // index in the rig: the first of kLengths further ones
    dvec3 along{0.0};       // the whole edge in the tangent plane
  };
  // Halves of each other, for extrapolation.
  static constexpr std::array<float, 10> kLengths{0.8f,   0.4f,    0.2f,     0.1f,      0.05f,
                                                  0.025f, 0.0125f, 0.00625f, 0.003125f, 0.0015625f};

  Rig rig;
  std::vector<std::vector<Step>> steps; // per vertex of the mesh; none where none is tried
  std::size_t tried = 0;                // vertices: all, or every third where tests are quick

  explicit Probes(const Rig& plain) : rig(plain), steps(plain.positions.size()) {
    const std::vector<std::uint32_t> welded = weldVertices(plain);
    std::map<std::uint32_t, std::vector<std::uint32_t>> places;
    for (std::uint32_t v = 0; v < welded.size(); ++v)
      places[welded[v]].push_back(v);
    std::vector<std::set<std::uint32_t>> near(welded.size());
    for (const Triangle& t : plain.triangles)
      for (const std::uint32_t a : t)
        for (const std::uint32_t b : t)
          if (a != b) near[a].insert(b);
    const auto each = static_cast<std::uint32_t>(test::rounds(1, 3));
    for (std::uint32_t v = 0; v < welded.size(); v += each) {
      ++tried;
      std::map<std::uint32_t, std::uint32_t> ring; // one vertex of each place
      for (const std::uint32_t twin : places[welded[v]])
        if (twin == v || glm::dot(plain.normals[v], plain.normals[twin]) > 0.999f)
          for (const std::uint32_t n : near[twin]) {
            const auto [at, isNew] = ring.try_emplace(welded[n], n);
            if (!isNew) at->second = std::min(at->second, n);
          }
      for (const auto& [place, n] : ring)
        addStep(plain, v, n);
    }
    rig.texcoords.resize(rig.positions.size());
    rig.colors.resize(rig.positions.size(), vec4(1.0f));
    rig.meshes = {{0, static_cast<std::uint32_t>(rig.positions.size()), 0,
                   static_cast<std::uint32_t>(rig.triangles.size()), 0}};
  }

 private:
  void addStep(const Rig& plain, std::uint32_t v, std::uint32_t n) {
    const dvec3 edge = dvec3(plain.positions[n]) - dvec3(plain.positions[v]);
    const dvec3 normal(plain.normals[v]);
    const dvec3 flat = edge - glm::dot(edge, normal) / glm::dot(normal, normal) * normal;
    if (glm::length(flat) <= 1e-3 * glm::length(edge)) return;
    const dvec3 along = glm::length(edge) / glm::length(flat) * flat;
    steps[v].push_back({rig.positions.size(), along});
    for (const float t : kLengths) {
      rig.positions.push_back(plain.positions[v] + vec3(static_cast<double>(t) * along));
      rig.normals.push_back(plain.normals[v]);
      rig.influences.append(mixedWeights(plain.influences.of(v), plain.influences.of(n), t));
      if (!plain.splines.empty())
        rig.splineInfluences.append(
            mixedWeights(plain.splineInfluences.of(v), plain.splineInfluences.of(n), t));
    }
  }
};

// Which of the steps' lengths a derivative is taken from.
struct Stencil {
  std::size_t first = 0, count = 3;
};

std::vector<Stencil> stencils() {
  std::vector<Stencil> out;
  for (const std::size_t count : {6u, 5u, 4u, 3u})
    for (std::size_t first = 0; first + count <= Probes::kLengths.size(); ++first)
      out.push_back({first, count});
  return out;
}

// By how many degrees rounding of positions may rotate a normal found with a stencil, where the
// surface about the vertex has grown by `area`.
double estimateNoise(const Probes& probes, float size, std::size_t vertex, const Stencil& stencil,
                     double area) {
  double shortest = 1e30;
  for (const Probes::Step& step : probes.steps[vertex])
    shortest = std::min(shortest, glm::length(step.along));
  shortest *= static_cast<double>(Probes::kLengths[stencil.first + stencil.count - 1]);
  const double rounding = 3.0 * 1.2e-7 * static_cast<double>(size) / shortest;
  return test::kDegreesInRadian * rounding / std::min(area, 1.0);
}

// One-sided derivative of a position along a step, extrapolated to a step of no length
// (Richardson).
dvec3 edgeDerivative(const SkinnedMesh& mesh, std::size_t vertex, const Probes::Step& step,
                     const Stencil& stencil) {
  std::vector<dvec3> slopes;
  for (std::size_t i = stencil.first; i < stencil.first + stencil.count; ++i)
    slopes.push_back((dvec3(mesh.positions[step.vertex + i]) - dvec3(mesh.positions[vertex])) /
                     static_cast<double>(Probes::kLengths[i]));
  for (double power = 2.0; slopes.size() > 1; power *= 2.0) {
    for (std::size_t i = 0; i + 1 < slopes.size(); ++i)
      slopes[i] = (power * slopes[i + 1] - slopes[i]) / (power - 1.0);
    slopes.pop_back();
  }
  return slopes[0];
}

// The linear map of the tangent plane that fits the derivatives along all edges best takes two
// tangents along; their cross product, as long as the area grows.
dvec3 differenceNormal(const Probes& probes, const SkinnedMesh& mesh, std::size_t vertex,
                       const Stencil& stencil) {
  const dvec3 n(probes.rig.normals[vertex]);
  const dvec3 u =
      glm::normalize(glm::cross(n, std::abs(n.y) < 0.7 ? dvec3(0, 1, 0) : dvec3(1, 0, 0)));
  const dvec3 v = glm::cross(glm::normalize(n), u);
  double uu = 1e-9, uv = 0.0, vv = 1e-9;
  dvec3 toU(0.0), toV(0.0);
  for (const Probes::Step& step : probes.steps[vertex]) {
    const dvec3 moved = edgeDerivative(mesh, vertex, step, stencil) / glm::length(step.along);
    const dvec3 along = glm::normalize(step.along);
    const double a = glm::dot(along, u);
    const double b = glm::dot(along, v);
    uu += a * a;
    uv += a * b;
    vv += b * b;
    toU += a * moved;
    toV += b * moved;
  }
  const double determinant = uu * vv - uv * uv;
  return glm::cross(vv * toU - uv * toV, uu * toV - uv * toU) / (determinant * determinant);
}

// The attachments of a vertex in a binding, and which side of its joint's zone or its spline it is
// on: before it, within it or behind it. Crossing from one to another the surface has a kink.
std::map<std::uint32_t, int> findSides(const Binding& binding, float end, std::size_t vertex) {
  std::map<std::uint32_t, int> out;
  const glm::uvec4 entries = readUint(findAttribute(binding, "joints0"), vertex);
  const vec4 weights = binding.variant.attachments > 1
                           ? readFloat(findAttribute(binding, "weights0"), vertex)
                           : vec4(1, 0, 0, 0);
  for (int i = 0; i < static_cast<int>(binding.variant.attachments); ++i) {
    if (!(weights[i] > 0.0f)) continue;
    const bool bones = end == 0.0f;
    const float x = bones
                        ? readFloat(findAttribute(binding, "blendFactor"), vertex)[i]
                        : readFloat(findAttribute(binding, "spline" + std::to_string(i)), vertex).x;
    out[entries[i]] = x <= 0.0f ? -1 : x >= (bones ? 1.0f : end) ? 1 : 0;
  }
  return out;
}

// Whether the surface about a vertex is smooth as far as the stencil reaches.
bool isSmooth(const Probes& probes, const Binding& binding, float end, std::size_t vertex,
              const Stencil& stencil) {
  const auto here = findSides(binding, end, vertex);
  for (const Probes::Step& step : probes.steps[vertex])
    for (std::size_t i = stencil.first; i < stencil.first + stencil.count; ++i)
      for (const auto& [entry, side] : findSides(binding, end, step.vertex + i))
        if (const auto at = here.find(entry); at != here.end() && at->second != side) return false;
  return true;
}

// Whether the weights of a vertex jump as soon as one leaves it: a bone's weight goes from its own
// joint to the one towards the first other bone. By weights both move the vertex alike; by zones
// they need not, and then the surface is torn there.
bool isTorn(const Probes& probes, const JointAttachments& all, std::size_t vertex) {
  const auto weightIn = [](std::span<const JointAttachment> list, std::uint32_t joint) {
    const auto at = std::ranges::find(list, joint, &JointAttachment::joint);
    return at != list.end() ? at->weight : 0.0f;
  };
  for (const Probes::Step& step : probes.steps[vertex]) {
    const auto there = all.of(step.vertex + Probes::kLengths.size() - 1);
    for (const JointAttachment& each : there)
      if (std::abs(each.weight - weightIn(all.of(vertex), each.joint)) > 0.025f) return true;
  }
  return false;
}

// Joints or splines that a vertex has weight on along any of its edges.
std::size_t attachmentsNear(const Rig& rig, const JointAttachments& all, const Probes& probes,
                            std::size_t vertex) {
  std::set<std::uint32_t> found;
  const auto add = [&](std::size_t v) {
    if (rig.splines.empty())
      for (const JointAttachment& each : all.of(v))
        found.insert(each.joint);
    else
      for (const Influence& each : rig.splineInfluences.of(v))
        found.insert(each.joint);
  };
  add(vertex);
  for (const Probes::Step& step : probes.steps[vertex])
    add(step.vertex);
  return found.size();
}

struct NormalErrors {
  std::size_t vertices = 0;
  std::size_t pruned = 0;  // with more than three joints about them
  std::size_t torn = 0;    // vertices where the deformation itself is not continuous
  std::size_t unclear = 0; // squeezed, or so near to a kink, that rounding covers the differences
  std::size_t beyond = 0;  // farther than 0.1 degrees and rounding from all differences
  double worst = 0.0;      // degrees
  double squares = 0.0;
  double cheapSquares = 0.0, cheapWorst = 0.0;

  double rms() const { return std::sqrt(squares / static_cast<double>(vertices)); }
  double cheapRms() const { return std::sqrt(cheapSquares / static_cast<double>(vertices)); }
};

NormalErrors compareNormals(const Rig& plain, const Probes& probes, const char* name,
                            const BindOptions& options, const std::vector<mat4>& nodes) {
  NormalErrors out;
  const Method& method = findMethod(name);
  const SkinnedMesh mesh = test::skinned(method, probes.rig, nodes, options);
  BindOptions cheap = options;
  cheap.parameters[name == std::string_view("bones-blending") ? 2 : 3] = 0.0f;
  const SkinnedMesh other = test::skinned(method, probes.rig, nodes, cheap);
  const JointAttachments all = attachToJoints(probes.rig, 100);
  const Binding binding = method.bind(probes.rig, cheap);
  const std::string_view word = name;
  const float end = word == "arc-spline" ? arcCurve().end : word == "bezier-spline" ? 1.0f : 0.0f;
  const float size = computeBounds(plain.positions).size();
  const bool tears = probes.rig.splines.empty() && options.parameters[0] == 1.0f;
  const bool kinks = !probes.rig.splines.empty() || options.parameters[0] == 1.0f;
  for (std::size_t v = 0; v < plain.positions.size(); ++v) {
    if (probes.steps[v].size() < 2) continue;
    if (attachmentsNear(probes.rig, all, probes, v) > 3) {
      ++out.pruned;
      continue;
    }
    if (tears && isTorn(probes, all, v)) {
      ++out.torn;
      continue;
    }
    double nearest = 1000.0;
    double best = 1000.0; // beyond rounding
    dvec3 found(0.0);
    for (const Stencil& stencil : stencils()) {
      if (kinks && !isSmooth(probes, binding, end, v, stencil)) continue;
      const dvec3 normal = differenceNormal(probes, mesh, v, stencil);
      const double noise = estimateNoise(probes, size, v, stencil, glm::length(normal));
      if (noise > 0.2) continue;
      const double apart = test::degreesBetween(normal, dvec3(mesh.normals[v]));
      best = std::min(best, apart - noise);
      if (apart >= nearest) continue;
      nearest = apart;
      found = normal;
    }
    if (nearest > 180.0) {
      ++out.unclear;
      continue;
    }
    ++out.vertices;
    out.beyond += best > 0.1 ? 1 : 0;
    out.worst = std::max(out.worst, nearest);
    out.squares += nearest * nearest;
    const double cheapApart = test::degreesBetween(found, dvec3(other.normals[v]));
    out.cheapSquares += cheapApart * cheapApart;
    out.cheapWorst = std::max(out.cheapWorst, cheapApart);
  }
  return out;
}

} // namespace

TEST_CASE("exact normals: the differences of positions along the edges, on whole models" *
          doctest::skip(test::kSanitized)) {
  std::vector<std::pair<std::string, Model>> models;
  for (const char* name : {"body-arm", "body-arm-splines", "humanoid"})
    models.emplace_back(name, findDemo(name).make());
  const auto fox = test::sharedModels() / "fox" / "Fox.glb";
  if (std::filesystem::exists(fox)) models.emplace_back("Fox", importModel(fox));
  if (!test::kThorough) models.resize(1);
  for (const auto& entry : models) {
    const std::string& title = entry.first;
    const Model& model = entry.second;
    const Rig rig = buildRig(model);
    const Probes probes(rig);
    const auto nodes = modelFromNodes(model.hierarchy, test::turnedPose(model, 8, 0.6f));
    for (const std::string name : test::kExactMethods)
      for (const float source : {0.0f, 1.0f}) {
        const bool free = !rig.splines.empty();
        if (free && (source == 1.0f || name == "bones-blending")) continue;
        if (!test::kThorough && (name == "bones-blending") != (source == 1.0f)) continue;
        CAPTURE(title);
        CAPTURE(name);
        CAPTURE(source);
        const NormalErrors errors =
            compareNormals(rig, probes, name.c_str(), test::exactly(name, source), nodes);
        SINEW_FIGURE(title << ", " << name << std::string(source == 1.0f ? " by zones: " : ": ")
                           << errors.vertices << " vertices, worst " << errors.worst
                           << " degrees, rms " << errors.rms() << " (cheap: " << errors.cheapRms()
                           << "); left out: " << errors.pruned << " pruned, " << errors.unclear
                           << " unclear, " << errors.torn << " torn");
        // Within a step or two of a kink differences are of both its sides.
        const double kinks = free || source == 1.0f ? 0.003 : 0.0;
        CHECK(static_cast<double>(errors.beyond) <= kinks * static_cast<double>(errors.vertices));
        CHECK(static_cast<double>(errors.vertices + errors.torn) >
              0.85 * static_cast<double>(probes.tried));
        if (kinks == 0.0) CHECK(errors.rms() < 0.02);
        CHECK(errors.cheapRms() > 20.0 * errors.rms());
      }
  }
}

TEST_CASE("exact normals: with curves over the zones" * doctest::skip(test::kSanitized)) {
  const Model model = findDemo("body-arm").make();
  const Rig rig = buildRig(model);
  const Probes probes(rig);
  const auto nodes = modelFromNodes(model.hierarchy, test::turnedPose(model, 8, 0.6f));
  std::vector<Zone> zones = zonesFromWeights(probes.rig, boneAxes(probes.rig));
  for (Zone& zone : zones)
    zone.curve = {BlendCurve::Kind::drawn, {{0.25f, 0.5f}, {0.75f, 0.625f}}};
  for (const std::string name : {"bones-blending", "arc-spline"})
    for (const float source : {0.0f, 1.0f}) {
      if (!test::kThorough && (name == "bones-blending") == (source == 1.0f)) continue;
      CAPTURE(name);
      CAPTURE(source);
      BindOptions options = test::exactly(name, source);
      options.zones = zones;
      const NormalErrors errors = compareNormals(rig, probes, name.c_str(), options, nodes);
      const double kinks = source == 1.0f ? 0.01 : 0.0; // at the ends of zones
      CHECK(static_cast<double>(errors.beyond) <= kinks * static_cast<double>(errors.vertices));
      CHECK(errors.rms() < 0.02);
      CHECK(errors.cheapRms() > 5.0);
    }
}

namespace {

// Joints by these methods in turn; nothing of the others' choices.
BindOptions mixedExactly(const Rig& rig, std::span<const char* const> names) {
  BindOptions options;
  for (const Parameter& parameter : findMethod("per-joint").parameters)
    options.parameters.push_back(parameter.name == "normals" ? 1.0f : parameter.value);
  for (std::size_t j = 0; j < rig.joints.size(); ++j)
    options.methods.push_back(&findMethod(names[j % names.size()]));
  return options;
}

// Errors at vertices that one method has, and at those that several share or begin to share.
struct MixedErrors {
  std::size_t whole = 0, mixed = 0, pruned = 0, unclear = 0, beyond = 0;
  std::size_t atOrigin = 0; // vertices that had to be looked at closer
  double worst = 0.0, squares = 0.0;
};

struct NearestDifference {
  double apart = 1000.0;  // degrees, from the normal by the best of the stencils
  double beyond = 1000.0; // and beyond rounding and what halving the steps changes
};

// size: that of the numbers that are added up for positions.
NearestDifference nearestDifference(const Probes& probes, const SkinnedMesh& mesh, float size,
                                    std::size_t vertex) {
  NearestDifference out;
  for (const Stencil& stencil : stencils()) {
    const dvec3 normal = differenceNormal(probes, mesh, vertex, stencil);
    double noise = estimateNoise(probes, size, vertex, stencil, glm::length(normal));
    if (noise > 0.2) continue;
    // Where one method takes over within a few hundredths of an edge, no stencil has
    // converged yet when rounding ends it.
    if (stencil.first + stencil.count < Probes::kLengths.size()) {
      const Stencil half{stencil.first + 1, stencil.count};
      const dvec3 shorter = differenceNormal(probes, mesh, vertex, half);
      const double change = test::degreesBetween(normal, shorter);
      if (change < 0.5) noise = std::max(noise, change);
    }
    const double apart = test::degreesBetween(normal, dvec3(mesh.normals[vertex]));
    out.apart = std::min(out.apart, apart);
    out.beyond = std::min(out.beyond, apart - noise);
  }
  return out;
}

// The same with the vertex at the origin of bind space and of model space, where the positions
// about it round least. So steps may be as short as a share needs that one method takes from
// another within a few hundredths of an edge.
NearestDifference nearestAtOrigin(const Probes& probes, const BindOptions& options,
                                  const std::vector<mat4>& nodes, const vec3& posed,
                                  std::size_t vertex) {
  Rig rig = probes.rig;
  const vec3 origin = rig.positions[vertex];
  for (vec3& position : rig.positions)
    position -= origin;
  float reach = 0.0f; // distance from the joints that move the vertex, in their weighted mean
  for (const Probes::Step& step : probes.steps[vertex]) {
    for (std::size_t i = 0; i < Probes::kLengths.size(); ++i)
      rig.positions[step.vertex + i] = vec3(static_cast<double>(Probes::kLengths[i]) * step.along);
    float mean = 0.0f;
    for (const auto& [joint, weight] : rig.influences.of(step.vertex))
      mean += weight * glm::length(vec3(rig.joints[joint].jointFromBind * vec4(origin, 1.0f)));
    reach = std::max(reach, mean);
  }
  for (RigJoint& joint : rig.joints)
    joint.jointFromBind = joint.jointFromBind * glm::translate(mat4(1.0f), origin);
  std::vector<mat4> moved = nodes;
  for (mat4& node : moved)
    node = glm::translate(mat4(1.0f), -posed) * node;
  const SkinnedMesh mesh = test::skinned(findMethod("per-joint"), rig, moved, options);
  return nearestDifference(probes, mesh, reach, vertex);
}

MixedErrors compareMixture(const Rig& plain, const Probes& probes,
                           std::span<const char* const> names, const std::vector<mat4>& nodes) {
  MixedErrors out;
  const Method& method = findMethod("per-joint");
  const BindOptions options = mixedExactly(probes.rig, names);
  const SkinnedMesh mesh = test::skinned(method, probes.rig, nodes, options);
  const Binding binding = method.bind(probes.rig, options);
  REQUIRE(binding.parts.size() == names.size());
  REQUIRE(binding.variant.normals == NormalMode::exact);
  const Attribute& shares = findAttribute(binding, "share0");
  const JointAttachments all = attachToJoints(probes.rig, 100);
  const float size = computeBounds(plain.positions).size();
  for (std::size_t v = 0; v < plain.positions.size(); ++v) {
    if (probes.steps[v].size() < 2) continue;
    if (attachmentsNear(probes.rig, all, probes, v) > 3) {
      ++out.pruned;
      continue;
    }
    const vec4 here = readFloat(shares, v);
    bool one = std::max({here.x, here.y, here.z, here.w}) == 1.0f;
    for (const Probes::Step& step : probes.steps[v])
      one = one && readFloat(shares, step.vertex) == here;
    NearestDifference nearest = nearestDifference(probes, mesh, size, v);
    if (nearest.apart > 180.0) {
      ++out.unclear;
      continue;
    }
    if (nearest.beyond > 0.1) {
      ++out.atOrigin;
      nearest = nearestAtOrigin(probes, options, nodes, mesh.positions[v], v);
    }
    (one ? out.whole : out.mixed) += 1;
    out.beyond += nearest.beyond > 0.1 ? 1 : 0;
    if (one) continue;
    out.worst = std::max(out.worst, nearest.apart);
    out.squares += nearest.apart * nearest.apart;
  }
  return out;
}

} // namespace

TEST_CASE("exact normals: of a mixture of methods, also where they meet" *
          doctest::skip(test::kSanitized)) {
  static const std::vector<std::vector<const char*>> kMixtures{
      {"bones-blending", "arc-spline"},
      {"lbs", "bones-blending"},
      {"lbs", "bezier-spline"},
      {"arc-spline", "lbs", "bones-blending"}};
  std::vector<std::pair<std::string, Model>> models;
  for (const char* name : {"body-arm", "humanoid"})
    models.emplace_back(name, findDemo(name).make());
  const auto fox = test::sharedModels() / "fox" / "Fox.glb";
  if (std::filesystem::exists(fox)) models.emplace_back("Fox", importModel(fox));
  if (!test::kThorough) models.resize(1);
  for (const auto& entry : models) {
    const std::string& title = entry.first;
    const Model& model = entry.second;
    const Rig rig = buildRig(model);
    const Probes probes(rig);
    const auto nodes = modelFromNodes(model.hierarchy, test::turnedPose(model, 8, 0.6f));
    for (const std::vector<const char*>& names : kMixtures) {
      if (!test::kThorough && names.size() < 3) continue;
      CAPTURE(title);
      CAPTURE(names.front());
      CAPTURE(names.back());
      const MixedErrors errors = compareMixture(rig, probes, names, nodes);
      SINEW_FIGURE(title << ", " << std::string(names.front()) << " to "
                         << std::string(names.back()) << ": " << errors.mixed << " of "
                         << errors.mixed + errors.whole << " vertices are mixed: worst "
                         << errors.worst << " degrees, rms "
                         << std::sqrt(errors.squares / static_cast<double>(errors.mixed)) << ", "
                         << errors.atOrigin << " at the origin; left out: " << errors.pruned
                         << " pruned, " << errors.unclear << " unclear");
      CHECK(errors.whole > 50);
      CHECK(errors.mixed > 10);
      CHECK(errors.beyond == 0);
    }
  }
}
