#include "export/fbx/objects.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dmat4;
using glm::dvec3;

// The vertices of all parts one after another, and the points of the file: vertices at one place
// that move alike are one point, whose normals and texture coordinates are of the polygons.
struct FbxPoints {
  std::vector<std::uint32_t> ofVertex;
  std::vector<std::uint32_t> vertices; // one of each point
};

template <class T>
void appendBytes(const T& value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Per vertex what tells it from others: its place, weights, share and offsets.
std::vector<std::string> makeKeys(const FbxMeshGroup& group) {
  std::vector<std::string> out;
  for (const Mesh* mesh : group.parts) {
    const std::size_t first = out.size();
    for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
      std::string& key = out.emplace_back();
      appendBytes(mesh->positions[v] + 0.0f, key); // -0 is 0
      if (mesh->skin)
        for (const Influence& influence : mesh->influences.of(v)) {
          appendBytes(influence.joint, key);
          appendBytes(influence.weight, key);
        }
      if (!mesh->dualQuaternionShares.empty()) appendBytes(mesh->dualQuaternionShares[v], key);
    }
    for (const MorphOffsets& morph : mesh->morphs)
      for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
        appendBytes(morph.target, out[first + morph.vertices[i]]);
        appendBytes(morph.positions[i] + 0.0f, out[first + morph.vertices[i]]);
      }
  }
  return out;
}

FbxPoints weld(const std::vector<std::string>& keys, const std::vector<char>& alone) {
  FbxPoints out;
  std::unordered_map<std::string_view, std::uint32_t> known;
  for (std::uint32_t v = 0; v < keys.size(); ++v) {
    const auto next = static_cast<std::uint32_t>(out.vertices.size());
    const std::uint32_t point =
        alone[v] != 0 ? next : known.try_emplace(keys[v], next).first->second;
    if (point == next) out.vertices.push_back(v);
    out.ofVertex.push_back(point);
  }
  return out;
}

// Triangles that would have two corners at one point, or the points of another triangle (the back
// of a sheet), keep vertices of their own: programs drop such polygons.
FbxPoints weldPoints(const FbxMeshGroup& group, const std::vector<Triangle>& triangles) {
  const std::vector<std::string> keys = makeKeys(group);
  std::vector<char> alone(keys.size(), 0);
  FbxPoints out = weld(keys, alone);
  std::set<Triangle> known;
  bool any = false;
  for (const Triangle& triangle : triangles) {
    Triangle points{};
    std::ranges::transform(triangle, points.begin(),
                           [&](std::uint32_t v) { return out.ofVertex[v]; });
    std::ranges::sort(points);
    const bool isFlat = points[0] == points[1] || points[1] == points[2];
    if (!isFlat && known.insert(points).second) continue;
    any = true;
    for (const std::uint32_t v : triangle)
      alone[v] = 1;
  }
  return any ? weld(keys, alone) : out;
}

class GeometryWriter {
 public:
  GeometryWriter(const Model& model, const FbxLayout& layout, const FbxMeshGroup& group,
                 bool flipped, FbxScene& scene)
      : model_(model), layout_(layout), group_(group), scene_(scene),
        fileFromMesh_(group.skin ? layout.bindFromSkin[*group.skin] : dmat4(1.0)) {
    const bool mirrored = glm::determinant(dmat3(fileFromMesh_)) < 0.0;
    collectTriangles(flipped != mirrored);
    points_ = weldPoints(group, triangles_);
  }

  std::int64_t write() {
    const FbxNewObject geometry = scene_.add("Geometry", "Geometry", group_.name, "Mesh");
    id_ = geometry.id;
    FbxRecord& record = *geometry.record;
    record.add("Properties70");
    record.add("GeometryVersion", 124);
    std::vector<double> places;
    forEachPoint([&](const Mesh& mesh, std::uint32_t v) {
      appendVector(dvec3(fileFromMesh_ * glm::dvec4(dvec3(mesh.positions[v]), 1.0)), places);
    });
    record.add("Vertices", std::span<const double>(places));
    std::vector<std::int32_t> corners;
    for (const Triangle& t : triangles_)
      for (std::size_t i = 0; i < 3; ++i) {
        const auto point = static_cast<std::int32_t>(points_.ofVertex[t[i]]);
        corners.push_back(i == 2 ? ~point : point); // the last one of a polygon
      }
    record.add("PolygonVertexIndex", std::span<const std::int32_t>(corners));
    addLayers(record);
    return id_;
  }

