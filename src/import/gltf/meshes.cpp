#include "animation/pose.h"
#include "core/error.h"
#include "import/bind_space.h"
#include "import/gltf/accessor.h"
#include "import/gltf/primitive.h"
#include "import/gltf/steps.h"
#include "import/mesh_finish.h"
#include "import/polygon_mesh.h"
#include "import/repairs.h"
#include "import/skin_reader.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace sinew {
namespace {

// Approximate memory that each takes while it is read.
constexpr std::size_t kShownBytes = 512;
constexpr std::size_t kMorphTargetBytes = 256;
constexpr std::size_t kShownVertexBytes = 96;
constexpr std::size_t kShownCornerBytes = 16;

// A primitive that a node shows.
struct Shown {
  const GltfJson* primitive = nullptr;
  GltfMeshOrigin origin; // without vertices
  std::string name;
  std::uint32_t node = 0;
  std::optional<std::size_t> skin; // index into the file's skins
  std::uint32_t firstMorph = 0;
};

// A skin of the file on its way into the model.
struct SkinInWork {
  Skin skin;
  // Joints for parts without weights: nodes of meshes, after the skin's own joints.
  std::vector<std::uint32_t> extraNodes;
  std::vector<std::size_t> meshes; // indices into the meshes read
};

bool isMirror(const mat4& m) {
  return glm::determinant(glm::dmat3(m)) < 0.0;
}

class GltfMeshReader {
 public:
  GltfMeshReader(GltfDocument& document, const GltfNodes& nodes, const GltfMaterials& materials,
                 RepairLog& repairs, Model& model, GltfOrigin& origin)
      : document_(document), nodes_(nodes), materials_(materials), repairs_(repairs), model_(model),
        origin_(origin),
        modelFromNode_(modelFromNodes(nodes.hierarchy, restPose(nodes.hierarchy))) {}

  GltfMorphsOfNodes read() {
    model_.splines = readGltfSplines(document_, nodes_, model_);
    for (const std::size_t node : nodes_.order)
      if (memberIn(document_.item("nodes", node), "mesh") != nullptr) find(node);
    checkLimits();
    checkRepetitions();
    for (const Shown& shown : shown_)
      readOne(shown);
    for (auto& [index, inWork] : skins_)
      finishSkin(inWork);
    findFlatMaterials();
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      Mesh& mesh = meshes_[i];
      origins_[i].vertexByFileVertex = finishMesh(mesh, repairs_);
      if (!mesh.skin && isMirror(modelFromNode_[mesh.node])) flipTriangles(mesh);
      if (!mesh.triangles.empty()) origin_.meshes.push_back(std::move(origins_[i]));
      appendMesh(std::move(mesh), model_);
    }
    for (auto& [index, inWork] : skins_)
      model_.skins[modelSkin_.at(index)] = std::move(inWork.skin);
    dropUnboundSplines(model_);
    return std::move(morphs_);
  }

 private:
  void find(std::size_t node) {
    const GltfJson& source = document_.item("nodes", node);
    const std::size_t meshIndex = indexIn(source, "mesh").value();
    const GltfJson& mesh = document_.item("meshes", meshIndex);
    const auto skin = indexIn(source, "skin");
    // The node of a skinned mesh does not place it.
    if (skin && !skinned_.insert({meshIndex, *skin}).second) return;
    std::string name = textIn(mesh, "name");
    if (name.empty()) name = textIn(source, "name");
    if (name.empty()) name = fmt::format("mesh {}", meshIndex);
    const GltfJson& primitives = arrayIn(mesh, "primitives");
    const std::uint32_t firstMorph = addMorphTargets(node, source, mesh);
    const auto instances = nodes_.instancesByNode.find(node);
    const std::vector<std::uint32_t> places =
        instances != nodes_.instancesByNode.end()
            ? instances->second
            : std::vector<std::uint32_t>{nodes_.nodeByFileNode[node]};
    document_.budget().take(primitives.size() * places.size(), kShownBytes,
                            "meshes shown by nodes");
    for (const std::uint32_t place : places)
      for (std::size_t i = 0; i < primitives.size(); ++i)
        shown_.push_back({&primitives[i],
                          {static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(meshIndex),
                           static_cast<std::uint32_t>(i)},
                          primitives.size() > 1 ? fmt::format("{}-{}", name, i) : name,
                          place,
                          skin,
                          firstMorph});
  }

