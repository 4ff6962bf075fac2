#include "animation/pose.h"
#include "core/error.h"
#include "import/bind_space.h"
#include "import/fbx/skins.h"
#include "import/fbx/steps.h"
#include "import/mesh_finish.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dmat4;
using glm::dvec3;
using glm::dvec4;

// Memory of a mesh while it is read: per byte of its geometry in the file, and per object at least.
constexpr std::uint64_t kGeometryCopies = 8;
constexpr std::uint64_t kFbxObjectBytes = 64;
constexpr std::size_t kMaxNamedMeshes = 8; // hidden meshes that are warned of by name

bool hasUsableInverse(const dmat4& m) {
  const double size = std::abs(glm::determinant(dmat3(m)));
  return size > 1e-30 && size < 1e30 && isFinite(mat4(m)) && isFinite(mat4(glm::inverse(m)));
}

class FbxMeshReader {
 public:
  FbxMeshReader(const FbxDocument& document, const FbxNodes& nodes, FbxMaterials& materials,
                RepairLog& repairs, Model& model)
      : document_(document), nodes_(nodes), materials_(materials), repairs_(repairs), model_(model),
        morphs_(document, model),
        modelFromNode_(modelFromNodes(nodes.hierarchy, restPose(nodes.hierarchy))) {}

  std::vector<FbxMorph> read() {
    checkRepetitions();
    checkLimits();
    readAll([](const FbxNode& node) { return node.visible; });
    showsHidden_ = model_.meshes.empty() && !hidden_.empty();
    if (showsHidden_) readAll([](const FbxNode& node) { return !node.visible; });
    nameMethod();
    warn();
    return morphs_.all();
  }

 private:
  template <class IsDrawn>
  void readAll(const IsDrawn& isDrawn) {
    hidden_.clear();
    for (const FbxNode& node : nodes_.nodes)
      for (const std::uint32_t geometry : document_.getChildren(node.object, "Geometry", "Mesh")) {
        if (isDrawn(node)) readOne(node, geometry);
        if (!node.visible) hidden_.push_back(document_.object(node.object).name);
      }
  }

  // The bytes of all that stands below a geometry: its skins with their weights, and its shapes.
  std::uint64_t bytesBelow(std::uint32_t geometry) const {
    std::uint64_t bytes = 0;
    std::set<std::uint32_t> seen{geometry};
    for (std::vector<std::uint32_t> open{geometry}; !open.empty();) {
      const std::uint32_t object = open.back();
      open.pop_back();
      bytes += kFbxObjectBytes + unpackedBytes(*document_.object(object).element);
      for (const FbxLink& link : document_.getChildren(object))
        if (document_.object(link.object).kind != "Model" && seen.insert(link.object).second)
          open.push_back(link.object);
    }
    return bytes;
  }

  // A geometry is copied for each node that shows it.
  void checkRepetitions() const {
    ImportBudget budget = document_.budget();
    std::map<std::uint32_t, std::uint64_t> bytes; // per geometry
    for (const FbxNode& node : nodes_.nodes)
      for (const std::uint32_t geometry : document_.getChildren(node.object, "Geometry", "Mesh")) {
        const auto [known, first] = bytes.try_emplace(geometry, 0);
        if (first) continue;
        if (known->second == 0) known->second = bytesBelow(geometry);
        budget.take(known->second, kGeometryCopies, "bytes of repeated geometries");
      }
  }

  void checkLimits() const {
    const std::uint64_t limit = document_.options().maxVertices;
    std::uint64_t vertices = 0;
    for (const FbxNode& node : nodes_.nodes)
      for (const std::uint32_t geometry : document_.getChildren(node.object, "Geometry", "Mesh"))
        vertices += countNumbers(findChild(*document_.object(geometry).element, "Vertices")) / 3;
    constexpr std::uint64_t kCornersPerVertex = 12; // closed meshes have 4 to 6 on average
    std::uint64_t corners = 0;
    for (const FbxNode& node : nodes_.nodes)
      for (const std::uint32_t geometry : document_.getChildren(node.object, "Geometry", "Mesh"))
        corners +=
            countNumbers(findChild(*document_.object(geometry).element, "PolygonVertexIndex"));
    if (vertices > limit || corners > kCornersPerVertex * limit)
      throw Error(ErrorCause::limit,
                  fmt::format("{}: has {} vertices and {} corners of polygons, the limit is {} "
                              "vertices",
                              model_.path, vertices, corners, limit));
  }

