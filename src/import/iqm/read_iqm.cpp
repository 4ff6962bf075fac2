#include "animation/pose.h"
#include "core/color.h"
#include "core/error.h"
#include "core/file.h"
#include "import/append_node.h"
#include "import/clip_repairs.h"
#include "import/import_budget.h"
#include "import/iqm/document.h"
#include "import/mesh_finish.h"
#include "import/readers.h"
#include "import/repairs.h"
#include "import/skin_reader.h"
#include "import/texture_reader.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {
namespace {

constexpr float kIqmFramesPerSecond = 25.0f; // where a file says none
constexpr std::uint32_t kInfluences = 4;

class IqmModelReader {
 public:
  IqmModelReader(const IqmDocument& document, const ImportOptions& options, Model& model)
      : document_(document), options_(options), model_(model), textures_(options, model) {}

  void read() {
    checkLimits();
    readNodes();
    readSkin();
    readMeshes();
    readClips();
    if (model_.materials.empty()) model_.materials.emplace_back();
    warn();
    makeNamesUnique(model_.hierarchy);
    model_.repairs = repairs_.lines();
  }

 private:
  // Counts all meshes together, as they may share vertices.
  void checkLimits() const {
    std::uint64_t vertices = 0;
    std::uint64_t triangles = 0;
    for (const IqmMesh& mesh : document_.meshes()) {
      vertices += mesh.vertices;
      triangles += mesh.triangles;
    }
    ImportBudget budget(model_.path, document_.fileBytes());
    constexpr std::uint64_t kRepeatedVertexBytes =
        128; // memory that one takes while it is read, approximately
    if (vertices > document_.vertexCount())
      budget.take(vertices - document_.vertexCount(), kRepeatedVertexBytes, "repeated vertices");
    if (triangles > document_.triangleCount())
      budget.take(triangles - document_.triangleCount(), sizeof(Triangle), "repeated triangles");
    std::uint64_t frames = 0;
    for (const IqmAnimation& animation : document_.animations())
      frames += animation.frames;
    constexpr std::uint64_t kPlaceBytes = 96;
    if (frames > document_.frameCount())
      budget.take(frames - document_.frameCount(), kPlaceBytes * document_.poses().size(),
                  "repeated frames");
    constexpr std::uint64_t kTrianglesPerVertex = 4; // closed meshes have 2 on average
    if (vertices > options_.maxVertices || triangles > kTrianglesPerVertex * options_.maxVertices)
      throw Error(ErrorCause::limit,
                  fmt::format("{}: has {} vertices and {} triangles, the limit is {} vertices",
                              model_.path, vertices, triangles, options_.maxVertices));
  }

  // One node above all joints, which also has the meshes without a skeleton. A file of animation
  // alone has no joints, but the parents of its poses.
  void readNodes() {
    appendNode(model_.hierarchy, "ROOT", kNoNode, Transform(), repairs_);
    for (const IqmJoint& joint : document_.joints())
      append(joint.name, joint.parent, joint.rest);
    if (!document_.joints().empty()) return;
    for (std::uint32_t i = 0; i < document_.poses().size(); ++i)
      append(fmt::format("pose {}", i), document_.poses()[i].parent,
             document_.frameCount() > 0 ? document_.readPoseTransform(i, 0) : Transform());
  }

  void append(const std::string& name, std::int32_t parent, Transform rest) {
    if (!isUsable(rest.translation) || !isUsable(rest.scale)) {
      rest = {};
      repairs_.add(Repair::nodeMatrix);
    }
    appendNode(model_.hierarchy, name, toNode(parent), rest, repairs_);
  }

  static std::uint32_t toNode(std::int32_t joint) {
    return joint < 0 ? 0 : static_cast<std::uint32_t>(joint) + 1;
  }

  // Meshes are bound to the joints' rest pose.
  void readSkin() {
    modelFromNode_ = modelFromNodes(model_.hierarchy, restPose(model_.hierarchy));
    for (std::uint32_t i = 0; i < document_.joints().size(); ++i) {
      mat4 bind = glm::inverse(modelFromNode_[i + 1]);
      if (isSingular(modelFromNode_[i + 1]) || !isFinite(bind)) {
        bind = mat4(1.0f);
        repairs_.add(Repair::bindMatrixSingular);
      }
      skin_.joints.push_back({i + 1, bind});
    }
  }

