// Exact normals against those of a surface that is known: a smooth one, and the posed triangles.
#include "core/test_effort.h"
#include "demo/demo.h"
#include "skinning/joint_test_support.h"

#include <doctest/doctest.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;
using glm::dvec3;

namespace {

// A tube along x from -1 to 1, radius 0.2, of two bones that meet at the origin, whose weights
// change smoothly. Its vertices are where `at` says, with exact normals.
struct Tube {
  Rig rig;

  static vec3 at(float x, float angle) {
    return {x, 0.2f * std::cos(angle), 0.2f * std::sin(angle)};
  }
  static float weightAt(float x) {
    const float t = std::clamp(0.5f + x / 1.2f, 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
  }
  void add(float x, float angle) {
    rig.positions.push_back(at(x, angle));
    rig.normals.emplace_back(0.0f, std::cos(angle), std::sin(angle));
    const float weight = weightAt(x);
    rig.influences.append({{Influence{0, 1.0f - weight}, Influence{1, weight}}});
  }

  explicit Tube(std::uint32_t rings, std::uint32_t segments) {
    rig.joints = {{0, kNoNode, glm::translate(mat4(1), vec3(1, 0, 0))}, {1, 0, mat4(1)}};
    const auto computeAngle = [&](std::uint32_t s) {
      return 6.2831853f * static_cast<float>(s) / static_cast<float>(segments);
    };
    const auto computeX = [&](std::uint32_t r) {
      return -1.0f + 2.0f * static_cast<float>(r) / static_cast<float>(rings - 1);
    };
    for (std::uint32_t r = 0; r < rings; ++r)
      for (std::uint32_t s = 0; s < segments; ++s)
        add(computeX(r), computeAngle(s));
    for (std::uint32_t r = 0; r + 1 < rings; ++r)
      for (std::uint32_t s = 0; s < segments; ++s) {
        const std::uint32_t a = r * segments + s;
        const std::uint32_t b = r * segments + (s + 1) % segments;
        rig.triangles.push_back({a, a + segments, b});
        rig.triangles.push_back({b, a + segments, b + segments});
      }
    // Further vertices on the surface itself, a little along it each way.
    constexpr float kStep = 4e-3f;
    for (std::uint32_t r = 0; r < rings; ++r)
      for (std::uint32_t s = 0; s < segments; ++s) {
        add(computeX(r) + kStep, computeAngle(s));
        add(computeX(r) - kStep, computeAngle(s));
        add(computeX(r), computeAngle(s) + 5.0f * kStep);
        add(computeX(r), computeAngle(s) - 5.0f * kStep);
      }
    rig.meshes = {{0, static_cast<std::uint32_t>(rig.positions.size()), 0,
                   static_cast<std::uint32_t>(rig.triangles.size()), 0}};
    rig.texcoords.resize(rig.positions.size());
    rig.colors.resize(rig.positions.size(), vec4(1.0f));
  }
};

// Root mean square of the angle between a method's normals on a tube and the posed surface's own,
// in degrees.
double errorOnTube(const char* name, std::uint32_t rings, std::uint32_t segments, bool exact) {
  const Tube tube(rings, segments);
  const std::size_t count = std::size_t{rings} * segments;
  BindOptions options = test::exactly(name, 0.0f);
  if (!exact) options.parameters.back() = 0.0f;
  options.zones = {{-1.0f, 1.0f}, {-0.6f, 0.6f}};
  const quat rotation = glm::angleAxis(1.2f, vec3(0, 0, 1)) * glm::angleAxis(0.9f, vec3(1, 0, 0));
  const SkinnedMesh mesh =
      test::skinned(findMethod(name), tube.rig,
                    {glm::translate(mat4(1), vec3(-1, 0, 0)), glm::mat4_cast(rotation)}, options);
  double squares = 0.0;
  for (std::size_t v = 0; v < count; ++v) {
    const auto along = [&](std::size_t i) {
      return dvec3(mesh.positions[count + 4 * v + i]) -
             dvec3(mesh.positions[count + 4 * v + i + 1]);
    };
    const double apart =
        test::degreesBetween(glm::cross(along(2), along(0)), dvec3(mesh.normals[v]));
    squares += apart * apart;
  }
  return std::sqrt(squares / static_cast<double>(count));
}

} // namespace

TEST_CASE("exact normals: those of a smooth surface with smooth weights, the finer the nearer") {
  for (const char* name : test::kExactMethods) {
    CAPTURE(name);
    const double cheap = errorOnTube(name, 81, 64, false);
    const double coarse = errorOnTube(name, 21, 16, true);
    const double fine = errorOnTube(name, 81, 64, true);
    SINEW_FIGURE(std::string(name)
                 << ": cheap " << cheap << " degrees, exact " << fine << ", coarse " << coarse);
    CHECK(fine < 0.15);
    CHECK(fine < 0.25 * coarse);
    CHECK(cheap > 20.0 * fine);
  }
}

TEST_CASE("exact normals: nearer than cheap ones to those of the posed triangles") {
  const Model model = findDemo("body-arm").make();
  Rig rig = buildRig(model);
  const auto areaNormals = [&](const std::vector<vec3>& positions) {
    std::vector<vec3> out(positions.size(), vec3(0.0f));
    for (const auto& [a, b, c] : rig.triangles) {
      const vec3 normal = glm::cross(positions[b] - positions[a], positions[c] - positions[a]);
      for (const std::uint32_t v : {a, b, c})
        out[v] += normal;
    }
    for (vec3& normal : out)
      normal = glm::normalize(normal);
    return out;
  };
  rig.normals = areaNormals(rig.positions);
  const auto nodes = modelFromNodes(model.hierarchy, test::turnedPose(model, 8, 0.6f));
  for (const char* name : test::kExactMethods) {
    CAPTURE(name);
    const auto rms = [&](bool exact) {
      BindOptions options = test::exactly(name, 0.0f);
      if (!exact) options.parameters.back() = 0.0f;
      const SkinnedMesh mesh = test::skinned(findMethod(name), rig, nodes, options);
      const std::vector<vec3> wanted = areaNormals(mesh.positions);
      double squares = 0.0;
      for (std::size_t v = 0; v < wanted.size(); ++v) {
        const double apart = test::degreesBetween(dvec3(wanted[v]), dvec3(mesh.normals[v]));
        squares += apart * apart;
      }
      return std::sqrt(squares / static_cast<double>(wanted.size()));
    };
    const double exact = rms(true);
    const double cheap = rms(false);
    SINEW_FIGURE(std::string(name) << ": from the triangles' normals exact ones " << exact
                                   << " degrees, cheap ones " << cheap);
    CHECK(exact < 0.5 * cheap);
  }
}
