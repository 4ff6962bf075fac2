#include "core/color.h"
#include "import/fbx/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr std::size_t kNoEntry = ~std::size_t{0};

class GeometryReader {
 public:
  GeometryReader(const FbxElement& element, const std::string& name, RepairLog& repairs,
                 std::vector<std::string>& warnings)
      : element_(element), name_(name), repairs_(repairs), warnings_(warnings) {}

  PolygonMesh read(const std::string& texcoordSet) {
    readPoints();
    readPolygons();
    readNormals();
    readTangents();
    readTexcoords(texcoordSet);
    readColors();
    readMaterials();
    return std::move(out_);
  }

 private:
  void readPoints() {
    const std::vector<double> numbers = toReals(findChild(element_, "Vertices"));
    if (numbers.size() % 3 != 0)
      throw FbxError(fmt::format("the mesh '{}' has {} coordinates, which are no points", name_,
                                 numbers.size()));
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
      out_.points.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  }

  // The last corner of a polygon is written as its complement.
  void readPolygons() {
    const std::vector<std::int64_t> indices = toIntegers(findChild(element_, "PolygonVertexIndex"));
    if (!indices.empty() && indices.back() >= 0)
      throw FbxError(fmt::format("the last polygon of the mesh '{}' does not end", name_));
    bool usable = true;
    std::vector<std::uint32_t> fileCorners;
    for (std::uint32_t i = 0; i < indices.size(); ++i) {
      const bool last = indices[i] < 0;
      const std::int64_t point = last ? -indices[i] - 1 : indices[i];
      usable = usable && point < static_cast<std::int64_t>(out_.points.size());
      fileCorners.push_back(i);
      out_.corners.push_back(static_cast<std::uint32_t>(point));
      if (!last) continue;
      if (usable) {
        out_.polygons.push_back(static_cast<std::uint32_t>(out_.corners.size()));
        filePolygons_.push_back(polygonsInFile_);
        fileCorners_.insert(fileCorners_.end(), fileCorners.begin(), fileCorners.end());
      } else {
        out_.corners.resize(out_.polygons.back());
        repairs_.add(Repair::faceIndex);
      }
      fileCorners.clear();
      usable = true;
      ++polygonsInFile_;
    }
    cornersInFile_ = indices.size();
  }

  struct Layer {
    std::vector<double> values;
    std::vector<std::size_t> entries; // per corner, or kNoEntry
  };

  // A layer element's values, and which of them each corner has. Nothing where it does not fit.
  std::optional<Layer> readLayer(const FbxElement& layer, std::string_view list,
                                 std::string_view indexList, std::size_t components) {
    Layer out;
    out.values = toReals(findChild(layer, list));
    const std::vector<std::int64_t> indices = toIntegers(findChild(layer, indexList));
    const std::string reference = childText(layer, "ReferenceInformationType");
    const bool indexed = reference != "Direct" && !indices.empty();
    const std::size_t count = out.values.size() / components;
    if (out.values.empty() && indices.empty()) return std::nullopt;
    const std::size_t available = indexed ? indices.size() : count;
    const std::string mapping = childText(layer, "MappingInformationType");
    const std::size_t needed = neededBy(mapping);
    if (needed == 0 || available < needed) {
      warnings_.push_back(
          needed == 0 ? fmt::format("'{}' of the mesh '{}' is mapped '{}': not used", layer.name,
                                    name_, mapping)
                      : fmt::format("'{}' of the mesh '{}' has {} entries and needs {}: not used",
                                    layer.name, name_, available, needed));
      return std::nullopt;
    }
    std::size_t missing = 0;
    for (std::size_t polygon = 0; polygon < out_.polygonCount(); ++polygon)
      for (std::size_t c = out_.polygons[polygon]; c < out_.polygons[polygon + 1]; ++c) {
        const std::size_t place = findEntry(mapping, c, polygon);
        const std::int64_t entry = indexed ? indices[place] : static_cast<std::int64_t>(place);
        const bool exists = entry >= 0 && entry < static_cast<std::int64_t>(count);
        if (!exists && entry != -1) ++missing; // -1: the corner has none
        out.entries.push_back(exists ? static_cast<std::size_t>(entry) : kNoEntry);
      }
    if (missing > 0)
      warnings_.push_back(fmt::format("{} corners of the mesh '{}' name entries of '{}' that do "
                                      "not exist",
                                      missing, name_, layer.name));
    return out;
  }

  // How many entries a mapping has; 0: unknown.
  std::size_t neededBy(const std::string& mapping) const {
    if (mapping == "ByPolygonVertex") return std::max<std::size_t>(cornersInFile_, 1);
    if (mapping == "ByVertice" || mapping == "ByVertex")
      return std::max<std::size_t>(out_.points.size(), 1);
    if (mapping == "ByPolygon") return std::max<std::size_t>(polygonsInFile_, 1);
    return mapping == "AllSame" ? 1 : 0;
  }

  std::size_t findEntry(const std::string& mapping, std::size_t corner, std::size_t polygon) const {
    if (mapping == "ByPolygonVertex") return fileCorners_[corner];
    if (mapping == "ByPolygon") return filePolygons_[polygon];
    return mapping == "AllSame" ? 0 : out_.corners[corner];
  }

