// The contract of a skinning method. A method is data: a name, a paper, parameters and three
// functions. Adding one is a pair of files here, one GLSL file of the same name in
// shaders/skinning/, and one line in methods.cpp; the command line, the viewer, the benchmark and
// the parity test loop over that table.
//
//   bind  once a model: what a vertex needs to know, packed as vertex attributes
//   pack  once a frame: what a joint needs to know, packed as rows of four floats
//   skin  the CPU reference: the same result as the GLSL skin(), written separately
//
// Binding and Palette are all the renderer sees, so it knows no method.
#pragma once

#include "rig/rig.h"
#include "rig/zones.h"
#include "skinning/binding.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

// What a method knows of a pose: rows of four floats, Binding::rowsPerItem to an item (a joint, or
// a spline). Only the method and its GLSL know what a row means: a matrix row, a dual quaternion, a
// control point.
struct Palette {
  std::vector<vec4> rows;
  // Some item stretches or shears: the dearer form of skin() is needed. For a matrix that means
  // scale that differs between axes, whose normals need the cofactor matrix. Said by pack, read by
  // both skin()s.
  bool nonUniformScale = false;
};

// Posed vertices in model space, in the rig's order. Normals are unit, or zero where the posed
// surface has none (a joint scaled to nothing) and where Binding::normals says that there are none.
struct SkinnedMesh {
  std::vector<vec3> positions;
  std::vector<vec3> normals;
};

// A tunable of a method; the command line and the viewer show it.
struct Parameter {
  std::string_view name;
  float minimum;
  float maximum;
  float value; // default
  std::string_view help;
  std::span<const std::string_view> choices = {}; // where not empty, the value is an index of one
  bool whole = false;                             // whole numbers only
};

struct BindOptions {
  std::uint32_t influences = 4; // kept per vertex: 4, 8 or 12; the largest weights, renormalised
  std::vector<float> parameters = {}; // one per Method::parameters; those left out: defaults
  std::vector<Zone> zones = {};       // one per joint of the rig; empty: fitted to the weights
  // One per joint of the rig, or none at all; without a value: as the method's parameter says.
  std::vector<std::optional<ParameterSource>> sources = {};
  bool operator==(const BindOptions&) const = default;
};

struct Method {
  std::string_view name;  // the command line's word and, with '_', the GLSL file's name
  std::string_view title; // for captions and menus
  std::string_view paper;
  std::string_view summary; // one sentence: what it does well and where it fails
  std::span<const Parameter> parameters;

  Binding (*bind)(const Rig& rig, const BindOptions& options);
  // modelFromNode: F of every node of the hierarchy the rig was built from. rows: itemCount *
  // rowsPerItem of them, all written. Returns Palette::nonUniformScale. A crowd packs its
  // characters one behind another.
  bool (*pack)(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
               std::span<vec4> rows);
  void (*skin)(const Rig& rig, const Binding& binding, const Palette& palette, SkinnedMesh& out);
};

// pack into a palette of its own.
void packPalette(const Method& method, const Rig& rig, const Binding& binding,
                 std::span<const mat4> modelFromNode, Palette& out);

} // namespace sinew
