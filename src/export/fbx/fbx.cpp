#include "export/fbx/fbx.h"

#include "animation/clip_keys.h"
#include "animation/pose.h"
#include "core/error.h"
#include "export/fbx/curves.h"
#include "export/fbx/layout.h"
#include "export/fbx/objects.h"
#include "export/fbx/scene.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::int32_t kVersion = 7400;

// The SDK derives the code at the end of a file from its id and its time. These three belong
// together; a file has no other time, so that equal models are equal files.
constexpr std::string_view
    kFileId("\x28\xb3\x2a\xeb\xb6\x24\xcc\xc2\xbf\xc8\xb0\x2a\xa9\x2b\xfc\xf1", 16);
constexpr std::string_view kFileTime = "1970-01-01 10:00:00:000";
constexpr std::string_view
    kFootId("\xfa\xbc\xab\x09\xd0\xc8\xd4\x66\xb1\x76\xfb\x83\x1c\xf7\x26\x7e", 16);
constexpr std::string_view
    kFootEnd("\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b", 16);

const char* creator() {
  return "sinew " SINEW_VERSION;
}

void writeHeader(std::string& file) {
  file.append("Kaydara FBX Binary  \0\x1a\0", 23);
  file.append(reinterpret_cast<const char*>(&kVersion), sizeof(kVersion));
  FbxRecord header("FBXHeaderExtension");
  header.add("FBXHeaderVersion", 1003);
  header.add("FBXVersion", kVersion);
  header.add("EncryptionType", 0);
  FbxRecord& time = header.add("CreationTimeStamp");
  time.add("Version", 1000);
  time.add("Year", 1970);
  for (const char* part : {"Month", "Day"})
    time.add(part, 1);
  time.add("Hour", 10);
  for (const char* part : {"Minute", "Second", "Millisecond"})
    time.add(part, 0);
  header.add("Creator", creator());
  FbxRecord& info = header.add("SceneInfo", std::string("GlobalInfo\0\1SceneInfo", 21), "UserData");
  info.add("Type", "UserData");
  info.add("Version", 100);
  FbxRecord& properties = info.add("Properties70");
  properties.addProperty("Original|ApplicationName", "KString", "", "", "sinew");
  properties.addProperty("Original|ApplicationVersion", "KString", "", "", SINEW_VERSION);
  properties.addProperty("LastSaved|ApplicationName", "KString", "", "", "sinew");
  header.write(file);
  FbxRecord id("FileId");
  id.push(FbxBytes{kFileId});
  id.write(file);
  FbxRecord created("CreationTime");
  created.push(kFileTime);
  created.write(file);
  FbxRecord by("Creator");
  by.push(creator());
  by.write(file);
}

struct FrameRate {
  double perSecond;
  std::int32_t mode; // FbxTime::EMode
};

// The rate at which programs show frames; keys lie where they are at any rate.
FrameRate chooseFrameRate(const Model& model) {
  constexpr std::array<FrameRate, 6> kModes = {
      {{24.0, 11}, {25.0, 10}, {30.0, 6}, {50.0, 5}, {60.0, 3}, {120.0, 1}}};
  constexpr std::int32_t kCustom = 14;
  if (model.clips.empty()) return kModes[2];
  const double rate = std::round(1.0 / static_cast<double>(frameSeconds(model.clips.front())));
  for (const FrameRate& mode : kModes)
    if (mode.perSecond == rate) return mode;
  return rate >= 10.0 && rate <= 1000.0 ? FrameRate{rate, kCustom} : kModes[2];
}

