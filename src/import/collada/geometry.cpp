#include "import/collada/geometry.h"

#include "core/color.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace sinew {
namespace {

using glm::dvec3;

enum class PrimitiveKind : std::uint8_t { triangles, polylist, polygons, strips, fans };

// An <input> of a primitive, or of the <vertices> that its VERTEX stands for.
struct CornerInput {
  std::uint32_t offset = 0;
  std::uint32_t set = 0;
  const ColladaSource* source = nullptr;
};

// What the corners of a primitive have, and where in its indices that is.
struct CornerInputs {
  std::optional<std::uint32_t> point; // offset of the positions
  const CornerInput* normal = nullptr;
  const CornerInput* color = nullptr;
  std::vector<CornerInput> normals, colors, texcoords;
  std::uint32_t stride = 0;
};

std::vector<std::uint32_t> readIndices(const pugi::xml_node& element) {
  const std::vector<double> numbers = colladaNumbers(element);
  std::vector<std::uint32_t> out;
  out.reserve(numbers.size());
  for (const double number : numbers)
    out.push_back(number >= 0.0 && number < 4294967295.0 ? static_cast<std::uint32_t>(number)
                                                         : ~0u);
  return out;
}

class ColladaGeometryReader {
 public:
  ColladaGeometryReader(const ColladaDocument& document, const pugi::xml_node& geometry,
                        const ColladaMaterialLookup& getMaterial, RepairLog& repairs,
                        UnusedCounts& unused)
      : document_(document), mesh_(geometry.child("mesh")), getMaterial_(getMaterial),
        repairs_(repairs), unused_(unused), geometry_(geometry) {}

  ColladaGeometry read() {
    out_.points = colladaPositions(document_, geometry_);
    for (const pugi::xml_node& primitive : mesh_.children()) {
      const std::string_view name = primitive.name();
      if (name == "triangles")
        read(primitive, PrimitiveKind::triangles);
      else if (name == "polylist")
        read(primitive, PrimitiveKind::polylist);
      else if (name == "polygons")
        read(primitive, PrimitiveKind::polygons);
      else if (name == "tristrips")
        read(primitive, PrimitiveKind::strips);
      else if (name == "trifans")
        read(primitive, PrimitiveKind::fans);
      else if (name == "lines" || name == "linestrips")
        unused_.add("mesh with points or lines", "meshes with points or lines");
    }
    for (const char* other : {"convex_mesh", "spline", "brep"})
      if (geometry_.child(other))
        unused_.add("geometry of another kind than polygons",
                    "geometries of other kinds than polygons");
    return std::move(out_);
  }

 private:
  const ColladaSource& readSource(const pugi::xml_node& input) {
    const pugi::xml_node source = document_.find(input.attribute("source").value(), "source");
    const auto [known, isNew] = sources_.try_emplace(source.internal_object());
    if (isNew) known->second = readColladaSource(document_, source, 2);
    return known->second;
  }

  void addInput(const pugi::xml_node& input, std::uint32_t offset, CornerInputs& out) {
    const std::string_view semantic = input.attribute("semantic").value();
    const bool known = semantic == "NORMAL" || semantic == "COLOR" || semantic == "TEXCOORD";
    if (!known) {
      if (semantic == "TEXTANGENT" || semantic == "TANGENT")
        unused_.add("set of tangents", "sets of tangents");
      return;
    }
    const ColladaSource& source = readSource(input);
    if (source.count() == 0 || (semantic != "TEXCOORD" && source.width < 3)) return;
    const CornerInput each{offset, input.attribute("set").as_uint(), &source};
    (semantic == "NORMAL"  ? out.normals
     : semantic == "COLOR" ? out.colors
                           : out.texcoords)
        .push_back(each);
  }

  CornerInputs readInputs(const pugi::xml_node& primitive) {
    CornerInputs out;
    for (const pugi::xml_node& input : primitive.children("input")) {
      const std::uint32_t offset = input.attribute("offset").as_uint();
      constexpr std::uint32_t kMaxOffset = 1u << 16; // no file means more
      if (offset > kMaxOffset) continue;
      out.stride = std::max(out.stride, offset + 1);
      const std::string_view semantic = input.attribute("semantic").value();
      if (semantic == "VERTEX") {
        out.point = offset;
        const pugi::xml_node vertices =
            document_.find(input.attribute("source").value(), "vertices");
        for (const pugi::xml_node& each : vertices.children("input"))
          addInput(each, offset, out);
      } else if (semantic == "POSITION") {
        out.point = offset;
      } else {
        addInput(input, offset, out);
      }
    }
    if (!out.normals.empty()) out.normal = &out.normals.front();
    if (!out.colors.empty()) out.color = &out.colors.front();
    if (out.normals.size() > 1)
      unused_.add("further set of normals", "further sets of normals", out.normals.size() - 1);
    if (out.colors.size() > 1)
      unused_.add("further set of vertex colours", "further sets of vertex colours",
                  out.colors.size() - 1);
    if (out.texcoords.size() > 2)
      unused_.add("further set of texture coordinates", "further sets of texture coordinates",
                  out.texcoords.size() - 2);
    return out;
  }

