#include "animation/pose.h"
#include "core/error.h"
#include "import/bind_space.h"
#include "import/collada/steps.h"
#include "import/mesh_finish.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <set>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dmat4;
using glm::dvec3;

constexpr std::uint64_t kCornerBytes = 256; // approximate memory per corner or point while reading

// A skin with the influences of all points of a geometry.
struct BoundPoints {
  std::uint32_t skin = 0; // index into the model's skins
  Influences influences;
  dmat4 bindFromGeometry{1.0};
};

bool isMirror(const dmat4& m) {
  return glm::determinant(dmat3(m)) < 0.0;
}

class ColladaMeshReader {
 public:
  ColladaMeshReader(ColladaDocument& document, ColladaNodes& nodes, ColladaMaterials& materials,
                    ColladaControllers& controllers, RepairLog& repairs, UnusedCounts& unused,
                    Model& model)
      : document_(document), nodes_(nodes), materials_(materials), controllers_(controllers),
        repairs_(repairs), unused_(unused), model_(model) {}

  void read() {
    for (const ColladaPlace& place : nodes_.places)
      for (const pugi::xml_node& child : place.element.children()) {
        const std::string_view name = child.name();
        if (name == "instance_geometry" || name == "instance_controller")
          readOne(child, place.node);
      }
  }

 private:
  void readOne(const pugi::xml_node& instance, std::uint32_t node) {
    const ColladaShape shape = controllers_.readShape(instance);
    if (!shape.geometry) {
      unused_.add("instance of a geometry that is not there",
                  "instances of geometries that are not there");
      return;
    }
    // A skin stands where its bones are, however often its node is shown.
    if (shape.skin && !instances_.insert(instance.internal_object()).second) return;
    // The same geometry again repeats the first one's repairs.
    const bool again = !read_.insert(shape.geometry.internal_object()).second;
    RepairLog unlistedRepairs;
    UnusedCounts unlistedParts;
    RepairLog& repairs = again ? unlistedRepairs : repairs_;
    const ColladaGeometry geometry =
        readColladaGeometry(document_, shape.geometry, materials_.bound(instance), repairs,
                            again ? unlistedParts : unused_);
    check(geometry, again);
    const std::optional<BoundPoints> bound =
        shape.skin ? bind(shape.skin, instance, geometry, node, repairs) : std::nullopt;
    const dmat4 bindFromGeometry = bound ? bound->bindFromGeometry : dmat4(1.0);
    std::vector<MeshPart> parts;
    for (const ColladaPart& part : geometry.parts)
      for (MeshPart& each : partsByMaterial(part.polygons, bindFromGeometry)) {
        for (std::uint32_t& point : each.points)
          point = part.points[point];
        each.mesh.name = colladaName(shape.geometry);
        if (each.mesh.name.empty()) each.mesh.name = nodes_.hierarchy.nodes[node].name;
        each.mesh.node = node;
        each.mesh.material = part.material;
        if (bound) {
          each.mesh.skin = bound->skin;
          for (const std::uint32_t point : each.points)
            each.mesh.influences.append(bound->influences.of(point));
        }
        parts.push_back(std::move(each));
      }
    for (const pugi::xml_node& morph : shape.morphs)
      addMorphs(morph, geometry.points, bindFromGeometry, parts);
    for (MeshPart& part : parts)
      finish(std::move(part.mesh), isMirror(bindFromGeometry), repairs);
  }

  void check(const ColladaGeometry& geometry, bool again) {
    constexpr std::uint64_t kCornersPerVertex = 12; // closed meshes have 4 to 6 on average
    const std::uint64_t limit = document_.options().maxVertices;
    const std::uint64_t corners = geometry.corners();
    vertices_ += geometry.points.size();
    corners_ += corners;
    if (vertices_ > limit || corners_ > kCornersPerVertex * limit)
      throw Error(ErrorCause::limit,
                  fmt::format("{}: has {} vertices and {} corners of polygons, the limit is {} "
                              "vertices",
                              model_.path, vertices_, corners_, limit));
    if (again)
      document_.budget().take(1 + corners + geometry.points.size(), kCornerBytes,
                              "corners of repeated geometries");
  }

