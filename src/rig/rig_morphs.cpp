#include "rig/rig_steps.h"

#include <glm/geometric.hpp>
#include <glm/gtc/type_precision.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace sinew {
namespace {

using glm::dvec3;

// Vertices at one position whose normals are this near are one vertex of the surface.
constexpr float kSameNormal = 1e-3f;

// Per vertex the first one at the same place with the same normal.
std::vector<std::uint32_t> smoothGroups(const Mesh& mesh) {
  std::map<std::tuple<float, float, float>, std::vector<std::uint32_t>> at;
  std::vector<std::uint32_t> group(mesh.positions.size());
  for (std::uint32_t v = 0; v < group.size(); ++v) {
    const vec3& p = mesh.positions[v];
    std::vector<std::uint32_t>& others = at[{p.x, p.y, p.z}];
    const auto same = std::find_if(others.begin(), others.end(), [&](std::uint32_t other) {
      return glm::length(mesh.normals[other] - mesh.normals[v]) <= kSameNormal;
    });
    group[v] = same == others.end() ? v : *same;
    if (group[v] == v) others.push_back(v);
  }
  return group;
}

dvec3 faceNormal(const vec3& a, const vec3& b, const vec3& c) {
  return glm::cross(dvec3(b) - dvec3(a), dvec3(c) - dvec3(a)); // as long as twice the area
}

// v by the smallest rotation that takes `from` to `to`, all unit.
dvec3 rotated(const dvec3& from, const dvec3& to, const dvec3& v) {
  const dvec3 axis = glm::cross(from, to);
  const double cosine = glm::dot(from, to);
  if (cosine < -0.999) return v + to - from; // no smallest one
  return v * cosine + glm::cross(axis, v) + axis * (glm::dot(axis, v) / (1.0 + cosine));
}

// The normals of one mesh's targets that bring none.
class MovedNormals {
 public:
  explicit MovedNormals(const Mesh& mesh)
      : mesh_(mesh), group_(smoothGroups(mesh)), moved_(mesh.positions),
        sums_(mesh.positions.size(), dvec3(0.0)) {
    trianglesOf_ = gatherLists<std::uint32_t>(mesh.positions.size(), [&](const auto& each) {
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        for (const std::uint32_t v : mesh.triangles[t])
          each(v, t);
    });
    membersOf_ = gatherLists<std::uint32_t>(mesh.positions.size(), [&](const auto& each) {
      for (std::uint32_t v = 0; v < group_.size(); ++v)
        each(group_[v], v);
    });
    for (const auto& [a, b, c] : mesh.triangles) {
      const dvec3 normal = faceNormal(mesh.positions[a], mesh.positions[b], mesh.positions[c]);
      for (const std::uint32_t v : {a, b, c})
        sums_[group_[v]] += normal;
    }
  }

  // Offsets of the normals, by vertex.
  std::map<std::uint32_t, vec3> of(const MorphOffsets& morph) {
    for (std::size_t i = 0; i < morph.vertices.size(); ++i)
      moved_[morph.vertices[i]] += morph.positions[i];
    std::map<std::uint32_t, dvec3> changes; // by group, the change of its sum
    for (const std::uint32_t t : trianglesAround(morph.vertices)) {
      const auto [a, b, c] = mesh_.triangles[t];
      const dvec3 change = faceNormal(moved_[a], moved_[b], moved_[c]) -
                           faceNormal(mesh_.positions[a], mesh_.positions[b], mesh_.positions[c]);
      for (const std::uint32_t v : {a, b, c})
        changes[group_[v]] += change;
    }
    for (const std::uint32_t v : morph.vertices)
      moved_[v] = mesh_.positions[v];
    std::map<std::uint32_t, vec3> out;
    for (const auto& [group, change] : changes)
      for (const std::uint32_t v : membersOf_.of(group))
        if (const vec3 offset = computeOffset(v, sums_[group], sums_[group] + change);
            glm::length(offset) > kNone)
          out[v] = offset;
    return out;
  }

 private:
  static constexpr float kNone = 1e-6f; // rounding

  std::vector<std::uint32_t> trianglesAround(const std::vector<std::uint32_t>& vertices) const {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t v : vertices)
      for (const std::uint32_t t : trianglesOf_.of(v))
        out.push_back(t);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  vec3 computeOffset(std::uint32_t v, const dvec3& before, const dvec3& after) const {
    const double lengthBefore = glm::length(before);
    const double lengthAfter = glm::length(after);
    if (!(lengthBefore > 0.0) || !(lengthAfter > 0.0)) return vec3(0.0f);
    const dvec3 normal(mesh_.normals[v]);
    return vec3(rotated(before / lengthBefore, after / lengthAfter, normal) - normal);
  }

  const Mesh& mesh_;
  std::vector<std::uint32_t> group_;
  std::vector<vec3> moved_;
  std::vector<dvec3> sums_; // per group, of the bind pose
  Lists<std::uint32_t> trianglesOf_;
  Lists<std::uint32_t> membersOf_;
};

void append(const MorphOffsets& from, std::uint32_t firstVertex, RigMorph& to) {
  for (std::size_t i = 0; i < from.vertices.size(); ++i) {
    to.vertices.push_back(firstVertex + from.vertices[i]);
    to.positions.push_back(from.positions[i]);
    to.normals.push_back(from.normals[i]);
  }
}

// With the normals of the moved surface, which also change beside the vertices that move.
MorphOffsets withNormals(const MorphOffsets& morph, const std::map<std::uint32_t, vec3>& normals) {
  std::map<std::uint32_t, std::pair<vec3, vec3>> all;
  for (std::size_t i = 0; i < morph.vertices.size(); ++i)
    all[morph.vertices[i]].first = morph.positions[i];
  for (const auto& [vertex, normal] : normals)
    all[vertex].second = normal;
  MorphOffsets out{morph.target, {}, {}, {}};
  for (const auto& [vertex, offsets] : all) {
    out.vertices.push_back(vertex);
    out.positions.push_back(offsets.first);
    out.normals.push_back(offsets.second);
  }
  return out;
}

} // namespace

void appendMorphs(const Model& model, Rig& rig) {
  rig.morphs.resize(model.morphTargets.size());
  for (std::size_t i = 0; i < model.meshes.size(); ++i) {
    const Mesh& mesh = model.meshes[i];
    std::optional<MovedNormals> moved;
    for (const MorphOffsets& morph : mesh.morphs) {
      RigMorph& out = rig.morphs[morph.target];
      if (!morph.normals.empty()) {
        append(morph, rig.meshes[i].firstVertex, out);
        continue;
      }
      if (!moved) moved.emplace(mesh);
      append(withNormals(morph, moved->of(morph)), rig.meshes[i].firstVertex, out);
    }
  }
}

} // namespace sinew