  ColladaPart& findOrAddPart(const CornerInputs& inputs, std::uint32_t material) {
    const std::size_t sets = std::min<std::size_t>(inputs.texcoords.size(), 2);
    const auto key = std::tuple(material, inputs.normal != nullptr, inputs.color != nullptr, sets);
    const auto [known, isNew] = partOf_.try_emplace(key, out_.parts.size());
    if (isNew) {
      out_.parts.emplace_back().material = material;
      localOf_.emplace_back();
    }
    return out_.parts[known->second];
  }

  void read(const pugi::xml_node& primitive, PrimitiveKind kind) {
    inputs_ = readInputs(primitive);
    if (!inputs_.point) return;
    const ColladaMaterialUse use = getMaterial_(primitive.attribute("material").value());
    // The set of the base colour first.
    const auto base = std::ranges::find_if(inputs_.texcoords, [&](const CornerInput& each) {
      return use.texcoordSet && each.set == *use.texcoordSet;
    });
    if (base != inputs_.texcoords.end()) std::rotate(inputs_.texcoords.begin(), base, base + 1);
    part_ = &findOrAddPart(inputs_, use.material);
    local_ = &localOf_[static_cast<std::size_t>(part_ - out_.parts.data())];
    const std::vector<std::uint32_t> sizes = readIndices(primitive.child("vcount"));
    for (const pugi::xml_node& child : primitive.children()) {
      const std::string_view name = child.name();
      if (name == "ph" && kind == PrimitiveKind::polygons) readPolygonWithHoles(child);
      if (name == "p") readPolygons(readIndices(child), kind, sizes);
    }
  }

  void readPolygonWithHoles(const pugi::xml_node& polygon) {
    std::vector<std::uint32_t> indices;
    std::vector<dvec3> points;
    std::vector<std::size_t> ends;
    indices_ = &indices;
    // Appends what is whole and exists.
    const auto append = [&](const pugi::xml_node& ring) {
      const std::vector<std::uint32_t> more = readIndices(ring);
      const std::size_t first = points.size();
      const std::size_t end = first + more.size() / inputs_.stride;
      indices.insert(indices.end(), more.begin(),
                     more.begin() + static_cast<std::ptrdiff_t>((end - first) * inputs_.stride));
      for (std::size_t corner = first; corner < end; ++corner)
        if (const std::uint32_t point = indexAt(corner, *inputs_.point);
            point < out_.points.size()) {
          points.push_back(out_.points[point]);
        } else {
          repairs_.add(Repair::faceIndex);
          indices.resize(first * inputs_.stride);
          points.resize(first);
          return;
        }
      ends.push_back(end);
    };
    append(polygon.child("p"));
    if (points.size() < 3) return;
    for (const pugi::xml_node& hole : polygon.children("h"))
      append(hole);
    const RingWithHoles ring = joinHoles(points, ends);
    unused_.add("hole that cannot be cut out of its polygon",
                "holes that cannot be cut out of their polygons", ring.omitted);
    addPolygon({ring.corners.begin(), ring.corners.end()});
  }

  void readPolygons(const std::vector<std::uint32_t>& indices, PrimitiveKind kind,
                    const std::vector<std::uint32_t>& sizes) {
    const std::size_t corners = indices.size() / inputs_.stride;
    indices_ = &indices;
    std::vector<std::size_t> polygon;
    const auto add = [&](std::initializer_list<std::size_t> three) {
      polygon = three;
      addPolygon(polygon);
    };
    const auto addRange = [&](std::size_t first, std::size_t count) {
      polygon.clear();
      for (std::size_t c = first; c < first + count; ++c)
        polygon.push_back(c);
      addPolygon(polygon);
    };
    switch (kind) {
    case PrimitiveKind::triangles:
      for (std::size_t c = 0; c + 2 < corners; c += 3)
        add({c, c + 1, c + 2});
      break;
    case PrimitiveKind::polylist: {
      std::size_t first = 0;
      for (const std::uint32_t size : sizes) {
        if (size > corners - first) break;
        addRange(first, size);
        first += size;
      }
      break;
    }
    case PrimitiveKind::polygons:
      addRange(0, corners);
      break;
    case PrimitiveKind::strips: // every other one is wound the other way
      for (std::size_t c = 0; c + 2 < corners; ++c)
        if (c % 2 == 0)
          add({c, c + 1, c + 2});
        else
          add({c + 1, c, c + 2});
      break;
    case PrimitiveKind::fans:
      for (std::size_t c = 1; c + 1 < corners; ++c)
        add({0, c, c + 1});
      break;
    }
  }

