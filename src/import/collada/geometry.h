// A <geometry> of a Collada file: polygons of its primitives, by material.
#pragma once

#include "import/collada/document.h"
#include "import/polygon_mesh.h"
#include "import/repairs.h"

#include <functional>
#include <optional>
#include <string>

namespace sinew {

// The material that is bound to a primitive's symbol, and the set of texture coordinates of its
// base colour.
struct ColladaMaterialUse {
  std::uint32_t material = 0; // index into the model's materials
  std::optional<std::uint32_t> texcoordSet;
};
using ColladaMaterialLookup = std::function<ColladaMaterialUse(const std::string& symbol)>;

// Polygons of one material that have the same attributes.
struct ColladaPart {
  std::uint32_t material = 0;
  PolygonMesh polygons;
  std::vector<std::uint32_t> points; // per point of `polygons`: its index in the geometry
};

struct ColladaGeometry {
  std::vector<glm::dvec3> points;
  std::vector<ColladaPart> parts;
  std::uint64_t corners() const;
};

// Polygons with points that do not exist are dropped.
ColladaGeometry readColladaGeometry(const ColladaDocument& document, const pugi::xml_node& geometry,
                                    const ColladaMaterialLookup& getMaterial, RepairLog& repairs,
                                    UnusedCounts& unused);

// The positions alone.
std::vector<glm::dvec3> colladaPositions(const ColladaDocument& document,
                                         const pugi::xml_node& geometry);

} // namespace sinew
