#include "rig/subdivide.h"

#include "model/morph_targets.h"
#include "rig/joint_weights.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace sinew {
namespace {

using EdgeSet = std::set<WeldedEdge>;

// Weights are added joint by joint, independently of the order of the corners: both sides of a seam
// get the same weights bit for bit. partial: they need not sum to 1.
void appendMean(std::span<const std::uint32_t> corners, bool partial, Influences& influences) {
  std::map<std::uint32_t, float> sums;
  for (const std::uint32_t corner : corners)
    for (const Influence& influence : influences.of(corner))
      sums[influence.joint] += influence.weight;
  float whole = partial ? static_cast<float>(corners.size()) : 0.0f;
  if (!partial)
    for (const auto& [joint, weight] : sums)
      whole += weight;
  std::vector<Influence> mean;
  for (const auto& [joint, weight] : sums)
    if (weight > 0.0f) mean.push_back({joint, weight / whole});
  std::stable_sort(mean.begin(), mean.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  influences.append(mean);
}

template <class T>
void appendMean(std::span<const std::uint32_t> corners, std::vector<T>& values) {
  if (values.empty()) return;
  T sum(0.0f);
  for (const std::uint32_t corner : corners)
    sum += values[corner];
  values.push_back(sum / static_cast<float>(corners.size()));
}

// A vertex between the corners; returns its index.
std::uint32_t addVertex(std::span<const std::uint32_t> corners, Mesh& mesh) {
  appendMean(corners, mesh.positions);
  appendMean(corners, mesh.normals);
  float length = 1.0f;
  if (!mesh.normals.empty()) {
    length = glm::length(mesh.normals.back());
    // Opposite normals cancel; either of them will do.
    mesh.normals.back() =
        length > 1e-6f ? mesh.normals.back() / length : mesh.normals[corners.front()];
  }
  appendMean(corners, mesh.tangents);
  if (!mesh.tangents.empty()) {
    vec4& tangent = mesh.tangents.back();
    const float mean = glm::length(vec3(tangent));
    tangent =
        vec4(mean > 1e-6f ? vec3(tangent) / mean : vec3(0.0f), mesh.tangents[corners.front()].w);
  }
  appendMean(corners, mesh.texcoords);
  appendMean(corners, mesh.texcoords1);
  appendMean(corners, mesh.colors);
  appendMean(corners, mesh.dualQuaternionShares);
  if (mesh.influences.vertexCount() > 0) appendMean(corners, false, mesh.influences);
  if (mesh.splineInfluences.vertexCount() > 0) appendMean(corners, true, mesh.splineInfluences);
  const auto vertex = static_cast<std::uint32_t>(mesh.positions.size() - 1);
  appendMean(mesh.morphs, corners, vertex, length);
  ++mesh.insertedVertices;
  return vertex;
}

Mesh splitCentroids(const Mesh& mesh, std::span<const std::uint32_t> triangles) {
  Mesh out = mesh;
  for (const std::uint32_t index : triangles) {
    const auto [a, b, c] = mesh.triangles[index];
    const std::uint32_t middle = addVertex(mesh.triangles[index], out);
    out.triangles[index] = {a, b, middle};
    out.triangles.push_back({b, c, middle});
    out.triangles.push_back({c, a, middle});
  }
  return out;
}

float distance2(const Mesh& mesh, std::uint32_t a, std::uint32_t b) {
  const vec3 d = mesh.positions[a] - mesh.positions[b];
  return glm::dot(d, d);
}

using Middles = std::array<std::optional<std::uint32_t>, 3>; // on edges 01, 12, 20

// Splits a triangle at the middles of its split edges; the pieces keep its winding.
void cut(const Triangle& t, const Middles& middles, Mesh& mesh) {
  const auto count = std::count_if(middles.begin(), middles.end(),
                                   [](const auto& middle) { return middle.has_value(); });
  auto& out = mesh.triangles;
  if (count == 3) {
    const std::uint32_t m0 = *middles[0], m1 = *middles[1], m2 = *middles[2];
    out.insert(out.end(), {{t[0], m0, m2}, {t[1], m1, m0}, {t[2], m2, m1}, {m0, m1, m2}});
    return;
  }
  // Start at a corner such that with one split edge it is ab, and with two, ca is not split.
  std::size_t start = 0;
  while (count == 1 ? !middles[start] : middles[(start + 2) % 3].has_value())
    ++start;
  const std::uint32_t a = t[start], b = t[(start + 1) % 3], c = t[(start + 2) % 3];
  const std::uint32_t ab = *middles[start];
  if (count == 1) {
    out.insert(out.end(), {{a, ab, c}, {ab, b, c}});
    return;
  }
  const std::uint32_t bc = *middles[(start + 1) % 3];
  out.push_back({ab, b, bc});
  if (distance2(mesh, a, bc) < distance2(mesh, ab, c)) // the shorter diagonal of a, ab, bc, c
    out.insert(out.end(), {{a, ab, bc}, {a, bc, c}});
  else
    out.insert(out.end(), {{a, ab, c}, {ab, bc, c}});
}

Mesh splitEdges(const Mesh& mesh, std::span<const std::uint32_t> welded, const EdgeSet& edges) {
  Mesh out = mesh;
  out.triangles.clear();
  std::map<WeldedEdge, std::uint32_t> middleByEdge; // by vertices: each side of a seam has its own
  for (const Triangle& t : mesh.triangles) {
    Middles middles;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      if (!edges.contains(weldedEdge(welded, a, b))) continue;
      const auto [entry, isNew] = middleByEdge.emplace(std::minmax(a, b), 0);
      if (isNew) entry->second = addVertex(std::array{a, b}, out);
      middles[i] = entry->second;
    }
    if (middles == Middles{})
      out.triangles.push_back(t);
    else
      cut(t, middles, out);
  }
  return out;
}

// Edges of the listed triangles, without those between two vertices at one position.
EdgeSet edgesAmong(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                   std::span<const std::uint32_t> welded) {
  EdgeSet edges;
  for (const std::uint32_t index : listed)
    for (std::size_t i = 0; i < 3; ++i) {
      const WeldedEdge edge =
          weldedEdge(welded, triangles[index][i], triangles[index][(i + 1) % 3]);
      if (edge.first != edge.second) edges.insert(edge);
    }
  return edges;
}

// Ascending without duplicates: 1:3 must not split a triangle twice.
std::vector<std::uint32_t> sortedOnce(std::span<const std::uint32_t> values) {
  std::vector<std::uint32_t> out(values.begin(), values.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<WeldedEdge> openEdges(std::span<const Triangle> triangles,
                                  std::span<const std::uint32_t> welded) {
  std::map<WeldedEdge, int> count;
  for (const Triangle& t : triangles)
    for (std::size_t i = 0; i < 3; ++i)
      ++count[weldedEdge(welded, t[i], t[(i + 1) % 3])];
  std::vector<WeldedEdge> open;
  for (const auto& [edge, uses] : count)
    if (uses == 1 && edge.first != edge.second) open.push_back(edge);
  return open;
}

bool insideEdge(const vec3& p, const vec3& a, const vec3& b) {
  constexpr float kTolerance = 1e-5f; // fraction of the edge's length
  const vec3 along = b - a;
  const float t = glm::dot(p - a, along) / glm::dot(along, along);
  if (t < kTolerance || t > 1.0f - kTolerance) return false;
  return glm::length(p - (a + t * along)) < kTolerance * glm::length(along);
}

} // namespace

Mesh subdivide(const Mesh& mesh, std::span<const std::uint32_t> triangles, Subdivision kind) {
  const std::vector<std::uint32_t> listed = sortedOnce(triangles);
  if (kind == Subdivision::centroid) return splitCentroids(mesh, listed);
  const std::vector<std::uint32_t> welded = weldVertices(mesh.positions);
  return splitEdges(mesh, welded, edgesAmong(mesh.triangles, listed, welded));
}

std::vector<std::uint32_t> trianglesOfJoint(const Rig& rig, std::uint32_t joint) {
  const JointAttachments attachments = attachToJoints(rig, 1);
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < rig.triangles.size(); ++i)
    if (std::ranges::all_of(rig.triangles[i],
                            [&](std::uint32_t v) { return attachments.of(v)[0].joint == joint; }))
      out.push_back(i);
  return out;
}

namespace {

Model divideTriangles(Model model, const Rig& rig, std::span<const std::uint32_t> triangles,
                      Subdivision kind) {
  const std::vector<std::uint32_t> listed = sortedOnce(triangles);
  const std::vector<std::uint32_t> welded = weldVertices(rig);
  const EdgeSet edges = edgesAmong(rig.triangles, listed, welded);
  for (std::size_t i = 0; i < model.meshes.size(); ++i) {
    const RigMesh& part = rig.meshes[i];
    if (kind == Subdivision::midpoints) {
      const std::span own(welded.data() + part.firstVertex, part.vertexCount);
      model.meshes[i] = splitEdges(model.meshes[i], own, edges);
      continue;
    }
    std::vector<std::uint32_t> own;
    for (const std::uint32_t triangle : listed)
      if (triangle >= part.firstTriangle && triangle < part.firstTriangle + part.triangleCount)
        own.push_back(triangle - part.firstTriangle);
    model.meshes[i] = splitCentroids(model.meshes[i], own);
  }
  return model;
}

} // namespace

Model subdivideTriangles(Model model, std::span<const std::uint32_t> triangles, Subdivision kind) {
  const Rig rig = buildRig(model);
  return divideTriangles(std::move(model), rig, triangles, kind);
}

Model subdivideJoints(Model model, std::span<const std::uint32_t> joints, Subdivision kind) {
  const Rig rig = buildRig(model);
  std::vector<std::uint32_t> listed;
  for (const std::uint32_t joint : sortedOnce(joints)) {
    const std::vector<std::uint32_t> more = trianglesOfJoint(rig, joint);
    listed.insert(listed.end(), more.begin(), more.end());
  }
  return divideTriangles(std::move(model), rig, listed, kind);
}

std::size_t countTVertices(std::span<const vec3> positions, std::span<const Triangle> triangles) {
  const std::vector<std::uint32_t> welded = weldVertices(positions);
  const std::vector<WeldedEdge> open = openEdges(triangles, welded);
  std::set<std::uint32_t> ends;
  for (const auto& [a, b] : open)
    ends.insert({a, b});
  std::vector<std::uint32_t> byX(ends.begin(), ends.end());
  const auto getX = [&](std::uint32_t v) { return positions[v].x; };
  std::ranges::sort(byX, {}, getX);

  std::set<std::uint32_t> found;
  for (const auto& [a, b] : open) {
    const float slack = 1e-5f * glm::length(positions[b] - positions[a]);
    const auto [low, high] = std::minmax({getX(a), getX(b)});
    for (auto v = std::ranges::lower_bound(byX, low - slack, {}, getX);
         v != byX.end() && getX(*v) <= high + slack; ++v)
      if (insideEdge(positions[*v], positions[a], positions[b])) found.insert(*v);
  }
  return found.size();
}

} // namespace sinew