  std::uint32_t indexAt(std::size_t corner, std::uint32_t offset) const {
    return (*indices_)[corner * inputs_.stride + offset];
  }

  const double* valueAt(std::size_t corner, const CornerInput& input) const {
    const std::uint32_t index = indexAt(corner, input.offset);
    return index < input.source->count() ? input.source->at(index) : nullptr;
  }

  void addPolygon(const std::vector<std::size_t>& corners) {
    if (corners.size() < 3) return;
    for (const std::size_t corner : corners)
      if (indexAt(corner, *inputs_.point) >= out_.points.size()) {
        repairs_.add(Repair::faceIndex);
        return;
      }
    PolygonMesh& mesh = part_->polygons;
    for (const std::size_t corner : corners) {
      mesh.corners.push_back(localPoint(indexAt(corner, *inputs_.point)));
      if (inputs_.normal != nullptr) {
        const double* n = valueAt(corner, *inputs_.normal);
        mesh.normals.push_back(n == nullptr ? vec3(0.0f) : vec3(dvec3(n[0], n[1], n[2])));
      }
      if (!inputs_.texcoords.empty())
        mesh.texcoords.push_back(texcoordAt(corner, inputs_.texcoords[0]));
      if (inputs_.texcoords.size() > 1)
        mesh.texcoords1.push_back(texcoordAt(corner, inputs_.texcoords[1]));
      if (inputs_.color != nullptr) mesh.colors.push_back(colorAt(corner));
    }
    mesh.polygons.push_back(static_cast<std::uint32_t>(mesh.corners.size()));
  }

  std::uint32_t localPoint(std::uint32_t point) {
    const auto [known, isNew] =
        local_->try_emplace(point, static_cast<std::uint32_t>(part_->points.size()));
    if (isNew) {
      part_->points.push_back(point);
      part_->polygons.points.push_back(out_.points[point]);
    }
    return known->second;
  }

  // The file counts v from the image's lower edge.
  vec2 texcoordAt(std::size_t corner, const CornerInput& input) {
    const double* value = valueAt(corner, input);
    if (value == nullptr) return vec2(0.0f);
    const vec2 uv(static_cast<float>(value[0]), static_cast<float>(1.0 - value[1]));
    if (isUsable(uv.x) && isUsable(uv.y)) return uv;
    repairs_.add(Repair::texcoordNotFinite);
    return vec2(0.0f);
  }

  vec4 colorAt(std::size_t corner) const {
    const double* value = valueAt(corner, *inputs_.color);
    if (value == nullptr) return vec4(1.0f);
    const float alpha = inputs_.color->source->width > 3 ? static_cast<float>(value[3]) : 1.0f;
    return {linearFromSrgb(vec3(dvec3(value[0], value[1], value[2]))), alpha};
  }

  const ColladaDocument& document_;
  pugi::xml_node mesh_;
  const ColladaMaterialLookup& getMaterial_;
  RepairLog& repairs_;
  UnusedCounts& unused_;
  pugi::xml_node geometry_;
  std::map<const void*, ColladaSource> sources_; // by element
  std::map<std::tuple<std::uint32_t, bool, bool, std::size_t>, std::size_t> partOf_;
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> localOf_; // per part, by point
  // State of the primitive that is being read.
  CornerInputs inputs_;
  ColladaPart* part_ = nullptr;
  std::unordered_map<std::uint32_t, std::uint32_t>* local_ = nullptr;
  const std::vector<std::uint32_t>* indices_ = nullptr;
  ColladaGeometry out_;
};

} // namespace

std::uint64_t ColladaGeometry::corners() const {
  std::uint64_t count = 0;
  for (const ColladaPart& part : parts)
    count += part.polygons.corners.size();
  return count;
}

std::vector<dvec3> colladaPositions(const ColladaDocument& document,
                                    const pugi::xml_node& geometry) {
  const pugi::xml_node mesh = geometry.child("mesh");
  const pugi::xml_node input = colladaInput(mesh.child("vertices"), "POSITION");
  const ColladaSource source =
      readColladaSource(document, document.find(input.attribute("source").value(), "source"), 3);
  std::vector<dvec3> out;
  out.reserve(source.count());
  for (std::uint32_t i = 0; i < source.count(); ++i)
    out.emplace_back(source.at(i)[0], source.at(i)[1], source.at(i)[2]);
  return out;
}

ColladaGeometry readColladaGeometry(const ColladaDocument& document, const pugi::xml_node& geometry,
                                    const ColladaMaterialLookup& getMaterial, RepairLog& repairs,
                                    UnusedCounts& unused) {
  return ColladaGeometryReader(document, geometry, getMaterial, repairs, unused).read();
}

} // namespace sinew
