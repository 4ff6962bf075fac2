// What a file of pose drivers holds (MODEL.drivers.json): the drivers, and the corrective shapes
// that they weigh. A shape becomes a morph target of the model, so a .glb takes it along.
//
//   {"sinew": "drivers",
//    "drivers": [{"name": "elbow", "on": true, "kind": "rbf",
//                 "inputs": [{"joint": "LowerArm", "part": "swing", "axis": [0, 1, 0]}],
//                 "joints": [NAME, ...], "morphs": [NAME, ...],
//                 "falloff": "gaussian", "normalize": "above-one", "radius": 0, "smoothing": 0,
//                 "keys": [{"name": "bent", "rotations": [[x, y, z, w], ...],
//                           "joints": [{"translation": [x, y, z], "rotation": [x, y, z, w],
//                                       "scale": [x, y, z]}, ...], "morphs": [1, ...]}]},
//                {"kind": "polynomial", "inputs": ..., "degree": 2, "coefficients": [[...], ...]},
//                {"kind": "twist", "input": {"joint": ..., "axis": ...}, "share": 0.5,
//                 "joints": [...]}],
//    "shapes": [{"name": "fix", "meshes": [{"mesh": 0, "vertex_count": 1200, "vertices": BASE64,
//                                           "positions": BASE64}]}]}
//
// Kinds "swing" and "rotation" are written like "twist". BASE64: little-endian 32-bit integers and
// floats, three floats a vertex. What a transform leaves out is as at rest.
#pragma once

#include "animation/drivers/pose_driver.h"

namespace sinew {

// Offsets of a shape, in the bind space of each mesh.
struct ShapeOffsets {
  std::uint32_t mesh = 0; // index into Model::meshes
  std::uint32_t vertexCount = 0;
  std::vector<std::uint32_t> vertices; // ascending
  std::vector<vec3> positions;

  bool operator==(const ShapeOffsets&) const = default;
};

struct CorrectiveShape {
  std::string name; // unique: the name of its morph target
  std::vector<ShapeOffsets> meshes;

  bool operator==(const CorrectiveShape&) const = default;
};

struct DriverSet {
  PoseDrivers drivers;
  std::vector<CorrectiveShape> shapes;

  bool empty() const { return drivers.empty() && shapes.empty(); }
  bool operator==(const DriverSet&) const = default;
};

std::string driverSetToJson(const DriverSet& set);

// Reads such a file and adds its shapes to the model (addShapes()). Throws inputError with path and
// position: invalid JSON, unknown keys, numbers that are not finite, names that the model does not
// have, shapes of another mesh.
DriverSet driverSetFromJson(Model& model, std::string_view text, std::string_view path);

// Makes morph targets of shapes that the model does not have yet. Throws usageError for a shape of
// another mesh.
void addShapes(Model& model, std::span<const CorrectiveShape> shapes);

} // namespace sinew
