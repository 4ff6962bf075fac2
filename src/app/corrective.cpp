#include "app/corrective.h"

#include "core/error.h"
#include "skinning/inverse_skinning.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

constexpr float kLeastOffset = 1e-5f; // share of the size; less is rounding of the sculpt
constexpr float kTurned = 0.0174533f; // radians
constexpr float kSamePose = 1e-3f;    // radians

void checkName(const Model& model, const std::string& name) {
  const auto same = [&](const MorphTarget& target) { return target.name == name; };
  if (name.empty()) throw usageError("a corrective shape needs a name");
  if (std::any_of(model.morphTargets.begin(), model.morphTargets.end(), same))
    throw usageError(fmt::format("the model has a morph target '{}'", name),
                     "give the shape another --name");
}

std::vector<std::uint32_t> listVertices(const Rig& rig, const CorrectiveShape& shape) {
  std::vector<std::uint32_t> out;
  for (const ShapeOffsets& offsets : shape.meshes)
    for (const std::uint32_t v : offsets.vertices)
      out.push_back(rig.meshes[offsets.mesh].firstVertex + v);
  return out;
}

CorrectiveReport makeReport(const CorrectiveShape& shape, const InverseSkinning& inverse) {
  CorrectiveReport report;
  for (const ShapeOffsets& offsets : shape.meshes)
    for (const vec3& offset : offsets.positions) {
      ++report.vertices;
      report.largestOffset = std::max(report.largestOffset, glm::length(offset));
    }
  report.largestError = inverse.largestError;
  report.missed = inverse.missed;
  return report;
}

InverseSkinning makeInverseSkinning(const Workbench& workbench, std::size_t method,
                                    std::span<const vec3> places) {
  const BoundMethod& bound = workbench.bound[method];
  const MorphWeights weights = workbench.rig.morphs.empty()
                                   ? MorphWeights{}
                                   : getMorphWeights(workbench.model, workbench.pose);
  return invertSkinning(*bound.method, workbench.rig, bound.binding, bound.palette, weights,
                        places);
}

CorrectiveShape* findShape(DriverSet& set, const std::string& name) {
  const auto found = std::ranges::find(set.shapes, name, &CorrectiveShape::name);
  return found != set.shapes.end() ? &*found : nullptr;
}

bool readsExactly(const RbfDriver& rbf, const std::vector<std::string>& joints) {
  const auto same = [](const DriverInput& input, const std::string& joint) {
    return input.joint == joint && input.part == RotationPart::whole;
  };
  return std::ranges::equal(rbf.inputs, joints, same);
}

// The driver of corrective shapes with these inputs, or a new one.
PoseDriver& driverFor(DriverSet& set, const std::vector<std::string>& joints) {
  for (PoseDriver& driver : set.drivers)
    if (const auto* rbf = std::get_if<RbfDriver>(&driver.kind))
      if (driver.joints.empty() && readsExactly(*rbf, joints)) return driver;
  RbfDriver rbf;
  for (const std::string& joint : joints)
    rbf.inputs.push_back({joint});
  // The thin plate comes nearest of the three between shapes of a bending elbow (docs/drivers.md).
  rbf.shape.falloff = Falloff::thinPlate;
  set.drivers.push_back({fmt::format("{}", fmt::join(joints, ", ")), true, {}, {}, std::move(rbf)});
  return set.drivers.back();
}

} // namespace

CorrectiveShape makeCorrectiveShape(const Rig& rig, const std::string& name,
                                    std::span<const vec3> offsets, float least) {
  CorrectiveShape shape{name, {}};
  for (std::uint32_t m = 0; m < rig.meshes.size(); ++m) {
    const RigMesh& mesh = rig.meshes[m];
    ShapeOffsets out{m, mesh.vertexCount, {}, {}};
    for (std::uint32_t v = 0; v < mesh.vertexCount; ++v) {
      const vec3& offset = offsets[mesh.firstVertex + v];
      if (glm::length(offset) <= least) continue;
      out.vertices.push_back(v);
      out.positions.push_back(offset);
    }
    if (!out.vertices.empty()) shape.meshes.push_back(std::move(out));
  }
  return shape;
}