  void addSkin(const std::vector<std::int64_t>& nodes) {
    if (!group_.skin) return;
    const FbxNewObject skin = scene_.add("Deformer", "Deformer", group_.name, "Skin");
    skin.record->add("Version", 101);
    skin.record->add("Link_DeformAcuracy", 50.0);
    addMethod(*skin.record);
    scene_.connect(skin.id, id_);
    const std::vector<SkinJoint>& joints = model_.skins[*group_.skin].joints;
    std::vector<std::vector<std::int32_t>> points(joints.size());
    std::vector<std::vector<double>> weights(joints.size());
    for (std::uint32_t point = 0; point < points_.vertices.size(); ++point)
      for (const Influence& influence : getInfluences(points_.vertices[point])) {
        points[influence.joint].push_back(static_cast<std::int32_t>(point));
        weights[influence.joint].push_back(static_cast<double>(influence.weight));
      }
    for (std::size_t j = 0; j < joints.size(); ++j)
      addCluster(joints[j], points[j], weights[j], nodes, skin.id);
  }

  void addMethod(FbxRecord& skin) {
    if (!hasAny(&Mesh::dualQuaternionShares)) {
      skin.add("SkinningType", model_.skinnedBy == "dqs"     ? "DualQuaternion"
                               : model_.skinnedBy == "rigid" ? "Rigid"
                                                             : "Linear");
      return;
    }
    skin.add("SkinningType", "Blend");
    std::vector<std::int32_t> points;
    std::vector<double> shares;
    forEachPoint([&](const Mesh& mesh, std::uint32_t v) {
      points.push_back(static_cast<std::int32_t>(points.size()));
      shares.push_back(mesh.dualQuaternionShares.empty()
                           ? 0.0
                           : static_cast<double>(mesh.dualQuaternionShares[v]));
    });
    skin.add("Indexes", std::span<const std::int32_t>(points));
    skin.add("BlendWeights", std::span<const double>(shares));
  }

  void addShapes(std::vector<FbxShapeChannel>& channels) {
    std::set<std::uint32_t> targets;
    for (const Mesh* mesh : group_.parts)
      for (const MorphOffsets& morph : mesh->morphs)
        targets.insert(morph.target);
    if (targets.empty()) return;
    const FbxNewObject all = scene_.add("Deformer", "Deformer", group_.name, "BlendShape");
    all.record->add("Version", 100);
    scene_.connect(all.id, id_);
    for (const std::uint32_t target : targets)
      channels.push_back({addShape(target, all.id), target});
  }

 private:
  static void appendVector(const dvec3& v, std::vector<double>& out) {
    out.insert(out.end(), {v.x, v.y, v.z});
  }

  void collectTriangles(bool flipped) {
    std::uint32_t first = 0;
    for (const Mesh* mesh : group_.parts) {
      firstVertex_.push_back(first);
      for (Triangle t : mesh->triangles) {
        if (flipped) std::swap(t[1], t[2]);
        triangles_.push_back({first + t[0], first + t[1], first + t[2]});
      }
      first += static_cast<std::uint32_t>(mesh->positions.size());
    }
  }

  struct Place {
    const Mesh* mesh;
    std::uint32_t vertex; // index into its vertices
  };
  Place locateVertex(std::uint32_t vertex) const {
    const auto after = std::ranges::upper_bound(firstVertex_, vertex);
    const auto part = static_cast<std::size_t>(after - firstVertex_.begin()) - 1;
    return {group_.parts[part], vertex - firstVertex_[part]};
  }

  template <class Each>
  void forEachPoint(const Each& each) const {
    for (const std::uint32_t vertex : points_.vertices) {
      const Place place = locateVertex(vertex);
      each(*place.mesh, place.vertex);
    }
  }

  std::span<const Influence> getInfluences(std::uint32_t vertex) const {
    const Place place = locateVertex(vertex);
    return place.mesh->influences.of(place.vertex);
  }

  void addLayers(FbxRecord& record) {
    addNormals(addLayer(record, "LayerElementNormal", "", "ByPolygonVertex", "Direct"));
    const bool second = hasAny(&Mesh::texcoords1);
    if (hasAny(&Mesh::texcoords) || second)
      addTexcoords(
          addLayer(record, "LayerElementUV", kFbxTexcoords[0], "ByPolygonVertex", "IndexToDirect"),
          &Mesh::texcoords);
    if (hasAny(&Mesh::colors))
      addColors(addLayer(record, "LayerElementColor", "Col", "ByPolygonVertex", "IndexToDirect"));
    const std::vector<std::int32_t> smooth(triangles_.size(), 1);
    addLayer(record, "LayerElementSmoothing", "", "ByPolygon", "Direct")
        .add("Smoothing", std::span<const std::int32_t>(smooth));
    addMaterials(record);
    if (second) {
      FbxRecord& layer = record.add("LayerElementUV", 1);
      describeLayer(layer, kFbxTexcoords[1], "ByPolygonVertex", "IndexToDirect");
      addTexcoords(layer, &Mesh::texcoords1);
    }
    addLayerList(record, 0, listedTypes_);
    if (second) addLayerList(record, 1, {"LayerElementUV"});
  }

