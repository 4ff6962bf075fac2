#include "import/x/geometry.h"

#include "core/color.h"
#include "import/x/frames.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

// Polygons as lists of indices: where each ends, and their indices one after another.
struct XFaces {
  std::vector<std::uint32_t> indices;
  std::vector<std::size_t> ends{0};

  std::size_t count() const { return ends.size() - 1; }
  std::size_t countCorners(std::size_t face) const { return ends[face + 1] - ends[face]; }
};

XFaces readFaces(XValues& values, std::string_view what) {
  XFaces out;
  const std::uint32_t count = values.count(1, what);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t corners = values.count(1, "corners of a polygon");
    for (std::uint32_t c = 0; c < corners; ++c)
      out.indices.push_back(values.index());
    out.ends.push_back(out.indices.size());
  }
  return out;
}

vec3 readVector(XValues& values) {
  const auto x = static_cast<float>(values.number());
  const auto y = static_cast<float>(values.number());
  return {x, y, static_cast<float>(values.number())};
}

// Lists that may be given twice: as a list of their own, or within vertex buffers.
struct XPerPoint {
  std::vector<vec3> normals;
  std::vector<vec2> texcoords;
  std::vector<vec4> colors;
};

class XMeshReader {
 public:
  XMeshReader(const XDocument& document, std::uint32_t mesh, XMeshReport report)
      : document_(document), index_(mesh), mesh_(document.object(mesh)), report_(report) {}

  XMesh read() {
    readPolygons();
    readNormals();
    readTexcoords();
    readColors();
    readDeclared();
    expand();
    readMaterials();
    for (const std::uint32_t bone : document_.inner(index_, "SkinWeights"))
      readBone(document_.object(bone));
    return std::move(out_);
  }

 private:
  // Numbers behind what the lists state have no meaning.
  void countRest(const XValues& values) {
    report_.unused.add("number beyond a list's end", "numbers beyond lists' ends", values.left());
  }

  void readPolygons() {
    XValues values(mesh_);
    const std::uint32_t points = values.count(3, "vertices");
    for (std::uint32_t i = 0; i < points; ++i)
      out_.polygons.points.emplace_back(rightHanded(readVector(values)));
    faces_ = readFaces(values, "faces");
    countRest(values);
    for (std::size_t face = 0; face < faces_.count(); ++face) {
      const auto first = faces_.indices.begin() + static_cast<long>(faces_.ends[face]);
      const auto last = faces_.indices.begin() + static_cast<long>(faces_.ends[face + 1]);
      if (std::any_of(first, last, [&](std::uint32_t point) { return point >= points; })) {
        report_.repairs.add(Repair::faceIndex);
        continue;
      }
      // Backwards: the mirror would turn it round.
      out_.polygons.corners.insert(out_.polygons.corners.end(), std::reverse_iterator(last),
                                   std::reverse_iterator(first));
      out_.polygons.polygons.push_back(static_cast<std::uint32_t>(out_.polygons.corners.size()));
      kept_.push_back(face);
    }
  }

  // Normals have faces of their own, corner by corner.
  void readNormals() {
    const std::vector<std::uint32_t> lists = findLists("MeshNormals", "set of normals");
    if (lists.empty()) return;
    XValues values(document_.object(lists.front()));
    std::vector<vec3> normals(values.count(3, "normals"));
    for (vec3& normal : normals)
      normal = rightHanded(readVector(values));
    const XFaces faces = readFaces(values, "faces of normals");
    countRest(values);
    if (faces.count() == 0 && normals.size() == out_.polygons.points.size()) {
      perPoint_.normals = std::move(normals);
      return;
    }
    bool fits = faces.count() == faces_.count();
    for (std::size_t face = 0; fits && face < faces.count(); ++face)
      fits = faces.countCorners(face) == faces_.countCorners(face);
    if (!fits) return warn("normals", "do not fit its faces");
    for (const std::size_t face : kept_)
      for (std::size_t c = faces.ends[face + 1]; c-- > faces.ends[face];) {
        const std::uint32_t normal = faces.indices[c];
        out_.polygons.normals.push_back(normal < normals.size() ? normals[normal] : vec3(0.0f));
      }
  }

  void readTexcoords() {
    const std::vector<std::uint32_t> lists =
        findLists("MeshTextureCoords", "set of texture coordinates");
    if (lists.empty()) return;
    XValues values(document_.object(lists.front()));
    std::vector<vec2> texcoords(values.count(2, "texture coordinates"));
    for (vec2& uv : texcoords) {
      uv.x = static_cast<float>(values.number());
      uv.y = static_cast<float>(values.number());
    }
    countRest(values);
    if (texcoords.size() != out_.polygons.points.size())
      return warn("texture coordinates", "are not as many as its vertices");
    perPoint_.texcoords = std::move(texcoords);
  }