void writeSettings(const Model& model, FbxUp up, std::int64_t stop, std::string& file) {
  FbxRecord settings("GlobalSettings");
  settings.add("Version", 1000);
  FbxRecord& properties = settings.add("Properties70");
  const bool zUp = up == FbxUp::z;
  const auto add = [&](const char* name, std::int32_t value) {
    properties.addProperty(name, "int", "Integer", "", value);
  };
  add("UpAxis", zUp ? 2 : 1);
  add("UpAxisSign", 1);
  add("FrontAxis", zUp ? 1 : 2);
  add("FrontAxisSign", zUp ? -1 : 1);
  add("CoordAxis", 0);
  add("CoordAxisSign", 1);
  add("OriginalUpAxis", -1);
  add("OriginalUpAxisSign", 1);
  // Centimetres. A model that does not state its unit keeps its numbers, as metres, which they are
  // in a .glb too.
  const double unit = model.metersPerUnit ? 1.0 : 100.0;
  properties.addProperty("UnitScaleFactor", "double", "Number", "", unit);
  properties.addProperty("OriginalUnitScaleFactor", "double", "Number", "", unit);
  properties.addProperty("AmbientColor", "ColorRGB", "Color", "", 0.0, 0.0, 0.0);
  properties.addProperty("DefaultCamera", "KString", "", "", "Producer Perspective");
  const FrameRate rate = chooseFrameRate(model);
  properties.addProperty("TimeMode", "enum", "", "", rate.mode);
  properties.addProperty("TimeSpanStart", "KTime", "Time", "", std::int64_t{0});
  properties.addProperty("TimeSpanStop", "KTime", "Time", "", stop);
  properties.addProperty("CustomFrameRate", "double", "Number", "", rate.perSecond);
  settings.write(file);
}

void writeDocuments(const std::string& activeStack, std::string& file) {
  FbxRecord documents("Documents");
  documents.add("Count", 1);
  constexpr std::int64_t kDocument = 1000;
  FbxRecord& document = documents.add("Document", kDocument, "", "Scene");
  FbxRecord& properties = document.add("Properties70");
  properties.addProperty("SourceObject", "object", "", "");
  properties.addProperty("ActiveAnimStackName", "KString", "", "", activeStack);
  document.add("RootNode", kFbxSceneRoot);
  documents.write(file);
  FbxRecord("References").write(file);
}

void writeTakes(const std::vector<FbxStackTime>& stacks, std::string& file) {
  FbxRecord takes("Takes");
  takes.add("Current", stacks.empty() ? std::string() : stacks.front().name);
  for (const FbxStackTime& stack : stacks) {
    FbxRecord& take = takes.add("Take", stack.name);
    take.add("FileName", stack.name + ".tak");
    take.add("LocalTime", std::int64_t{0}, stack.stop);
    take.add("ReferenceTime", std::int64_t{0}, stack.stop);
  }
  takes.write(file);
}

void writeFooter(std::string& file) {
  writeFbxEnd(file);
  file += kFootId;
  file.append(4, '\0');
  file.append(16 - file.size() % 16, '\0'); // to a multiple of 16, at least one
  file.append(reinterpret_cast<const char*>(&kVersion), sizeof(kVersion));
  file.append(120, '\0');
  file += kFootEnd;
}

class FbxWriter {
 public:
  FbxWriter(const Model& model, const FbxOptions& options)
      : model_(model), options_(options), layout_(fbxLayout(model)) {}

  FbxFile write() {
    addNodes();
    FbxMaterialObjects materials = addFbxMaterials(model_, options_.imageFolder, scene_);
    for (const FbxMeshGroup& group : layout_.groups)
      addGroup(group, materials.ids);
    addBindPose();
    const std::vector<FbxStackTime> stacks = addFbxClips(model_, ids_, channels_, scene_);
    std::int64_t stop = 0;
    for (const FbxStackTime& stack : stacks)
      stop = std::max(stop, stack.stop);
    FbxFile out;
    out.images = std::move(materials.images);
    writeHeader(out.bytes);
    writeSettings(model_, options_.up, stop, out.bytes);
    writeDocuments(stacks.empty() ? std::string() : stacks.front().name, out.bytes);
    scene_.write(out.bytes);
    writeTakes(stacks, out.bytes);
    writeFooter(out.bytes);
    return out;
  }

 private:
  static void addVector(FbxRecord& properties, const char* name, const glm::dvec3& v) {
    properties.addProperty(name, name, "", "A", v.x, v.y, v.z);
  }

