// A model from arrays: what researchers have of SMPL-like bodies.
#include "c/handles.h"
#include "core/error.h"
#include "model/check_model.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sinew {
namespace {

constexpr std::uint32_t kMaxVertices = 50'000'000; // same as ImportOptions

Error arrayError(std::string_view field, std::string_view what) {
  return inputError(field, what);
}

// Item i of an array with a stride.
template <class T>
T itemAt(const float* data, std::size_t stride, std::size_t i) {
  T value;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(data) + stride * i, sizeof(T));
  return value;
}

template <class T>
std::vector<T> copyArray(const float* data, std::size_t stride, std::size_t count,
                         std::string_view field) {
  if (stride == 0) stride = sizeof(T);
  if (stride < sizeof(T))
    throw arrayError(field, fmt::format("a stride of {} bytes is less than {}", stride, sizeof(T)));
  std::vector<T> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = itemAt<T>(data, stride, i);
    for (int c = 0; c < out[i].length(); ++c)
      if (!std::isfinite(out[i][c]))
        throw arrayError(field, fmt::format("item {} is not finite", i));
  }
  return out;
}

void requireArray(const void* data, std::uint32_t count, const char* field) {
  if (count > 0 && data == nullptr) throw arrayError(field, "a null pointer");
}

Hierarchy jointHierarchy(const sinew_arrays& in, Skin& skin) {
  Hierarchy out;
  out.nodes.push_back({"root", kNoNode, {}});
  std::vector<mat4> modelFromJoint;
  for (std::uint32_t j = 0; j < in.joints; ++j) {
    const std::uint32_t parent = in.parents[j];
    if (parent != SINEW_NONE && parent >= j)
      throw arrayError("parents",
                       fmt::format("joint {} has parent {}; parents come first", j, parent));
    mat4 inverse;
    std::memcpy(&inverse[0].x, in.inverse_bind + std::size_t{16} * j, sizeof(inverse));
    if (!isFinite(inverse))
      throw arrayError("inverse_bind", fmt::format("matrix {} is not finite", j));
    if (std::abs(inverse[0][3]) + std::abs(inverse[1][3]) + std::abs(inverse[2][3]) +
            std::abs(inverse[3][3] - 1.0f) >
        1e-4f)
      throw arrayError("inverse_bind",
                       fmt::format("matrix {}: its last row is not 0 0 0 1; matrices are stored "
                                   "column by column",
                                   j));
    if (std::abs(glm::determinant(glm::dmat3(inverse))) < 1e-30)
      throw arrayError("inverse_bind", fmt::format("matrix {} has no inverse", j));
    modelFromJoint.emplace_back(glm::inverse(glm::dmat4(inverse)));
    const glm::dmat4 above =
        parent == SINEW_NONE ? glm::dmat4(1.0) : glm::inverse(glm::dmat4(modelFromJoint[parent]));
    const std::string wanted = in.joint_names != nullptr && in.joint_names[j] != nullptr
                                   ? std::string(in.joint_names[j])
                                   : fmt::format("joint{}", j);
    out.nodes.push_back({freeNodeName(out, wanted), parent == SINEW_NONE ? 0 : parent + 1,
                         decompose(mat4(above * glm::dmat4(modelFromJoint.back())))});
    skin.joints.push_back({j + 1, inverse});
  }
  return out;
}

// Positive, the largest first, of sum 1, each joint once.
Influences influencesFrom(const sinew_arrays& in) {
  Influences out;
  std::vector<Influence> list;
  for (std::uint32_t v = 0; v < in.vertices; ++v) {
    list.clear();
    float sum = 0.0f;
    for (std::size_t i = std::size_t{v} * in.influences; i < std::size_t{v + 1} * in.influences;
         ++i) {
      const Influence each{in.influence_joints[i], in.influence_weights[i]};
      if (!std::isfinite(each.weight) || each.weight < 0.0f)
        throw arrayError("influence_weights",
                         fmt::format("vertex {} has a weight of {}", v, each.weight));
      if (each.weight == 0.0f) continue;
      if (each.joint >= in.joints)
        throw arrayError("influence_joints",
                         fmt::format("vertex {} names joint {} of {}", v, each.joint, in.joints));
      const auto same = std::ranges::find(list, each.joint, &Influence::joint);
      if (same == list.end())
        list.push_back(each);
      else
        same->weight += each.weight;
      sum += each.weight;
    }
    if (list.empty() || !std::isfinite(sum))
      throw arrayError("influence_weights", fmt::format("vertex {} has no weight above 0", v));
    for (Influence& each : list)
      each.weight /= sum;
    std::ranges::stable_sort(list, std::greater(), &Influence::weight);
    out.append(std::span<const Influence>(list));
  }
  return out;
}

