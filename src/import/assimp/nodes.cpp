#include "import/assimp/steps.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

class TreeReader {
 public:
  explicit TreeReader(RepairLog& repairs) : repairs_(repairs) {}

  std::uint32_t addMatrix(const std::string& name, std::uint32_t parent, const mat4& m) {
    const AppendedNode added = appendNode(tree.hierarchy, name, parent, m, repairs_);
    if (added.stretch) tree.stretchByNode[added.node] = *added.stretch;
    return added.node;
  }

  // Depth first with a stack of its own: a hostile file may nest deeper than the machine's.
  void read(const aiNode& root, std::uint32_t parent) {
    struct Open {
      const aiNode* node;
      const aiNode* listedBy;
      std::uint32_t above;
    };
    std::vector<Open> open{{&root, root.mParent, parent}};
    while (!open.empty()) {
      const auto [node, listedBy, listedUnder] = open.back();
      open.pop_back();
      const std::uint32_t above =
          node->mParent == listedBy ? listedUnder : statedParent(*node, listedUnder);
      const std::uint32_t index = addNode(*node, above);
      for (unsigned i = node->mNumChildren; i-- > 0;)
        if (node->mChildren[i] != nullptr) open.push_back({node->mChildren[i], node, index});
    }
  }

  NodeTree tree;

 private:
  // Assimp lists all bones of a Half-Life model side by side, and states the parent of each.
  std::uint32_t statedParent(const aiNode& node, std::uint32_t listedUnder) const {
    const auto found = tree.nodeBySource.find(node.mParent);
    return found == tree.nodeBySource.end() ? listedUnder : found->second;
  }

  std::uint32_t addNode(const aiNode& node, std::uint32_t parent) {
    const std::string name = toString(node.mName);
    const std::uint32_t index = addMatrix(name, parent, toMat4(node.mTransformation));
    tree.nodeBySource[&node] = index;
    tree.byName[name].push_back(index);
    return index;
  }

  RepairLog& repairs_;
};

constexpr float kMaxIntensity = 1e9f;

// The rotation after which what looks along -Z, with Y up, looks along a direction.
std::optional<quat> lookingAlong(const vec3& direction, const vec3& up) {
  const vec3 side = glm::cross(direction, up);
  const float length = glm::length(side);
  if (!(length > 1e-6f) || !std::isfinite(length)) return std::nullopt;
  const vec3 back = -glm::normalize(direction), right = side / length;
  return glm::normalize(glm::quat_cast(mat3(right, glm::cross(back, right), back)));
}

float usableOr(float value, float otherwise) {
  return value > 0.0f && value < 1e12f ? value : otherwise;
}

std::optional<SceneCamera> assimpCamera(const aiCamera& source) {
  if (source.mPosition.SquareLength() > 1e-12f) return std::nullopt;
  const auto rotation = lookingAlong(toVec3(source.mLookAt), toVec3(source.mUp));
  if (!rotation) return std::nullopt;
  SceneCamera out;
  out.name = toString(source.mName);
  out.nodeFromCamera = *rotation;
  const float aspect = usableOr(source.mAspect, 0.0f);
  if (aspect > 0.0f) out.aspect = aspect;
  const float width = aspect > 0.0f ? aspect : 1.0f;
  out.isOrthographic = source.mOrthographicWidth > 0.0f;
  if (out.isOrthographic) out.height = 2.0f * usableOr(source.mOrthographicWidth, 1.0f) / width;
  // All readers give the whole angle, though Assimp's header says half of it.
  const float angle = std::clamp(usableOr(source.mHorizontalFOV, 0.7f), 1e-3f, 3.1f);
  out.fieldOfView = 2.0f * std::atan(std::tan(0.5f * angle) / width);
  out.nearPlane = usableOr(source.mClipPlaneNear, 0.1f);
  if (const float far = usableOr(source.mClipPlaneFar, 0.0f); far > out.nearPlane)
    out.farPlane = far;
  return out;
}

std::optional<SceneLight> assimpLight(const aiLight& source) {
  SceneLight out;
  out.name = toString(source.mName);
  switch (source.mType) {
  case aiLightSource_POINT:
    out.kind = LightKind::point;
    break;
  case aiLightSource_DIRECTIONAL:
    out.kind = LightKind::directional;
    break;
  case aiLightSource_SPOT:
    out.kind = LightKind::spot;
    break;
  default:
    return std::nullopt;
  }
  if (out.kind != LightKind::point) {
    const vec3 direction = toVec3(source.mDirection);
    auto rotation = lookingAlong(direction, vec3(0.0f, 1.0f, 0.0f));
    if (!rotation) rotation = lookingAlong(direction, vec3(0.0f, 0.0f, 1.0f));
    if (!rotation) return std::nullopt;
    out.nodeFromLight = *rotation;
  }
  vec3 color(source.mColorDiffuse.r, source.mColorDiffuse.g, source.mColorDiffuse.b);
  for (int i = 0; i < 3; ++i)
    color[i] = std::isfinite(color[i]) ? std::clamp(color[i], 0.0f, kMaxIntensity) : 1.0f;
  out.intensity = std::max({color.x, color.y, color.z, 1.0f}); // brighter than white
  out.color = color / out.intensity;
  if (out.kind == LightKind::spot) { // angles of the whole cone
    out.outerAngle =
        std::clamp(0.5f * usableOr(source.mAngleOuterCone, 1.5f), 1e-3f, glm::half_pi<float>());
    out.innerAngle =
        std::clamp(0.5f * usableOr(source.mAngleInnerCone, 0.0f), 0.0f, out.outerAngle);
  }
  return out;
}

Node* nodeOfName(const aiString& name, NodeTree& tree) {
  const auto found = tree.byName.find(toString(name));
  return found == tree.byName.end() ? nullptr : &tree.hierarchy.nodes[found->second.front()];
}

} // namespace

NodeTree readNodes(const aiNode& root, const mat4& modelFromFile, RepairLog& repairs) {
  TreeReader reader(repairs);
  std::uint32_t parent = kNoNode;
  if (modelFromFile != mat4(1.0f))
    parent = appendNode(reader.tree.hierarchy, "Y up", kNoNode, decompose(modelFromFile), repairs);
  reader.read(root, parent);
  makeNamesUnique(reader.tree.hierarchy);
  return std::move(reader.tree);
}

void readSceneParts(const aiScene& scene, NodeTree& tree) {
  for (unsigned i = 0; i < scene.mNumCameras; ++i)
    if (Node* node = nodeOfName(scene.mCameras[i]->mName, tree); node != nullptr && !node->camera)
      node->camera = assimpCamera(*scene.mCameras[i]);
  for (unsigned i = 0; i < scene.mNumLights; ++i)
    if (Node* node = nodeOfName(scene.mLights[i]->mName, tree); node != nullptr && !node->light)
      node->light = assimpLight(*scene.mLights[i]);
}

} // namespace sinew