  std::int64_t addModel(const std::string& name, const char* subtype, const Transform& rest,
                        const std::string& extras = {}) {
    const FbxNewObject object = scene_.add("Model", "Model", name, subtype);
    object.record->add("Version", 232);
    FbxRecord& properties = object.record->add("Properties70");
    properties.addProperty("RotationActive", "bool", "", "", 1);
    properties.addProperty("RotationOrder", "enum", "", "", 0); // x, then y, then z
    properties.addProperty("InheritType", "enum", "", "", 1);   // as matrices do
    properties.addProperty("DefaultAttributeIndex", "int", "Integer", "", 0);
    const glm::dquat rotation = glm::normalize(glm::dquat(rest.rotation));
    addVector(properties, "Lcl Translation", glm::dvec3(rest.translation));
    addVector(properties, "Lcl Rotation", fbxEulerAngles(rotation, glm::dvec3(0.0)));
    addVector(properties, "Lcl Scaling", glm::dvec3(rest.scale));
    addFbxUserProperties(extras, properties);
    object.record->add("Shading", true);
    object.record->add("Culling", "CullingOff");
    return object.id;
  }

  void addAttribute(std::int64_t model, const std::string& name, bool isJoint) {
    const FbxNewObject attribute =
        scene_.add("NodeAttribute", "NodeAttribute", name, isJoint ? "LimbNode" : "Null");
    if (isJoint)
      attribute.record->add("Properties70").addProperty("Size", "double", "Number", "", 1.0);
    attribute.record->add("TypeFlags", isJoint ? "Skeleton" : "Null");
    scene_.connect(attribute.id, model);
  }

  // Whether the model of a node is the camera or the light itself, which looks as the format wants.
  bool isFbxCamera(std::uint32_t n) const {
    const auto& camera = model_.hierarchy.nodes[n].camera;
    return layout_.roles[n] == FbxNodeRole::null && camera &&
           isSameRotation(camera->nodeFromCamera, fbxModelFromCamera());
  }
  bool isFbxLight(std::uint32_t n) const {
    const auto& light = model_.hierarchy.nodes[n].light;
    return layout_.roles[n] == FbxNodeRole::null && light && !isFbxCamera(n) &&
           isSameRotation(light->nodeFromLight, fbxModelFromLight());
  }
  static bool isSameRotation(const quat& a, const quat& b) {
    return std::abs(glm::dot(a, b)) > 1.0f - 1e-6f;
  }

  const char* getSubtype(std::uint32_t n) const {
    switch (layout_.roles[n]) {
    case FbxNodeRole::mesh:
      return "Mesh";
    case FbxNodeRole::joint:
      return "LimbNode";
    default:
      return isFbxCamera(n) ? "Camera" : isFbxLight(n) ? "Light" : "Null";
    }
  }

  // The model of a node's camera or light: the node's, or one below it.
  std::int64_t modelFor(std::uint32_t n, bool isNode, const char* subtype, const quat& turned) {
    if (isNode) return ids_[n];
    const std::string name =
        model_.hierarchy.nodes[n].name + (*subtype == 'C' ? " camera" : " light");
    const std::int64_t model = addModel(freeNodeName(model_.hierarchy, name), subtype,
                                        {vec3(0.0f), glm::normalize(turned), vec3(1.0f)});
    scene_.connect(model, ids_[n]);
    return model;
  }

  void addNodes() {
    for (std::uint32_t n = 0; n < model_.hierarchy.nodes.size(); ++n) {
      const Node& node = model_.hierarchy.nodes[n];
      const FbxNodeRole role = layout_.roles[n];
      ids_.push_back(kFbxSceneRoot);
      if (role == FbxNodeRole::none) continue;
      if (role != FbxNodeRole::sceneRoot) {
        ids_.back() = addModel(node.name, getSubtype(n), node.rest, node.extras);
        const bool isJoint = role == FbxNodeRole::joint;
        if (isJoint || getSubtype(n) == std::string_view("Null"))
          addAttribute(ids_.back(), node.name, isJoint);
        scene_.connect(ids_.back(), node.parent == kNoNode ? kFbxSceneRoot : ids_[node.parent]);
      }
      if (node.camera)
        addFbxCamera(*node.camera,
                     modelFor(n, isFbxCamera(n), "Camera",
                              node.camera->nodeFromCamera * glm::conjugate(fbxModelFromCamera())),
                     scene_);
      if (node.light)
        addFbxLight(*node.light,
                    modelFor(n, isFbxLight(n), "Light",
                             node.light->nodeFromLight * glm::conjugate(fbxModelFromLight())),
                    scene_);
    }
    modelFromNode_ = modelFromNodes(model_.hierarchy, restPose(model_.hierarchy));
  }