  // Returns the first of them.
  std::uint32_t addMorphTargets(std::size_t node, const GltfJson& source, const GltfJson& mesh) {
    std::size_t count = 0;
    for (const GltfJson& primitive : arrayIn(mesh, "primitives"))
      count = std::max(count, arrayIn(primitive, "targets").size());
    const auto first = static_cast<std::uint32_t>(model_.morphTargets.size());
    if (count == 0) return first;
    std::vector<float> weights = numbersIn(source, "weights", 0);
    if (weights.empty()) weights = numbersIn(mesh, "weights", 0);
    weights.resize(count, 0.0f);
    document_.budget().take(count, kMorphTargetBytes, "morph targets shown by nodes");
    const std::vector<std::string> names = targetNames(mesh);
    for (std::size_t t = 0; t < count; ++t) {
      if (!isUsable(weights[t])) {
        weights[t] = 0.0f;
        repairs_.add(Repair::morphWeightNotFinite);
      }
      const bool named = t < names.size() && !names[t].empty();
      origin_.morphTargets.push_back(
          {static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(t)});
      model_.morphTargets.push_back({named ? names[t] : fmt::format("target {}", t), weights[t]});
    }
    morphs_[node] = {first, static_cast<std::uint32_t>(count)};
    return first;
  }

  // What exporters write, although the format itself has no names.
  static std::vector<std::string> targetNames(const GltfJson& mesh) {
    std::vector<std::string> names;
    const GltfJson* extras = memberIn(mesh, "extras");
    if (extras == nullptr || !extras->is_object()) return names;
    const auto found = extras->find("targetNames");
    if (found == extras->end() || !found->is_array()) return names;
    for (const GltfJson& name : *found)
      names.push_back(name.is_string() ? name.get<std::string>() : std::string());
    return names;
  }

  void checkLimits() const {
    constexpr std::uint64_t kCornersPerVertex = 12; // closed meshes have 6 on average
    const std::uint64_t limit = document_.options().maxVertices;
    std::uint64_t vertices = 0;
    std::uint64_t corners = 0;
    for (const Shown& shown : shown_) {
      vertices += countVertices(document_, *shown.primitive);
      if (const auto indices = indexIn(*shown.primitive, "indices"))
        corners += accessorAt(document_, *indices).count;
      if (vertices > limit || corners > kCornersPerVertex * limit)
        throw Error(ErrorCause::limit,
                    fmt::format("{}: has {} vertices and {} corners of triangles, the limit is {} "
                                "vertices",
                                model_.path, vertices, corners, limit));
    }
  }

  // Vertices and corners are made for every primitive that is shown, though the file has them once.
  void checkRepetitions() {
    std::set<std::size_t> accessors;
    const auto take = [&](std::optional<std::size_t> accessor, std::size_t bytes,
                          const char* what) {
      if (accessor && !accessors.insert(*accessor).second)
        document_.budget().take(accessorAt(document_, *accessor).count, bytes, what);
    };
    for (const Shown& shown : shown_) {
      take(indexIn(objectIn(*shown.primitive, "attributes"), "POSITION"), kShownVertexBytes,
           "repeated vertices");
      take(indexIn(*shown.primitive, "indices"), kShownCornerBytes,
           "repeated corners of triangles");
    }
  }

  void readOne(const Shown& shown) {
    // The same primitive again repeats the first one's repairs.
    RepairLog unlisted;
    RepairLog& repairs = read_.insert(shown.primitive).second ? repairs_ : unlisted;
    GltfPrimitive primitive = readGltfPrimitive(document_, *shown.primitive, materials_, repairs);
    Mesh& mesh = primitive.mesh;
    dropBrokenTriangles(mesh, repairs);
    if (mesh.triangles.empty()) return;
    mesh.name = shown.name;
    mesh.node = shown.node;
    for (MorphOffsets& morph : mesh.morphs)
      morph.target += shown.firstMorph;
    if (shown.skin && primitive.influences.vertexCount() > 0)
      bind(*shown.skin, mesh, primitive.influences, repairs);
    if (mesh.skin) followSplines(primitive.splineInfluences, mesh, repairs);
    meshes_.push_back(std::move(mesh));
    origins_.push_back(shown.origin);
  }

