#include "app/subdivision.h"

#include "app/workbench.h"
#include "core/error.h"
#include "metrics/curvature.h"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

struct JointSubdivision {
  std::string word;
  std::uint32_t node = 0;
  Subdivision kind = Subdivision::midpoints;
};

JointSubdivision readSubdivision(const Model& model, const std::string& word) {
  const std::size_t at = word.rfind('='); // a name may have one too
  const std::string kind = at == std::string::npos ? std::string() : word.substr(at + 1);
  for (const Subdivision each : {Subdivision::centroid, Subdivision::midpoints})
    if (kind == toString(each)) return {word, findJoint(model, word.substr(0, at)), each};
  throw usageError(fmt::format("--subdivide {}: expected JOINT=1:3 or JOINT=1:4", word));
}

// Connected to the joint in any skin. Throws usageError where there are none.
std::vector<std::uint32_t> trianglesFor(const Rig& rig, const JointSubdivision& asked) {
  std::vector<std::uint32_t> triangles;
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j) {
    if (rig.joints[j].node != asked.node) continue;
    const std::vector<std::uint32_t> more = trianglesOfJoint(rig, j);
    triangles.insert(triangles.end(), more.begin(), more.end());
  }
  if (triangles.empty())
    throw usageError(
        fmt::format("--subdivide {}: no triangle is connected to this joint", asked.word),
        "its skin may be too coarse for that: use --subdivide-bent, or name another joint");
  return triangles;
}

// How many of them, from the first on, are split together.
std::size_t countRun(std::span<const JointSubdivision> all) {
  std::size_t count = 1;
  while (count < all.size() && all[count].kind == all[0].kind &&
         std::ranges::find(all.first(count), all[count].node, &JointSubdivision::node) ==
             all.first(count).end())
    ++count;
  return count;
}

} // namespace

std::string_view toString(Subdivision kind) {
  return kind == Subdivision::centroid ? "1:3" : "1:4";
}

Model subdivideByWords(Model model, std::span<const std::string> words) {
  std::vector<JointSubdivision> all;
  for (const std::string& word : words)
    all.push_back(readSubdivision(model, word));
  for (std::span<const JointSubdivision> rest(all); !rest.empty();) {
    const auto run = rest.first(countRun(rest));
    const Rig rig = buildRig(model);
    std::vector<std::uint32_t> triangles;
    for (const JointSubdivision& asked : run) {
      const std::vector<std::uint32_t> more = trianglesFor(rig, asked);
      triangles.insert(triangles.end(), more.begin(), more.end());
    }
    model = subdivideTriangles(std::move(model), triangles, run[0].kind);
    rest = rest.subspan(run.size());
  }
  return model;
}

std::vector<std::uint32_t> bentTriangles(const Workbench& workbench, float degrees) {
  const Rig& rig = workbench.rig;
  return bentTriangles(rig.positions, skinOnCpu(workbench, workbench.bound.front()).positions,
                       rig.triangles, neighbourTriangles(rig.triangles, weldVertices(rig)),
                       glm::radians(degrees));
}

Model subdivideBent(const Workbench& workbench, float degrees) {
  const std::vector<std::uint32_t> bent = bentTriangles(workbench, degrees);
  if (bent.empty()) {
    Model model = workbench.model;
    model.warnings.push_back(fmt::format(
        "--subdivide-bent: this pose bends the skin nowhere by more than {:g} degrees", degrees));
    return model;
  }
  return subdivideTriangles(workbench.model, bent, Subdivision::midpoints);
}

std::size_t insertedVertexCount(const Model& model) {
  std::size_t count = 0;
  for (const Mesh& mesh : model.meshes)
    count += mesh.insertedVertices;
  return count;
}

} // namespace sinew
