#include "animation/pose.h"
#include "core/error.h"
#include "import/bind_space.h"
#include "import/mesh_finish.h"
#include "import/x/geometry.h"
#include "import/x/steps.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <set>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dmat4;

constexpr std::size_t kXNumberBytes = 48; // approximate memory per number while it is read

struct XShown {
  std::uint32_t mesh = 0; // object
  std::uint32_t node = 0;
  std::string name;
};

// A skin with the influences of all points.
struct PointSkin {
  std::uint32_t skin = 0; // index into the model's skins
  Influences influences;
  dmat4 bindFromMesh{1.0};
};

class XModelMeshes {
 public:
  XModelMeshes(const XDocument& document, XFrames& frames, XMaterials& materials,
               RepairLog& repairs, UnusedCounts& unused, Model& model)
      : document_(document), frames_(frames), materials_(materials), repairs_(repairs),
        unused_(unused), model_(model) {}

  void read() {
    for (const XFrames::Place& place : frames_.places) {
      const std::vector<std::uint32_t> meshes = listMeshes(document_, place);
      for (const std::uint32_t mesh : meshes)
        shown_.push_back({mesh, place.node, chooseName(mesh, place, meshes.size() == 1)});
    }
    checkLimits();
    for (const XShown& shown : shown_)
      readOne(shown);
  }

 private:
  // What people named is the frame, unless it shows several meshes.
  std::string chooseName(std::uint32_t mesh, const XFrames::Place& place, bool alone) const {
    const std::string& own = document_.object(mesh).name;
    const std::string& frame = place.name;
    if (!frame.empty() && (alone || own.empty())) return frame;
    return own.empty() ? "mesh" : own;
  }

  std::size_t numbersBelow(std::uint32_t mesh) const {
    std::size_t numbers = 0;
    for (std::vector<std::uint32_t> open{mesh}; !open.empty();) {
      const XObject& object = document_.object(open.back());
      open.pop_back();
      numbers += 1 + object.numbers.size();
      open.insert(open.end(), object.children.begin(), object.children.end());
    }
    return numbers;
  }

  void checkLimits() const {
    constexpr std::uint64_t kCornersPerVertex = 12; // closed meshes have 4 to 6 on average
    const std::uint64_t limit = document_.options().maxVertices;
    ImportBudget budget = document_.budget();
    std::set<std::uint32_t> once;
    std::uint64_t vertices = 0;
    std::uint64_t corners = 0; // with the numbers of them, one for each face
    for (const XShown& shown : shown_) {
      XValues values(document_.object(shown.mesh));
      if (!once.insert(shown.mesh).second)
        budget.take(numbersBelow(shown.mesh), kXNumberBytes, "numbers of repeated meshes");
      const std::uint32_t count = values.count(3, "vertices");
      vertices += count;
      corners += values.left() - 3 * std::size_t{count};
      if (vertices > limit || corners > kCornersPerVertex * limit)
        throw Error(ErrorCause::limit,
                    fmt::format("{}: has {} vertices and up to {} corners of polygons, the limit "
                                "is {} vertices",
                                model_.path, vertices, corners, limit));
    }
  }

  void readOne(const XShown& shown) {
    const bool again = !read_.insert(shown.mesh).second;
    if (again && skinned_.contains(shown.mesh)) return;
    // The same mesh again repeats the first one's repairs and warnings.
    RepairLog unlistedRepairs;
    std::vector<std::string> unlistedWarnings;
    UnusedCounts unlistedParts;
    RepairLog& repairs = again ? unlistedRepairs : repairs_;
    const XMesh source = readXMesh(
        document_, shown.mesh,
        {repairs, again ? unlistedWarnings : model_.warnings, again ? unlistedParts : unused_});
    const std::optional<PointSkin> skin = bind(source, shown.node, repairs);
    if (skin) skinned_.insert(shown.mesh);
    const dmat4 bindFromMesh = skin ? skin->bindFromMesh : dmat4(1.0);
    for (MeshPart& part : partsByMaterial(source.polygons, bindFromMesh)) {
      Mesh& mesh = part.mesh;
      mesh.name = shown.name;
      mesh.node = shown.node;
      mesh.material = mesh.material < source.materials.size()
                          ? materials_.addMaterial(source.materials[mesh.material])
                          : materials_.fallback();
      if (skin) {
        mesh.skin = skin->skin;
        for (const std::uint32_t point : part.points)
          mesh.influences.append(skin->influences.of(point));
      }
      finish(std::move(mesh), repairs);
    }
  }

  std::optional<PointSkin> bind(const XMesh& source, std::uint32_t node, RepairLog& repairs) {
    if (source.bones.empty()) return std::nullopt;
    Mesh points; // bones name these
    points.node = node;
    for (const glm::dvec3& p : source.polygons.points)
      points.positions.emplace_back(p);
    const PolygonMesh& polygons = source.polygons;
    for (std::size_t i = 0; i < polygons.polygonCount(); ++i)
      for (std::uint32_t c = polygons.polygons[i] + 2; c < polygons.polygons[i + 1]; ++c)
        points.triangles.push_back(
            {polygons.corners[polygons.polygons[i]], polygons.corners[c - 1], polygons.corners[c]});
    MeshSkin skin = readSkin(source.bones, points, node, frames_, repairs);
    if (skin.skin.joints.empty()) return std::nullopt;
    PointSkin out;
    const mat4 matrix = modelFromBind(modelFromNode(), SourceKind::x, points, skin.skin);
    if (canMoveBind(matrix)) {
      moveBind(matrix, skin.skin);
      out.bindFromMesh = dmat4(matrix);
    }
    out.skin = static_cast<std::uint32_t>(model_.skins.size());
    out.influences = std::move(skin.influences);
    model_.skins.push_back(std::move(skin.skin));
    return out;
  }

  // Direct3D draws triangles that are clockwise on the screen, so a mirror turns the outside in,
  // and writers with mirrored frames wind the other way for that. Which way a rigid mesh winds is
  // therefore judged where it stands.
  void finish(Mesh mesh, RepairLog& repairs) {
    dropBrokenTriangles(mesh, repairs);
    if (mesh.triangles.empty()) return;
    const bool mirrored = !mesh.skin && glm::determinant(dmat3(modelFromNode()[mesh.node])) < 0.0;
    if (mirrored) flipTriangles(mesh);
    finishMesh(mesh, repairs);
    if (mirrored) flipTriangles(mesh);
    appendMesh(std::move(mesh), model_);
  }

  // At rest. Skins may add nodes.
  const std::vector<mat4>& modelFromNode() {
    if (modelFromNode_.size() != frames_.hierarchy.nodes.size())
      modelFromNode_ = modelFromNodes(frames_.hierarchy, restPose(frames_.hierarchy));
    return modelFromNode_;
  }

  const XDocument& document_;
  XFrames& frames_;
  XMaterials& materials_;
  RepairLog& repairs_;
  UnusedCounts& unused_;
  Model& model_;
  std::vector<mat4> modelFromNode_;
  std::vector<XShown> shown_;
  std::set<std::uint32_t> read_, skinned_; // objects
};

} // namespace

void readXMeshes(const XDocument& document, XFrames& frames, XMaterials& materials,
                 RepairLog& repairs, UnusedCounts& unused, Model& model) {
  XModelMeshes(document, frames, materials, repairs, unused, model).read();
}

} // namespace sinew