  // By index: vertices that are not named stay white.
  void readColors() {
    const std::vector<std::uint32_t> lists = findLists("MeshVertexColors", "set of vertex colours");
    if (lists.empty()) return;
    XValues values(document_.object(lists.front()));
    const std::uint32_t count = values.count(5, "vertex colours");
    std::vector<vec4> colors(out_.polygons.points.size(), vec4(1.0f));
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t point = values.index();
      const vec3 rgb = readVector(values);
      const vec4 color(rgb, static_cast<float>(values.number()));
      if (point < colors.size())
        colors[point] = color;
      else
        report_.unused.add("vertex colour of a vertex that does not exist",
                           "vertex colours of vertices that do not exist");
    }
    countRest(values);
    if (count > 0) perPoint_.colors = std::move(colors);
  }

  void readDeclared() {
    for (const std::uint32_t list : document_.inner(index_, "DeclData"))
      take(readDeclData(document_.object(list), out_.polygons.points.size()));
    for (const std::uint32_t list : document_.inner(index_, "FVFData"))
      take(readFvfData(document_.object(list), out_.polygons.points.size()));
  }

  void take(XDeclaredVertices declared) {
    if (!declared.fits) return warn("vertex declaration", "is not of as many vertices");
    for (const std::string& what : declared.unused)
      report_.unused.add(what, makePlural(what));
    for (vec3& normal : declared.normals)
      normal = rightHanded(normal);
    if (!out_.polygons.normals.empty() && !declared.normals.empty()) {
      countFurther("set of normals");
      declared.normals.clear();
    }
    keep(declared.normals, perPoint_.normals, "set of normals");
    keep(declared.texcoords, perPoint_.texcoords, "set of texture coordinates");
    keep(declared.colors, perPoint_.colors, "set of vertex colours");
  }

  // What the mesh has already stays.
  template <class T>
  void keep(std::vector<T>& declared, std::vector<T>& known, std::string_view what) {
    if (declared.empty()) return;
    if (!known.empty()) return countFurther(what);
    known = std::move(declared);
  }

  void countFurther(std::string_view what, std::size_t count = 1) {
    const std::string one = fmt::format("further {}", what);
    report_.unused.add(one, makePlural(one), count);
  }

  // "set of tangents": "sets of tangents".
  static std::string makePlural(const std::string& one) {
    std::string many = one;
    const std::size_t of = many.find(" of ");
    return of == many.npos ? many + "s" : many.insert(of, "s");
  }

  std::vector<std::uint32_t> findLists(std::string_view type, std::string_view what) {
    std::vector<std::uint32_t> lists = document_.inner(index_, type);
    if (lists.size() > 1) countFurther(what, lists.size() - 1);
    return lists;
  }

  // From points to corners.
  void expand() {
    PolygonMesh& mesh = out_.polygons;
    const auto each = [&](const auto& values, auto& out) {
      for (const std::uint32_t point : mesh.corners)
        if (!values.empty()) out.push_back(values[point]);
    };
    each(perPoint_.normals, mesh.normals);
    for (vec2& uv : perPoint_.texcoords)
      if (!isUsable(uv.x) || !isUsable(uv.y)) {
        uv = vec2(0.0f);
        report_.repairs.add(Repair::texcoordNotFinite);
      }
    each(perPoint_.texcoords, mesh.texcoords);
    for (vec4& color : perPoint_.colors)
      color = vec4(linearFromSrgb(vec3(color)), color.w);
    each(perPoint_.colors, mesh.colors);
  }

  // Faces that the list does not reach have the material of its last one.
  void readMaterials() {
    const std::vector<std::uint32_t> lists = document_.inner(index_, "MeshMaterialList");
    if (lists.empty()) return;
    out_.materials = document_.innerOrReferenced(lists.front(), {"Material"});
    XValues values(document_.object(lists.front()));
    values.index(); // how many materials
    std::vector<std::uint32_t> ofFaces(values.count(1, "materials of faces"));
    for (std::uint32_t& material : ofFaces)
      material = values.index();
    countRest(values);
    for (const std::size_t face : kept_) {
      std::uint32_t material = 0;
      if (!ofFaces.empty()) material = ofFaces[std::min(face, ofFaces.size() - 1)];
      out_.polygons.materials.push_back(material);
    }
  }

  void readBone(const XObject& bone) {
    NamedBone& out = out_.bones.emplace_back();
    if (!bone.texts.empty()) out.name = bone.texts.front();
    XValues values(bone);
    out.weights.resize(values.count(2, "weights"));
    for (NamedBone::Weight& each : out.weights)
      each.vertex = values.index();
    for (NamedBone::Weight& each : out.weights)
      each.weight = static_cast<float>(values.number());
    out.jointFromBind = readXMatrix(values);
    countRest(values);
  }

  void warn(std::string_view what, std::string_view fault) {
    report_.warnings.push_back(
        fmt::format("the {} of {} {}: not used", what, makeLabel(mesh_), fault));
  }

  const XDocument& document_;
  std::uint32_t index_;
  const XObject& mesh_;
  XMeshReport report_;
  XFaces faces_;
  std::vector<std::size_t> kept_; // faces of the file that are polygons
  XPerPoint perPoint_;
  XMesh out_;
};

} // namespace

XMesh readXMesh(const XDocument& document, std::uint32_t mesh, XMeshReport report) {
  return XMeshReader(document, mesh, report).read();
}

} // namespace sinew