  void readNormals() {
    const FbxElement* layer = findChild(element_, "LayerElementNormal");
    if (layer == nullptr) return;
    const auto read = readLayer(*layer, "Normals", "NormalsIndex", 3);
    if (!read) return;
    for (const std::size_t entry : read->entries)
      out_.normals.push_back(
          entry == kNoEntry ? vec3(0.0f)
                            : vec3(glm::dvec3(read->values[3 * entry], read->values[3 * entry + 1],
                                              read->values[3 * entry + 2])));
  }

  // Beside normals; which way the third axis points says LayerElementBinormal.
  void readTangents() {
    const FbxElement* layer = findChild(element_, "LayerElementTangent");
    if (layer == nullptr || out_.normals.empty()) return;
    const auto read = readLayer(*layer, "Tangents", "TangentsIndex", 3);
    if (!read) return;
    std::optional<Layer> third;
    if (const FbxElement* binormals = findChild(element_, "LayerElementBinormal"))
      third = readLayer(*binormals, "Binormals", "BinormalsIndex", 3);
    const auto readVector = [](const Layer& of, std::size_t corner) {
      const std::size_t entry = of.entries[corner];
      return entry == kNoEntry ? vec3(0.0f)
                               : vec3(glm::dvec3(of.values[3 * entry], of.values[3 * entry + 1],
                                                 of.values[3 * entry + 2]));
    };
    for (std::size_t c = 0; c < read->entries.size(); ++c) {
      const vec3 tangent = readVector(*read, c);
      const vec3 across = glm::cross(out_.normals[c], tangent);
      const bool mirrored = third && glm::dot(across, readVector(*third, c)) < 0.0f;
      out_.tangents.emplace_back(tangent, mirrored ? -1.0f : 1.0f);
    }
  }

  // The set of that name, or the first; and the first of the others.
  void readTexcoords(const std::string& name) {
    std::vector<const FbxElement*> sets;
    for (const FbxElement& child : element_.children)
      if (child.name == "LayerElementUV") sets.push_back(&child);
    const auto named = std::ranges::find_if(sets, [&](const FbxElement* set) {
      return !name.empty() && childText(*set, "Name") == name;
    });
    if (named != sets.end()) std::rotate(sets.begin(), named, named + 1);
    if (!sets.empty()) readTexcoordSet(*sets[0], out_.texcoords);
    if (sets.size() > 1) readTexcoordSet(*sets[1], out_.texcoords1);
  }

  void readTexcoordSet(const FbxElement& layer, std::vector<vec2>& out) {
    const auto read = readLayer(layer, "UV", "UVIndex", 2);
    if (!read) return;
    for (const std::size_t entry : read->entries) {
      vec2 uv(0.0f);
      if (entry != kNoEntry)
        uv = vec2(static_cast<float>(read->values[2 * entry]),
                  static_cast<float>(1.0 - read->values[2 * entry + 1]));
      if (!std::isfinite(uv.x) || !std::isfinite(uv.y)) {
        uv = vec2(0.0f);
        repairs_.add(Repair::texcoordNotFinite);
      }
      out.push_back(uv);
    }
  }

  void readColors() {
    const FbxElement* layer = findChild(element_, "LayerElementColor");
    if (layer == nullptr) return;
    const auto read = readLayer(*layer, "Colors", "ColorIndex", 4);
    if (!read) return;
    for (const std::size_t entry : read->entries) {
      vec4 color(1.0f);
      for (int i = 0; i < 4 && entry != kNoEntry; ++i)
        color[i] = static_cast<float>(read->values[4 * entry + static_cast<std::size_t>(i)]);
      out_.colors.emplace_back(linearFromSrgb(vec3(color)), color.w);
    }
  }

  void readMaterials() {
    const FbxElement* layer = findChild(element_, "LayerElementMaterial");
    if (layer == nullptr) return;
    const std::vector<std::int64_t> indices = toIntegers(findChild(*layer, "Materials"));
    if (indices.empty()) return;
    const bool each = childText(*layer, "MappingInformationType") == "ByPolygon";
    if (each && indices.size() < polygonsInFile_) {
      warnings_.push_back(fmt::format("'{}' of the mesh '{}' has {} entries and needs {}: not used",
                                      layer->name, name_, indices.size(), polygonsInFile_));
      return;
    }
    for (const std::uint32_t polygon : filePolygons_) {
      const std::int64_t index = indices[each ? polygon : 0];
      out_.materials.push_back(
          static_cast<std::uint32_t>(index < 0 || index > 0xffff ? 0xffff : index));
    }
  }

  const FbxElement& element_;
  const std::string& name_;
  RepairLog& repairs_;
  std::vector<std::string>& warnings_;
  PolygonMesh out_;
  std::vector<std::uint32_t> fileCorners_, filePolygons_; // where the used ones stand in the file
  std::size_t cornersInFile_ = 0;
  std::uint32_t polygonsInFile_ = 0;
};

} // namespace

PolygonMesh readFbxGeometry(const FbxElement& element, const std::string& name,
                            const std::string& texcoordSet, RepairLog& repairs,
                            std::vector<std::string>& warnings) {
  return GeometryReader(element, name, repairs, warnings).read(texcoordSet);
}

} // namespace sinew