  void readMeshes() {
    const std::vector<float> positions = document_.array(IqmArray::position, 3, false);
    const std::vector<float> normals = document_.array(IqmArray::normal, 3, true);
    const std::vector<float> texcoords = document_.array(IqmArray::texcoord, 2, true);
    const std::vector<float> colors = document_.array(IqmArray::color, 4, true);
    joints_ = document_.array(IqmArray::joints, kInfluences, false);
    weights_ = document_.array(IqmArray::weights, kInfluences, true);
    for (const IqmMesh& source : document_.meshes()) {
      Mesh mesh;
      mesh.name = source.name.empty() ? "mesh" : source.name;
      mesh.material = addMaterial(source.material);
      for (std::uint32_t i = 0; i < source.vertices; ++i) {
        const std::size_t v = source.firstVertex + i;
        if (!positions.empty())
          mesh.positions.emplace_back(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
        if (!normals.empty())
          mesh.normals.emplace_back(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]);
        if (!texcoords.empty()) addTexcoord({texcoords[2 * v], texcoords[2 * v + 1]}, mesh);
        if (!colors.empty())
          mesh.colors.emplace_back(
              linearFromSrgb(vec3(colors[4 * v], colors[4 * v + 1], colors[4 * v + 2])),
              colors[4 * v + 3]);
      }
      addTriangles(source, mesh);
      dropBrokenTriangles(mesh, repairs_);
      if (mesh.triangles.empty()) continue;
      bind(source, mesh);
      finishMesh(mesh, repairs_);
      appendMesh(std::move(mesh), model_);
    }
    if (used_) model_.skins.push_back(std::move(skin_));
  }

  void addTexcoord(vec2 uv, Mesh& mesh) {
    if (!isUsable(uv.x) || !isUsable(uv.y)) {
      uv = vec2(0.0f);
      repairs_.add(Repair::texcoordNotFinite);
    }
    mesh.texcoords.push_back(uv);
  }

  // The file winds them clockwise.
  void addTriangles(const IqmMesh& source, Mesh& mesh) const {
    for (std::uint32_t i = 0; i < source.triangles; ++i) {
      const auto corner = [&](std::uint32_t c) {
        const std::uint32_t v = document_.corner(source.firstTriangle + i, c);
        return v < source.firstVertex ? ~0u : v - source.firstVertex; // ~0: does not exist
      };
      mesh.triangles.push_back({corner(0), corner(2), corner(1)});
    }
  }

  void bind(const IqmMesh& source, Mesh& mesh) {
    if (joints_.empty() || weights_.empty() || skin_.joints.empty()) return;
    std::vector<std::vector<Influence>> vertices(source.vertices);
    bool weighted = false;
    for (std::uint32_t i = 0; i < source.vertices; ++i) {
      for (std::uint32_t k = 0; k < kInfluences; ++k)
        addInfluence(kInfluences * (std::size_t{source.firstVertex} + i) + k, vertices[i]);
      tidyInfluences(vertices[i], repairs_);
      weighted = weighted || !vertices[i].empty();
    }
    if (!weighted) return;
    const auto root = [&] {
      skin_.joints.push_back({0, mat4(1.0f)});
      return static_cast<std::uint32_t>(skin_.joints.size() - 1);
    };
    bindUnweighted(mesh, vertices, root, repairs_);
    for (const std::vector<Influence>& vertex : vertices)
      mesh.influences.append(vertex);
    mesh.skin = 0;
    used_ = true;
  }

  void addInfluence(std::size_t at, std::vector<Influence>& vertex) {
    const float weight = weights_[at];
    if (!std::isfinite(weight))
      repairs_.add(Repair::weightNotFinite);
    else if (weight < 0.0f)
      repairs_.add(Repair::weightNotPositive);
    else if (weight > 0.0f && !(joints_[at] < static_cast<float>(document_.joints().size())))
      repairs_.add(Repair::influenceOutOfRange);
    else if (weight > 0.0f && joints_[at] >= 0.0f)
      vertex.push_back({static_cast<std::uint32_t>(joints_[at]), weight});
  }