  void addGroup(const FbxMeshGroup& group, const std::vector<std::int64_t>& materials) {
    std::int64_t shown = ids_[group.node];
    if (!group.isNode) {
      const std::int64_t parent = group.skin ? kFbxSceneRoot : shown;
      const bool isNode = layout_.roles[group.node] == FbxNodeRole::none;
      shown = addModel(group.name, "Mesh", Transform(),
                       isNode ? model_.hierarchy.nodes[group.node].extras : std::string());
      scene_.connect(shown, parent);
    }
    if (group.skin) skinned_.push_back(shown);
    // Where a node mirrors its mesh, triangles are the right way round in the model, here in the
    // node.
    const bool flipped =
        !group.skin && glm::determinant(glm::mat3(modelFromNode_[group.node])) < 0.0f;
    addFbxGeometry(model_, layout_, group, shown, ids_, flipped, scene_, channels_);
    for (const std::uint32_t material : listGroupMaterials(group))
      if (material < materials.size()) scene_.connect(materials[material], shown);
  }

  void addBindPose() {
    if (skinned_.empty()) return;
    const FbxNewObject pose = scene_.add("Pose", "Pose", "BindPose", "BindPose");
    pose.record->add("Type", "BindPose");
    pose.record->add("Version", 100);
    std::vector<std::pair<std::int64_t, glm::dmat4>> places;
    for (const std::int64_t mesh : skinned_)
      places.emplace_back(mesh, glm::dmat4(1.0));
    for (std::size_t n = 0; n < ids_.size(); ++n)
      if (ids_[n] != kFbxSceneRoot) places.emplace_back(ids_[n], layout_.bind[n]);
    pose.record->add("NbPoseNodes", static_cast<std::int32_t>(places.size()));
    for (const auto& [model, place] : places) {
      FbxRecord& node = pose.record->add("PoseNode");
      node.add("Node", model);
      const std::vector<double> matrix = fbxNumbers(place);
      node.add("Matrix", std::span<const double>(matrix));
    }
  }

  const Model& model_;
  const FbxOptions& options_;
  FbxLayout layout_;
  FbxScene scene_;
  std::vector<std::int64_t> ids_; // per node: its FBX model; the scene's root where there is none
  std::vector<mat4> modelFromNode_;
  std::vector<std::int64_t> skinned_; // models of skinned meshes
  std::vector<FbxShapeChannel> channels_;
};

} // namespace

FbxFile toFbx(const Model& model, const FbxOptions& options) {
  if (model.hierarchy.nodes.empty()) throw usageError("a model without nodes cannot be written");
  const Model converted = modelInFbxSpace(model, options.up);
  return FbxWriter(converted, options).write();
}

std::vector<std::string> leftOutOfFbx(const Model& model) {
  std::vector<std::string> out;
  for (const FreeSpline& spline : model.splines)
    out.push_back(fmt::format("spline {}: FBX has no place for it", spline.name));
  for (std::uint32_t i = 0; i < model.morphTargets.size(); ++i)
    if (std::ranges::none_of(model.meshes, [&](const Mesh& mesh) {
          return std::ranges::find(mesh.morphs, i, &MorphOffsets::target) != mesh.morphs.end();
        }))
      out.push_back(fmt::format("morph target {}: it moves nothing", model.morphTargets[i].name));
  for (const Clip& clip : model.clips)
    if (!clip.twists.empty())
      out.push_back(fmt::format("clip {}: FBX has no place for twists of splines", clip.name));
  return out;
}

} // namespace sinew