  // What has no normals is to be drawn flat (glTF 2.0, 3.7.2.1). Where a material also covers
  // meshes that have some, all are smooth.
  void findFlatMaterials() {
    std::vector<bool> smooth(model_.materials.size(), false);
    for (const Mesh& mesh : meshes_)
      if (mesh.normals.empty())
        model_.materials[mesh.material].flat = true;
      else
        smooth[mesh.material] = true;
    for (std::size_t m = 0; m < smooth.size(); ++m)
      if (smooth[m]) model_.materials[m].flat = false;
  }

  SkinInWork& skinAt(std::size_t index) {
    const auto [place, isNew] = skins_.try_emplace(index);
    if (!isNew) return place->second;
    modelSkin_[index] = static_cast<std::uint32_t>(model_.skins.size());
    model_.skins.emplace_back();
    GltfSkinOrigin& origin = origin_.skins.emplace_back();
    const GltfJson& source = document_.item("skins", index);
    std::vector<float> matrices;
    if (const auto accessor = indexIn(source, "inverseBindMatrices"))
      matrices = readFloats(document_, *accessor, 16);
    const GltfJson& joints = arrayIn(source, "joints");
    if (!matrices.empty() && matrices.size() < 16 * joints.size())
      throw GltfError(fmt::format("skins[{}] has {} joints and {} matrices", index, joints.size(),
                                  matrices.size() / 16));
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const std::size_t joint = asIndex(joints[j], "joints");
      document_.item("nodes", joint); // exists
      const std::uint32_t node = nodes_.nodeByFileNode[joint];
      mat4 bind(1.0f); // what a skin without matrices means
      for (std::size_t i = 0; i < 16 && !matrices.empty(); ++i)
        bind[static_cast<int>(i / 4)][static_cast<int>(i % 4)] = matrices[16 * j + i];
      place->second.skin.joints.push_back({node, repaired(bind, node)});
    }
    origin = {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(joints.size())};
    return place->second;
  }

  mat4 repaired(mat4 bind, std::uint32_t node) {
    if (vec4(bind[0].w, bind[1].w, bind[2].w, bind[3].w) != vec4(0, 0, 0, 1)) {
      for (int c = 0; c < 4; ++c)
        bind[c].w = c == 3 ? 1.0f : 0.0f;
      repairs_.add(Repair::bindMatrixNotAffine);
    }
    if (!isSingular(bind)) return bind;
    repairs_.add(Repair::bindMatrixSingular);
    bind = glm::inverse(modelFromNode_[node]);
    return isFinite(bind) ? bind : mat4(1.0f);
  }

  void bind(std::size_t skinIndex, Mesh& mesh, const Influences& ofFile, RepairLog& repairs) {
    SkinInWork& inWork = skinAt(skinIndex);
    Influences tidy = tidied(ofFile, inWork.skin.joints.size(), repairs);
    if (tidy.values.empty()) return; // rigid
    const bool complete = std::ranges::adjacent_find(tidy.offsets) == tidy.offsets.end();
    mesh.influences = complete ? std::move(tidy) : completed(tidy, mesh, inWork, repairs);
    mesh.skin = modelSkin_.at(skinIndex);
    inWork.meshes.push_back(meshes_.size());
  }

  static Influences tidied(const Influences& ofFile, std::size_t joints, RepairLog& repairs) {
    Influences out;
    out.offsets.reserve(ofFile.offsets.size());
    out.values.reserve(ofFile.values.size());
    std::vector<Influence> vertex;
    for (std::size_t v = 0; v < ofFile.vertexCount(); ++v) {
      const auto source = ofFile.of(v);
      vertex.assign(source.begin(), source.end());
      repairs.add(Repair::influenceOutOfRange,
                  std::erase_if(vertex, [&](const Influence& i) { return i.joint >= joints; }));
      tidyInfluences(vertex, repairs);
      out.append(vertex);
    }
    return out;
  }

  // Adds influences for the vertices that have none.
  static Influences completed(const Influences& tidy, const Mesh& mesh, SkinInWork& inWork,
                              RepairLog& repairs) {
    const std::size_t joints = inWork.skin.joints.size();
    const auto fallback = [&] {
      std::vector<std::uint32_t>& extra = inWork.extraNodes;
      const auto known = std::find(extra.begin(), extra.end(), mesh.node);
      const auto index = static_cast<std::size_t>(known - extra.begin());
      if (known == extra.end()) extra.push_back(mesh.node);
      return static_cast<std::uint32_t>(joints + index);
    };
    std::vector<std::vector<Influence>> vertices;
    for (std::size_t v = 0; v < tidy.vertexCount(); ++v)
      vertices.emplace_back(tidy.of(v).begin(), tidy.of(v).end());
    bindUnweighted(mesh, vertices, fallback, repairs);
    Influences out;
    for (const std::vector<Influence>& vertex : vertices)
      out.append(vertex);
    return out;
  }

  // Weights of free splines need not sum to 1: only more than that is scaled.
  void followSplines(const Influences& ofFile, Mesh& mesh, RepairLog& repairs) {
    RepairLog unlisted; // that they sum to 1 is no repair
    if (model_.splines.empty()) return;
    std::vector<Influence> vertex;
    for (std::size_t v = 0; v < ofFile.vertexCount(); ++v) {
      const auto source = ofFile.of(v);
      vertex.assign(source.begin(), source.end());
      repairs.add(Repair::influenceOutOfRange, std::erase_if(vertex, [&](const Influence& i) {
                    return i.joint >= model_.splines.size();
                  }));
      float sum = 0.0f;
      for (const Influence& influence : vertex)
        sum += influence.weight;
      tidyInfluences(vertex, unlisted);
      for (Influence& influence : vertex)
        influence.weight *= std::min(sum, 1.0f);
      mesh.splineInfluences.append(vertex);
    }
  }

  // Moves each spline once, by the matrix of the first skin that binds it.
  void moveSplines(const Skin& skin, const mat4& matrix) {
    for (std::size_t s = 0; s < model_.splines.size(); ++s) {
      const std::uint32_t node = model_.splines[s].nodes[0];
      if (std::ranges::find(skin.joints, node, &SkinJoint::node) == skin.joints.end() ||
          !movedSplines_.insert(s).second)
        continue;
      for (vec3& point : model_.splines[s].points)
        point = transformPoint(matrix, point);
    }
  }

  // Bind space becomes model space, the same for all meshes of the skin.
  void finishSkin(SkinInWork& inWork) {
    if (inWork.meshes.empty()) return;
    std::size_t largest = inWork.meshes.front();
    for (const std::size_t i : inWork.meshes)
      if (computeBounds(meshes_[i].positions).size() >
          computeBounds(meshes_[largest].positions).size())
        largest = i;
    const mat4 matrix =
        modelFromBind(modelFromNode_, SourceKind::gltf, meshes_[largest], inWork.skin);
    mat4 bindFromModel(1.0f);
    if (canMoveBind(matrix)) {
      bindFromModel = glm::inverse(matrix);
      moveBind(matrix, inWork.skin);
      moveSplines(inWork.skin, matrix);
      for (const std::size_t i : inWork.meshes) {
        moveBind(matrix, meshes_[i]);
        origins_[i].modelFromFile = matrix;
        if (isMirror(matrix)) flipTriangles(meshes_[i]);
      }
    }
    for (const std::uint32_t node : inWork.extraNodes)
      inWork.skin.joints.push_back({node, bindFromModel});
  }

  GltfDocument& document_;
  const GltfNodes& nodes_;
  const GltfMaterials& materials_;
  RepairLog& repairs_;
  Model& model_;
  GltfOrigin& origin_;
  std::vector<mat4> modelFromNode_; // at rest
  std::vector<Shown> shown_;
  std::set<std::pair<std::size_t, std::size_t>> skinned_; // mesh and skin
  std::set<const GltfJson*> read_;
  std::map<std::size_t, SkinInWork> skins_;        // by index in the file
  std::map<std::size_t, std::uint32_t> modelSkin_; // by index in the file: index in the model
  std::vector<Mesh> meshes_;
  std::vector<GltfMeshOrigin> origins_; // one per mesh in meshes_
  std::set<std::size_t> movedSplines_;  // to the model's bind space
  GltfMorphsOfNodes morphs_;
};

} // namespace

GltfMorphsOfNodes readGltfMeshes(GltfDocument& document, const GltfNodes& nodes,
                                 const GltfMaterials& materials, RepairLog& repairs, Model& model,
                                 GltfOrigin& origin) {
  return GltfMeshReader(document, nodes, materials, repairs, model, origin).read();
}

} // namespace sinew