  std::optional<BoundPoints> bind(const pugi::xml_node& skin, const pugi::xml_node& instance,
                                  const ColladaGeometry& geometry, std::uint32_t node,
                                  RepairLog& repairs) {
    const std::vector<NamedBone> bones =
        readColladaBones(document_, nodes_, skin, instance, repairs);
    Mesh points; // bones name these
    points.node = node;
    for (const dvec3& p : geometry.points)
      points.positions.emplace_back(p);
    for (const ColladaPart& part : geometry.parts)
      for (std::size_t i = 0; i < part.polygons.polygonCount(); ++i)
        for (std::uint32_t c = part.polygons.polygons[i] + 2; c < part.polygons.polygons[i + 1];
             ++c)
          points.triangles.push_back({part.points[part.polygons.corners[part.polygons.polygons[i]]],
                                      part.points[part.polygons.corners[c - 1]],
                                      part.points[part.polygons.corners[c]]});
    MeshSkin read = readSkin(bones, points, node, nodes_, repairs);
    if (read.skin.joints.empty()) return std::nullopt;
    BoundPoints out;
    const mat4 matrix = modelFromBind(modelFromNode(), SourceKind::collada, points, read.skin);
    if (canMoveBind(matrix)) {
      moveBind(matrix, read.skin);
      out.bindFromGeometry = dmat4(matrix);
    }
    out.skin = static_cast<std::uint32_t>(model_.skins.size());
    out.influences = std::move(read.influences);
    model_.skins.push_back(std::move(read.skin));
    return out;
  }

  void addMorphs(const pugi::xml_node& controller, const std::vector<dvec3>& points,
                 const dmat4& bindFromGeometry, std::vector<MeshPart>& parts) {
    const ColladaMorph& morph = controllers_.readMorph(controller);
    if (!morphs_.insert(controller.internal_object()).second)
      document_.budget().take((1 + points.size()) * morph.targets.size(), kCornerBytes,
                              "positions of repeated morph targets");
    for (std::uint32_t i = 0; i < morph.targets.size(); ++i) {
      std::vector<dvec3> offsets = controllers_.readOffsets(controller, i, points);
      if (offsets.empty()) continue;
      for (dvec3& offset : offsets)
        offset = dmat3(bindFromGeometry) * offset;
      for (MeshPart& part : parts)
        addMorph(morph.firstTarget + i, offsets, part);
    }
  }

  void finish(Mesh mesh, bool mirrored, RepairLog& repairs) {
    if (mirrored) flipTriangles(mesh);
    dropBrokenTriangles(mesh, repairs);
    if (mesh.triangles.empty()) return;
    finishMesh(mesh, repairs);
    if (!mesh.skin && isMirror(dmat4(modelFromNode()[mesh.node]))) flipTriangles(mesh);
    appendMesh(std::move(mesh), model_);
  }

  // At rest. Skins may add nodes.
  const std::vector<mat4>& modelFromNode() {
    if (modelFromNode_.size() != nodes_.hierarchy.nodes.size())
      modelFromNode_ = modelFromNodes(nodes_.hierarchy, restPose(nodes_.hierarchy));
    return modelFromNode_;
  }

  ColladaDocument& document_;
  ColladaNodes& nodes_;
  ColladaMaterials& materials_;
  ColladaControllers& controllers_;
  RepairLog& repairs_;
  UnusedCounts& unused_;
  Model& model_;
  std::vector<mat4> modelFromNode_;
  std::set<const void*> instances_, read_, morphs_; // elements
  std::uint64_t vertices_ = 0, corners_ = 0;
};

} // namespace

void readColladaMeshes(ColladaDocument& document, ColladaNodes& nodes, ColladaMaterials& materials,
                       ColladaControllers& controllers, RepairLog& repairs, UnusedCounts& unused,
                       Model& model) {
  ColladaMeshReader(document, nodes, materials, controllers, repairs, unused, model).read();
}

} // namespace sinew