  static void addLayerList(FbxRecord& record, std::int32_t index,
                           const std::vector<const char*>& types) {
    FbxRecord& list = record.add("Layer", index);
    list.add("Version", 100);
    for (const char* type : types) {
      FbxRecord& element = list.add("LayerElement");
      element.add("Type", type);
      element.add("TypedIndex", index);
    }
  }

  static void describeLayer(FbxRecord& layer, const char* name, const char* mapping,
                            const char* reference) {
    layer.add("Version", 101);
    layer.add("Name", name);
    layer.add("MappingInformationType", mapping);
    layer.add("ReferenceInformationType", reference);
  }

  FbxRecord& addLayer(FbxRecord& record, const char* type, const char* name, const char* mapping,
                      const char* reference) {
    FbxRecord& layer = record.add(type, 0);
    describeLayer(layer, name, mapping, reference);
    listedTypes_.push_back(type);
    return layer;
  }

  template <class T>
  bool hasAny(std::vector<T> Mesh::*values) const {
    return std::ranges::any_of(group_.parts,
                               [&](const Mesh* mesh) { return !(mesh->*values).empty(); });
  }

  void addNormals(FbxRecord& layer) const {
    const dmat3 turned = glm::transpose(glm::inverse(dmat3(fileFromMesh_)));
    std::vector<double> normals;
    for (const Triangle& t : triangles_)
      for (const std::uint32_t vertex : t) {
        const Place place = locateVertex(vertex);
        const dvec3 normal = turned * dvec3(place.mesh->normals[place.vertex]);
        const double length = glm::length(normal);
        appendVector(length > 0.0 ? normal / length : dvec3(0, 1, 0), normals);
      }
    layer.add("Normals", std::span<const double>(normals));
  }

  // Values of vertices, and which of them each corner has.
  void addIndices(FbxRecord& layer, const char* name) const {
    std::vector<std::int32_t> indices;
    for (const Triangle& t : triangles_)
      for (const std::uint32_t vertex : t)
        indices.push_back(static_cast<std::int32_t>(vertex));
    layer.add(name, std::span<const std::int32_t>(indices));
  }