  void readOne(const FbxNode& node, std::uint32_t geometryObject) {
    // The same geometry again repeats the first one's repairs and warnings.
    const bool again = !read_.insert(geometryObject).second;
    RepairLog unlistedRepairs;
    std::vector<std::string> unlistedWarnings;
    RepairLog& repairs = again ? unlistedRepairs : repairs_;
    std::vector<std::string>& warnings = again ? unlistedWarnings : model_.warnings;

    const std::string& name = document_.object(node.object).name;
    const std::vector<FbxMaterialUse> uses = materials_.listUses(node.object);
    const PolygonMesh geometry =
        readFbxGeometry(*document_.object(geometryObject).element, name,
                        uses.empty() ? std::string() : uses.front().texcoordSet, repairs, warnings);
    FbxSkin skin = readFbxSkin(document_, nodes_, geometryObject, geometry.points.size(), repairs,
                               skinReport_);
    const bool skinned =
        std::any_of(skin.influences.begin(), skin.influences.end(),
                    [](const std::vector<Influence>& point) { return !point.empty(); });
    dmat4 bindFromGeometry = node.nodeFromGeometry;
    std::optional<std::uint32_t> modelSkin;
    if (skinned) {
      bindFromGeometry = computeBindSpace(node, geometry, skin);
      modelSkin = addSkin(node, bindFromGeometry, skin, repairs);
    }
    if (!hasUsableInverse(bindFromGeometry)) bindFromGeometry = dmat4(1.0);
    std::vector<MeshPart> parts = partsByMaterial(geometry, bindFromGeometry);
    for (MeshPart& part : parts) {
      part.mesh.name = name;
      part.mesh.node = node.node;
      part.mesh.skin = modelSkin;
      const std::uint32_t use = part.mesh.material;
      part.mesh.material = use < uses.size() ? uses[use].material : materials_.fallback();
      if (!showsNormalMap(model_, model_.materials[part.mesh.material])) part.mesh.tangents.clear();
      if (modelSkin)
        for (const std::uint32_t point : part.points)
          part.mesh.influences.append(skin.influences[point]);
      if (modelSkin && !skin.dualQuaternionShares.empty())
        for (const std::uint32_t point : part.points)
          part.mesh.dualQuaternionShares.push_back(skin.dualQuaternionShares[point]);
    }
    addMorphs(geometryObject, geometry.points.size(), bindFromGeometry, parts);
    const bool mirrored = glm::determinant(dmat3(bindFromGeometry)) < 0.0;
    for (MeshPart& part : parts)
      finish(node, mirrored, std::move(part.mesh), repairs);
  }

  // Model space at the moment the mesh was bound: by any bone it is the same, up to the writer's
  // precision. Where that has another size than the rest pose (the scene was scaled afterwards),
  // bind space is found as for other formats.
  dmat4 computeBindSpace(const FbxNode& node, const PolygonMesh& geometry,
                         const FbxSkin& skin) const {
    const dmat4 modelFromScene = sceneInModel();
    Mesh mesh;
    mesh.node = node.node;
    for (const dvec3& p : geometry.points)
      mesh.positions.emplace_back(p);
    Skin rest;
    for (const FbxCluster& cluster : skin.clusters)
      rest.joints.push_back({cluster.node, mat4(jointFromGeometry(node, cluster))});
    for (std::size_t i = 0; i < skin.clusters.size(); ++i) {
      const FbxCluster& cluster = skin.clusters[i];
      if (!cluster.sceneFromBone || !cluster.boneFromMesh) continue;
      const dmat4 bound =
          modelFromScene * *cluster.sceneFromBone * *cluster.boneFromMesh * node.nodeFromGeometry;
      const dmat4 atRest = dmat4(modelFromNode_[cluster.node]) * jointFromGeometry(node, cluster);
      const double ratio =
          std::abs(glm::determinant(dmat3(bound)) / glm::determinant(dmat3(atRest)));
      constexpr double kSameSize = 8.0; // in volume
      if (hasUsableInverse(bound) && ratio < kSameSize && ratio > 1.0 / kSameSize) return bound;
      break;
    }
    const dmat4 found(modelFromBind(modelFromNode_, SourceKind::fbx, mesh, rest));
    return hasUsableInverse(found) ? found : dmat4(1.0);
  }

  // The root of the file's scene stands second where its axes are not ours.
  dmat4 sceneInModel() const {
    const Hierarchy& hierarchy = nodes_.hierarchy;
    return hierarchy.nodes.size() > 1 && hierarchy.nodes[0].name == "Y up"
               ? dmat4(modelFromNode_[0])
               : dmat4(1.0);
  }

  dmat4 jointFromGeometry(const FbxNode& node, const FbxCluster& cluster) const {
    if (cluster.boneFromMesh) return *cluster.boneFromMesh * node.nodeFromGeometry;
    const dmat4 mesh = dmat4(modelFromNode_[node.node]);
    const dmat4 bone = cluster.sceneFromBone ? sceneInModel() * *cluster.sceneFromBone
                                             : dmat4(modelFromNode_[cluster.node]);
    return glm::inverse(bone) * mesh * node.nodeFromGeometry;
  }