std::vector<std::string> turnedJoints(const Workbench& workbench,
                                      std::span<const std::uint32_t> vertices) {
  const Hierarchy& hierarchy = workbench.model.hierarchy;
  std::vector<bool> weighs(hierarchy.nodes.size(), false);
  for (const std::uint32_t v : vertices)
    for (const Influence& influence : workbench.rig.influences.of(v))
      if (influence.weight > 0.05f) weighs[workbench.rig.joints[influence.joint].node] = true;
  std::vector<std::string> names;
  for (std::uint32_t node = 0; node < hierarchy.nodes.size(); ++node) {
    const quat& rest = hierarchy.nodes[node].rest.rotation;
    if (weighs[node] && angleBetween(rest, workbench.pose.parentFromNode[node].rotation) > kTurned)
      names.push_back(hierarchy.nodes[node].name);
  }
  return names;
}

std::string correctiveHere(const Workbench& workbench, const DriverSet& set) {
  const auto isHere = [&](const RbfDriver& rbf, const DriverKey& key) {
    for (std::size_t i = 0; i < rbf.inputs.size(); ++i) {
      const auto node = findNode(workbench.model.hierarchy, rbf.inputs[i].joint);
      if (!node) return false;
      const quat& now = workbench.pose.parentFromNode[*node].rotation;
      if (angleBetween(now, key.rotations[i]) > kSamePose) return false;
    }
    return true;
  };
  const auto isShape = [&](const std::string& name) {
    return std::ranges::find(set.shapes, name, &CorrectiveShape::name) != set.shapes.end();
  };
  for (const PoseDriver& driver : set.drivers) {
    const auto* rbf = std::get_if<RbfDriver>(&driver.kind);
    if (rbf == nullptr || !driver.on || !driver.joints.empty()) continue;
    for (const DriverKey& key : rbf->keys)
      for (std::size_t i = 0; i < driver.morphs.size(); ++i)
        if (key.morphs[i] == 1.0f && isShape(driver.morphs[i]) && isHere(*rbf, key))
          return driver.morphs[i];
  }
  return {};
}

CorrectiveReport changeCorrective(const Workbench& workbench, std::span<const vec3> places,
                                  const std::string& shape, std::size_t method, DriverSet& set) {
  const InverseSkinning inverse = makeInverseSkinning(workbench, method, places);
  CorrectiveShape& changed = *findShape(set, shape);
  const Rig& rig = workbench.rig;
  std::vector<vec3> offsets = inverse.offsets;
  for (const ShapeOffsets& before : changed.meshes)
    for (std::size_t i = 0; i < before.vertices.size(); ++i)
      offsets[rig.meshes[before.mesh].firstVertex + before.vertices[i]] += before.positions[i];
  changed =
      makeCorrectiveShape(rig, shape, offsets, kLeastOffset * computeBounds(rig.positions).size());
  return makeReport(changed, inverse);
}

CorrectiveReport addCorrective(const Workbench& workbench, std::span<const vec3> places,
                               const CorrectiveOptions& options, DriverSet& set) {
  checkName(workbench.model, options.name);
  for (const std::string& joint : options.joints)
    findJoint(workbench.model, joint);
  const InverseSkinning inverse = makeInverseSkinning(workbench, options.method, places);
  const float size = computeBounds(workbench.rig.positions).size();
  CorrectiveShape shape =
      makeCorrectiveShape(workbench.rig, options.name, inverse.offsets, kLeastOffset * size);
  const std::vector<std::uint32_t> moved = listVertices(workbench.rig, shape);
  if (moved.empty())
    throw usageError("the sculpt is the pose itself: no vertex is moved",
                     "name the pose in which it was sculpted (--pose, or --clip and --time)");
  const std::vector<std::string> joints =
      options.joints.empty() ? turnedJoints(workbench, moved) : options.joints;
  if (joints.empty())
    throw usageError("no joint of the moved vertices is turned in this pose",
                     "name the joints whose rotation it corrects: --joints");

  CorrectiveReport report = makeReport(shape, inverse);
  set.shapes.push_back(std::move(shape));
  PoseDriver& driver = driverFor(set, joints);
  report.driver = driver.name;
  auto& rbf = std::get<RbfDriver>(driver.kind);
  DriverKey key = keyFromPose(workbench.model, driver, workbench.pose);
  key.name = options.name;
  key.morphs.push_back(1.0f);
  for (DriverKey& other : rbf.keys)
    other.morphs.push_back(0.0f);
  driver.morphs.push_back(options.name);
  rbf.keys.push_back(std::move(key));
  return report;
}

} // namespace sinew