  // A material is a name, by custom that of its image.
  std::uint32_t addMaterial(const std::string& name) {
    const auto [known, isNew] =
        materials_.try_emplace(name, static_cast<std::uint32_t>(model_.materials.size()));
    if (!isNew) return known->second;
    Material material;
    material.name = name;
    static constexpr std::string_view kImages[] = {".png", ".jpg", ".jpeg", ".tga",
                                                   ".dds", ".bmp", ".gif"};
    const std::string extension = getExtension(name);
    if (std::find(std::begin(kImages), std::end(kImages), extension) != std::end(kImages)) {
      material.texture = textures_.file(name);
      material.baseColor = vec4(1.0f);
      const Texture& image = model_.textures[*material.texture];
      if (image.found && hasCutout(image.image)) material.alphaMode = AlphaMode::mask;
    }
    model_.materials.push_back(std::move(material));
    return known->second;
  }

  void readClips() {
    for (const IqmAnimation& animation : document_.animations()) {
      if (animation.frames == 0) continue;
      const float rate = animation.framesPerSecond > 0.0f && isUsable(animation.framesPerSecond)
                             ? animation.framesPerSecond
                             : kIqmFramesPerSecond;
      Clip clip;
      clip.name = animation.name;
      const std::size_t nodes = model_.hierarchy.nodes.size() - 1;
      for (std::uint32_t i = 0; i < document_.poses().size() && i < nodes; ++i)
        clip.channels.push_back(makeChannel(animation, i, rate));
      clip.seconds = lastKey(clip);
      if (!clip.channels.empty()) model_.clips.push_back(std::move(clip));
    }
    nameClips(model_.clips);
  }

  // Every frame is a key; what repeats comes back to its first one. What stays has one key.
  Channel makeChannel(const IqmAnimation& animation, std::uint32_t pose, float rate) {
    constexpr std::uint32_t kTranslation = 0x007;
    constexpr std::uint32_t kRotation = 0x078;
    constexpr std::uint32_t kScale = 0x380;
    const std::uint32_t moving = document_.poses()[pose].mask;
    Channel channel;
    channel.node = pose + 1;
    const std::uint32_t again = animation.loops && animation.frames > 1 ? 1 : 0;
    const std::uint32_t keys = moving == 0 ? 1 : animation.frames + again;
    for (std::uint32_t i = 0; i < keys; ++i) {
      const Transform place =
          document_.readPoseTransform(pose, animation.firstFrame + i % animation.frames);
      if (!isUsable(place.translation) || !isUsable(place.scale)) {
        repairs_.add(Repair::keyNotFinite);
        continue;
      }
      const auto add = [&](std::uint32_t mask, const auto& value, auto& track) {
        if (i > 0 && (moving & mask) == 0) return;
        track.times.push_back(static_cast<float>(i) / rate);
        track.values.push_back(value);
      };
      add(kTranslation, place.translation, channel.translation);
      add(kRotation, place.rotation, channel.rotation);
      add(kScale, place.scale, channel.scale);
    }
    repairRotationKeys(channel.rotation, repairs_);
    repairScaleKeys(channel.scale, repairs_);
    return channel;
  }

  void warn() {
    UnusedCounts unused;
    unused.add("set of tangents", "sets of tangents", document_.hasTangents() ? 1 : 0);
    unused.add("vertex array of the exporter's own", "vertex arrays of the exporter's own",
               document_.otherArrays());
    unused.add("extension", "extensions", document_.extensions());
    const std::size_t joints = document_.joints().size();
    if (const std::size_t poses = document_.poses().size(); joints > 0 && poses > joints)
      unused.add("animated joint that the skeleton does not have",
                 "animated joints that the skeleton does not have", poses - joints);
    if (const std::string line = unused.line(); !line.empty())
      model_.warnings.push_back("not used: " + line);
  }

  const IqmDocument& document_;
  const ImportOptions& options_;
  Model& model_;
  TextureReader textures_;
  RepairLog repairs_;
  std::vector<mat4> modelFromNode_; // at rest
  std::vector<float> joints_, weights_;
  std::map<std::string, std::uint32_t> materials_;
  Skin skin_;
  bool used_ = false;
};

} // namespace

Model readIqm(const SourceFile& file, const ImportOptions& options) try {
  Model model = startModel(file);
  const IqmDocument document(readFile(file.path));
  IqmModelReader(document, options, model).read();
  return model;
} catch (const IqmError& error) {
  throw notUsable(file, error);
}

} // namespace sinew