  std::uint32_t addSkin(const FbxNode& node, const dmat4& bindFromGeometry, FbxSkin& skin,
                        RepairLog& repairs) {
    const dmat4 geometryFromBind = glm::inverse(bindFromGeometry);
    Skin out;
    for (const FbxCluster& cluster : skin.clusters)
      out.joints.push_back(
          {cluster.node, mat4(jointFromGeometry(node, cluster) * geometryFromBind)});
    const auto ofMesh = static_cast<std::uint32_t>(out.joints.size());
    std::size_t following = 0;
    bool used = false;
    for (std::vector<Influence>& point : skin.influences) {
      if (point.empty()) {
        point.push_back({ofMesh, 1.0f});
        ++following;
      }
      used = used || std::ranges::find(point, ofMesh, &Influence::joint) != point.end();
    }
    if (used) out.joints.push_back({node.node, mat4(node.nodeFromGeometry * geometryFromBind)});
    repairs.add(Repair::componentWithoutWeights, following);
    model_.skins.push_back(std::move(out));
    return static_cast<std::uint32_t>(model_.skins.size() - 1);
  }

  void addMorphs(std::uint32_t geometry, std::size_t points, const dmat4& bindFromGeometry,
                 std::vector<MeshPart>& parts) {
    for (const FbxMorph& morph : morphs_.listMorphs(geometry))
      for (std::size_t i = 0; i < morph.shapes.size(); ++i) {
        const FbxShape shape = morphs_.shape(morph.shapes[i], points);
        std::vector<dvec3> offsets(points, dvec3(0.0));
        for (std::size_t k = 0; k < shape.points.size(); ++k)
          offsets[shape.points[k]] = dmat3(bindFromGeometry) * shape.offsets[k];
        for (MeshPart& part : parts)
          addMorph(morph.firstTarget + static_cast<std::uint32_t>(i), offsets, part);
      }
  }

  void finish(const FbxNode& node, bool mirrored, Mesh mesh, RepairLog& repairs) {
    if (mirrored) flipTriangles(mesh);
    dropBrokenTriangles(mesh, repairs);
    if (mesh.triangles.empty()) return;
    finishMesh(mesh, repairs);
    if (!mesh.skin && glm::determinant(glm::dmat3(modelFromNode_[node.node])) < 0.0)
      flipTriangles(mesh);
    appendMesh(std::move(mesh), model_);
  }

  // Shares say nothing where one method has all of the skin.
  void nameMethod() {
    float least = 1.0f;
    float largest = 0.0f;
    for (const Mesh& mesh : model_.meshes) {
      if (mesh.skin && mesh.dualQuaternionShares.empty()) least = 0.0f;
      for (const float share : mesh.dualQuaternionShares) {
        least = std::min(least, share);
        largest = std::max(largest, share);
      }
    }
    const bool mixed = least < 1.0f && largest > 0.0f;
    if (mixed)
      model_.skinnedBy = "per-joint";
    else if (largest > 0.0f)
      model_.skinnedBy = "dqs";
    else if (skinReport_.rigid > 0)
      model_.skinnedBy = "rigid";
    if (!mixed)
      for (Mesh& mesh : model_.meshes)
        mesh.dualQuaternionShares.clear();
  }

  void warn() {
    const auto line = [&](std::size_t count, const char* one, const char* many) {
      if (count > 0)
        model_.warnings.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
    };
    if (!hidden_.empty()) {
      const std::size_t count = hidden_.size();
      if (count > kMaxNamedMeshes) hidden_.resize(kMaxNamedMeshes);
      const std::string names =
          fmt::format("{}{}", fmt::join(hidden_, ", "), count > kMaxNamedMeshes ? ", ..." : "");
      model_.warnings.push_back(
          showsHidden_ ? fmt::format("all meshes are hidden: drawn all the same: {}", names)
                       : fmt::format("{} hidden mesh{} not drawn: {}", count,
                                     count == 1 ? " is" : "es are", names));
    }
    line(skinReport_.withoutBone, "bone of a skin is no node of the file: its weights are not used",
         "bones of skins are no nodes of the file: their weights are not used");
    line(
        skinReport_.additiveProduct,
        "point is moved by several additive bones: they are blended, not applied one after another",
        "points are moved by several additive bones: they are blended, not applied one after "
        "another");
    line(skinReport_.overfull, "point has additive weights above 1: they are normalised",
         "points have additive weights above 1: they are normalised");
    line(skinReport_.associated,
         "bone of a skin moves relative to another node (its associate model): read as relative to "
         "the mesh",
         "bones of skins move relative to other nodes (their associate models): read as relative "
         "to the mesh");
  }

  const FbxDocument& document_;
  const FbxNodes& nodes_;
  FbxMaterials& materials_;
  RepairLog& repairs_;
  Model& model_;
  FbxMorphReader morphs_;
  std::vector<mat4> modelFromNode_; // at rest
  std::set<std::uint32_t> read_;    // geometries
  FbxSkinReport skinReport_;
  std::vector<std::string> hidden_; // names of models
  bool showsHidden_ = false;        // where a file has no other meshes
};

} // namespace

std::vector<FbxMorph> readFbxMeshes(const FbxDocument& document, const FbxNodes& nodes,
                                    FbxMaterials& materials, RepairLog& repairs, Model& model) {
  return FbxMeshReader(document, nodes, materials, repairs, model).read();
}

} // namespace sinew