  // (0, 0) is the image's lower left there.
  void addTexcoords(FbxRecord& layer, std::vector<vec2> Mesh::*set) const {
    std::vector<double> values;
    for (const Mesh* mesh : group_.parts)
      for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
        const vec2 uv = (mesh->*set).empty() ? vec2(0.0f, 1.0f) : (mesh->*set)[v];
        values.push_back(static_cast<double>(uv.x));
        values.push_back(1.0 - static_cast<double>(uv.y));
      }
    layer.add("UV", std::span<const double>(values));
    addIndices(layer, "UVIndex");
  }

  void addColors(FbxRecord& layer) const {
    std::vector<double> values;
    for (const Mesh* mesh : group_.parts)
      for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
        const vec4 color = mesh->colors.empty() ? vec4(1.0f) : mesh->colors[v];
        for (int i = 0; i < 4; ++i)
          values.push_back(static_cast<double>(color[i]));
      }
    layer.add("Colors", std::span<const double>(values));
    addIndices(layer, "ColorIndex");
  }

  void addMaterials(FbxRecord& record) {
    const std::vector<std::uint32_t> materials = listGroupMaterials(group_);
    std::vector<std::int32_t> indices;
    for (const Mesh* mesh : group_.parts) {
      const auto place = std::ranges::find(materials, mesh->material) - materials.begin();
      indices.insert(indices.end(), mesh->triangles.size(), static_cast<std::int32_t>(place));
    }
    const bool same = materials.size() == 1;
    if (same) indices.resize(1);
    addLayer(record, "LayerElementMaterial", "", same ? "AllSame" : "ByPolygon", "IndexToDirect")
        .add("Materials", std::span<const std::int32_t>(indices));
  }

  // Transform brings the mesh to the joint, TransformLink the joint to where it was bound. A joint
  // that moves nothing has a cluster without points.
  void addCluster(const SkinJoint& joint, const std::vector<std::int32_t>& points,
                  const std::vector<double>& weights, const std::vector<std::int64_t>& nodes,
                  std::int64_t skin) {
    const FbxNewObject cluster =
        scene_.add("Deformer", "SubDeformer", model_.hierarchy.nodes[joint.node].name, "Cluster");
    cluster.record->add("Version", 100);
    cluster.record->add("UserData", "", "");
    if (!points.empty()) {
      cluster.record->add("Indexes", std::span<const std::int32_t>(points));
      cluster.record->add("Weights", std::span<const double>(weights));
    }
    dmat4 jointFromBind(joint.jointFromBind);
    for (int column = 0; column < 4; ++column)
      jointFromBind[column].w = column == 3 ? 1.0 : 0.0;
    const dmat4 jointFromFile = jointFromBind * glm::inverse(fileFromMesh_);
    const bool hasInverse = std::abs(glm::determinant(dmat3(jointFromFile))) > 1e-30;
    const dmat4 bound = hasInverse ? glm::inverse(jointFromFile) : layout_.bind[joint.node];
    const std::vector<double> transform = fbxNumbers(jointFromFile);
    const std::vector<double> link = fbxNumbers(bound);
    cluster.record->add("Transform", std::span<const double>(transform));
    cluster.record->add("TransformLink", std::span<const double>(link));
    // Blender takes it for the place of its armature, which it else finds where that stands at the
    // top of the scene alone.
    const std::vector<double> skeleton = fbxNumbers(layout_.skeleton[joint.node]);
    cluster.record->add("TransformAssociateModel", std::span<const double>(skeleton));
    scene_.connect(cluster.id, skin);
    scene_.connect(nodes[joint.node], cluster.id);
  }

  // The points that move, with their offsets and the changes of their normals.
  struct Offsets {
    std::vector<std::int32_t> points;
    std::vector<double> places, normals;
  };
  Offsets collectOffsets(std::uint32_t target) const {
    Offsets out;
    const dmat3 turned(fileFromMesh_);
    std::vector<char> isDone(points_.vertices.size(), 0);
    for (std::size_t part = 0; part < group_.parts.size(); ++part)
      for (const MorphOffsets& morph : group_.parts[part]->morphs) {
        if (morph.target != target) continue;
        for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
          const std::uint32_t point = points_.ofVertex[firstVertex_[part] + morph.vertices[i]];
          if (isDone[point] != 0) continue;
          isDone[point] = 1;
          out.points.push_back(static_cast<std::int32_t>(point));
          appendVector(turned * dvec3(morph.positions[i]), out.places);
          appendVector(morph.normals.empty() ? dvec3(0.0) : turned * dvec3(morph.normals[i]),
                       out.normals);
        }
      }
    return out;
  }

  std::int64_t addShape(std::uint32_t target, std::int64_t all) {
    const MorphTarget& morph = model_.morphTargets[target];
    const std::string name = morph.name.empty() ? "shape" : morph.name;
    const double percent = 100.0 * static_cast<double>(morph.weight);
    const FbxNewObject channel = scene_.add("Deformer", "SubDeformer", name, "BlendShapeChannel");
    channel.record->add("Version", 100);
    channel.record->add("DeformPercent", percent);
    const std::array<double, 1> full{100.0};
    channel.record->add("FullWeights", std::span<const double>(full));
    channel.record->add("Properties70").addProperty("DeformPercent", "Number", "", "A", percent);
    scene_.connect(channel.id, all);
    const Offsets offsets = collectOffsets(target);
    const FbxNewObject shape = scene_.add("Geometry", "Geometry", name, "Shape");
    shape.record->add("Properties70");
    shape.record->add("Version", 100);
    shape.record->add("Indexes", std::span<const std::int32_t>(offsets.points));
    shape.record->add("Vertices", std::span<const double>(offsets.places));
    shape.record->add("Normals", std::span<const double>(offsets.normals));
    scene_.connect(shape.id, channel.id);
    return channel.id;
  }

  const Model& model_;
  const FbxLayout& layout_;
  const FbxMeshGroup& group_;
  FbxScene& scene_;
  dmat4 fileFromMesh_;
  std::vector<std::uint32_t> firstVertex_; // per part: index into the group's vertices
  std::vector<Triangle> triangles_;        // all parts together, by vertices of the group
  FbxPoints points_;
  std::vector<const char*> listedTypes_;
  std::int64_t id_ = 0;
};

} // namespace

std::vector<std::uint32_t> listGroupMaterials(const FbxMeshGroup& group) {
  std::vector<std::uint32_t> out;
  for (const Mesh* mesh : group.parts)
    if (std::ranges::find(out, mesh->material) == out.end()) out.push_back(mesh->material);
  return out;
}

void addFbxGeometry(const Model& model, const FbxLayout& layout, const FbxMeshGroup& group,
                    std::int64_t shown, const std::vector<std::int64_t>& nodes, bool flipped,
                    FbxScene& scene, std::vector<FbxShapeChannel>& channels) {
  GeometryWriter writer(model, layout, group, flipped, scene);
  scene.connect(writer.write(), shown);
  writer.addSkin(nodes);
  writer.addShapes(channels);
}

} // namespace sinew