std::vector<Triangle> trianglesFrom(const sinew_arrays& in) {
  std::vector<Triangle> out(in.triangles);
  for (std::uint32_t t = 0; t < in.triangles; ++t)
    for (std::size_t c = 0; c < 3; ++c) {
      out[t][c] = in.indices[std::size_t{3} * t + c];
      if (out[t][c] >= in.vertices)
        throw arrayError(
            "indices", fmt::format("triangle {} names vertex {} of {}", t, out[t][c], in.vertices));
    }
  return out;
}

std::vector<vec3> normalsFrom(const sinew_arrays& in, const Mesh& mesh) {
  if (in.normals == nullptr) return computeNormals(mesh.positions, mesh.triangles);
  std::vector<vec3> out = copyArray<vec3>(in.normals, in.normal_stride, in.vertices, "normals");
  for (vec3& normal : out) {
    const float length = glm::length(normal);
    normal = length > 1e-20f ? normal / length : vec3(0.0f, 1.0f, 0.0f);
  }
  return out;
}

std::vector<vec4> tangentsFrom(const sinew_arrays& in) {
  if (in.tangents == nullptr) return {};
  std::vector<vec4> out = copyArray<vec4>(in.tangents, in.tangent_stride, in.vertices, "tangents");
  for (std::size_t v = 0; v < out.size(); ++v) {
    if (std::abs(out[v].w) != 1.0f)
      throw arrayError("tangents",
                       fmt::format("vertex {} has the side {}, not 1 or -1", v, out[v].w));
    const float length = glm::length(vec3(out[v]));
    out[v] = vec4(length > 1e-20f ? vec3(out[v]) / length : vec3(0.0f), out[v].w);
  }
  return out;
}

Mesh meshFrom(const sinew_arrays& in) {
  if (in.vertices > kMaxVertices)
    throw Error(ErrorCause::limit,
                fmt::format("vertices: {} are more than {}", in.vertices, kMaxVertices));
  requireArray(in.positions, in.vertices, "positions");
  requireArray(in.indices, in.triangles, "indices");
  Mesh mesh;
  mesh.name = "mesh";
  mesh.positions = copyArray<vec3>(in.positions, in.position_stride, in.vertices, "positions");
  mesh.triangles = trianglesFrom(in);
  mesh.normals = normalsFrom(in, mesh);
  mesh.tangents = tangentsFrom(in);
  if (in.texcoords != nullptr)
    mesh.texcoords = copyArray<vec2>(in.texcoords, in.texcoord_stride, in.vertices, "texcoords");
  return mesh;
}

Model modelFrom(const sinew_arrays& in) {
  Model model;
  model.name = "arrays";
  model.format = "arrays";
  model.materials.emplace_back();
  requireArray(in.parents, in.joints, "parents");
  requireArray(in.inverse_bind, in.joints, "inverse_bind");
  Skin skin;
  model.hierarchy = jointHierarchy(in, skin);
  Mesh mesh = meshFrom(in);
  if (in.joints > 0 && in.vertices > 0) {
    if (in.influences == 0) throw arrayError("influences", "0 with joints");
    requireArray(in.influence_joints, in.influences, "influence_joints");
    requireArray(in.influence_weights, in.influences, "influence_weights");
    mesh.influences = influencesFrom(in);
    mesh.skin = 0;
    model.skins.push_back(std::move(skin));
  }
  if (in.vertices > 0) model.meshes.push_back(std::move(mesh));
  if (const std::string problem = modelProblem(model); !problem.empty())
    throw inputError("arrays", problem);
  return model;
}

} // namespace
} // namespace sinew

extern "C" sinew_model* sinew_from_arrays(const sinew_arrays* arrays) {
  return sinew::guardedHandle([&] {
    sinew::requirePointer(arrays, "arrays");
    return sinew::makeModelHandle(sinew::modelFrom(*arrays));
  });
}
