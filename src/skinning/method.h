// The contract of a skinning method. A method is data: a name, a paper, parameters and three
// functions. Adding one takes a source here, one GLSL file in shaders/skinning/
// and one line in methods.cpp; the command line, the viewer, the benchmark, the documents and the
// parity test loop over that table.
//
//   bind  once per model: the data of each vertex, packed as vertex attributes
//   pack  once per frame: the data of each joint, packed as rows of four floats
//   skin  the CPU reference: the same result as the GLSL skin(), written separately
//
// The renderer uses only Binding and Palette, so it does not depend on any method.
#pragma once

#include "animation/pose_lanes.h"
#include "rig/morph.h"
#include "rig/zones.h"
#include "skinning/binding.h"
#include "skinning/method_function.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

// What a method needs of a pose: rows of four floats, Binding::rowsPerEntry per entry (a joint, or
// a spline). Only the method and its GLSL know what a row means: a matrix row, a dual quaternion, a
// control point.
struct Palette {
  std::vector<vec4> rows;
  // Some entry stretches or shears, so the more expensive form of skin() is needed. For matrices:
  // the scale differs between axes, and normals need the cofactor matrix. Set by pack, read by
  // skin() on CPU and GPU.
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
  std::span<const std::string_view> choices = {}; // not empty: the value is an index of one
  bool whole = false;                             // whole numbers only
  bool advanced = false; // a choice of how it is computed, with the same result
};

struct Method;
struct ShownModel;
struct SurfaceShare;
struct SurfaceMotion;

inline constexpr std::uint32_t kInfluenceLimit = 12;   // influences per vertex that a draw takes
inline constexpr std::uint32_t kDefaultInfluences = 8; // kept per vertex, unless more are asked for

struct BindOptions {
  std::uint32_t influences = kDefaultInfluences; // kept per vertex, the largest; renormalised
  std::vector<float> parameters = {}; // one per Method::parameters; those left out: defaults
  std::vector<Zone> zones = {};       // one per joint of the rig; empty: fitted to the weights
  // One per joint of the rig, or empty; without a value: the method's parameter applies.
  std::vector<std::optional<ParameterSource>> sources = {};
  // One per joint of the rig, or empty; without a value: the method's parameter applies.
  std::vector<std::optional<TwistRange>> twists = {};
  bool tangents = true; // with the attributes that tangents of the rig take beside others
  // Binding::forms for every number of joints that a vertex may have, for drawing crowds: each pays
  // for its own, in more draws, and a change of weights may take a vertex to another draw.
  bool formPerCount = false;
  // One per joint of the rig, or empty, for a method that is another one at every joint; null where
  // none is stated.
  std::vector<const Method*> methods = {};
  // The method's share as part of a mixture with exact normals, by which its gradients are scaled.
  // Null: it has the whole surface.
  const SurfaceShare* share = nullptr;
  bool operator==(const BindOptions&) const = default;
};

// The vector code of cpu_skin/ that has a method's result; reference: none, Method::skin runs.
enum class SkinKernel {
  reference,
  matrices,
  dualQuaternions,
  fractions, // bones blending
  arcs,
  beziers,
  centers,
  bones,    // stretchable and twistable
  smoothed, // direct delta mush
};

// What an entry of a palette is, where others than the method read it.
enum class PaletteEntry { own, boneMatrix, dualQuaternion };

struct Method {
  std::string_view name;       // the command line's word
  std::string_view title;      // for captions and menus
  std::string_view shortTitle; // for places with little room
  std::string_view paper;
  std::string_view summary;      // one sentence: what it does well and where it fails
  std::string_view formula = {}; // lines of docs/methods.md
  std::string_view symbols = {}; // what the formula's letters are
  std::span<const Parameter> parameters;
  // The files below shaders/ that define skin(position, normal, out, out) with all it calls, in the
  // order in which they are joined.
  std::span<const std::string_view> shaders;
  // Vertices are attached to joints by zones: bind reads BindOptions::zones and sources, and fits
  // those left out to the weights of all vertices.
  bool usesZones = false;
  // A model's free splines bend its skin, with addRotations. Others bend by joints alone.
  bool usesFreeSplines = false;
  // The binding of a vertex depends on others: bind reads Rig::triangles, or the bones' lengths,
  // which may be those of their skin.
  bool needsAllVertices = false;
  // It is another method of the table at every joint: bind reads BindOptions::methods.
  bool perJoint = false;
  // boneMatrix: the rows of M; every vertex is a mean of where they bring it. dualQuaternion: dqs.
  PaletteEntry entry = PaletteEntry::own;

  MethodFunction<Binding(const Rig& rig, const BindOptions& options)> bind;
  // Reads of the rig its joints and splines, and of the binding no vertex (page/pose_rig.h).
  // modelFromNode: F of every node of the hierarchy the rig was built from. rows: entryCount *
  // rowsPerEntry of them, all written. Returns Palette::nonUniformScale; the rows have to serve
  // both forms of skin() all the same, for one answer holds for all that is drawn together. The
  // characters of a crowd are packed one after another.
  std::function<bool(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
                     std::span<vec4> rows)>
      pack;
  // vertices: those of the rig the binding was made for; morph targets may have moved them.
  MethodFunction<void(const BindVertices& vertices, const Binding& binding, const Palette& palette,
                      SkinnedMesh& out)>
      skin;
  // By it the CPU skins for use. A method without one takes 20 to 50 times as long there.
  SkinKernel kernel = SkinKernel::reference;
  // Tangents of the rig's normal maps, as skin() has normals: Method::tangentShaders define
  // skinTangent(position, normal, tangent), whose result is a unit tangent, or zero where the posed
  // surface has none, and in w -1 where the cross product of normal and tangent has turned round.
  // This is its CPU reference: those, times the w of the tangents. Null: normal maps are not drawn.
  std::span<const std::string_view> tangentShaders = {};
  MethodFunction<std::vector<vec4>(const BindVertices& vertices, const Binding& binding,
                                   const Palette& palette)>
      skinTangents = nullptr;
  // pack of kLanes characters side by side, with the same result; lanes that repeat another have
  // its rows too. mayScaleUnevenly: where it is false no M(j) does, and nobody has to look. Null:
  // they are packed one by one.
  MethodFunction<bool(const Rig& rig, const PoseLanes& pose, bool mayScaleUnevenly,
                      std::span<const std::span<vec4>, kLanes> rows)>
      packLanes = nullptr;
  // Called after pack with Pose::twists, to add the whole rotations that matrices do not hold. Null
  // without usesFreeSplines.
  void (*addRotations)(const Rig& rig, const Binding& binding, std::span<const float> twists,
                       std::span<vec4> rows) = nullptr;
  // Per vertex: whether its normal in this pose is mostly rounding, so that GPU and CPU may differ.
  // Null if that cannot happen.
  MethodFunction<std::vector<bool>(const BindVertices& vertices, const Binding& binding,
                                   const Palette& palette)>
      unstableNormals = nullptr;
  // As unstableNormals, for positions; the vertices are among those.
  MethodFunction<std::vector<bool>(const BindVertices& vertices, const Binding& binding,
                                   const Palette& palette)>
      unstablePositions = nullptr;
  // After morph targets have moved vertices: rewrites what `out`, a copy of the binding `bound`,
  // holds of their positions and normals. All else stays that of the bind pose. Null if a binding
  // holds nothing of them: then skin() takes the moved vertices alone.
  MethodFunction<void(const Rig& rig, const Binding& bound, const MorphedVertices& morphed,
                      Binding& out)>
      morph = nullptr;
  // How the surface about every vertex moves, with the method's share of each vertex: for a method
  // with exact normals, as part of a mixture. The method's GLSL has skinSurface() and
  // surfaceCounts(). Null: it has none.
  MethodFunction<std::vector<SurfaceMotion>(const BindVertices& vertices, const Binding& binding,
                                            const Palette& palette, std::span<const float> shares)>
      surface = nullptr;
  // Null: the given model is shown (shown_model.h).
  std::shared_ptr<const ShownModel> shows = {};
};

// The options' values of a method's parameters, its defaults where they give none.
std::vector<float> parameterValues(std::span<const Parameter> parameters,
                                   const BindOptions& options);

// Whether normal maps are drawn: the rig has tangents, and the method those of this binding.
bool takesTangents(const Rig& rig, const Method& method, const Binding& binding);

// Calls method.pack() with a palette of the needed size. twists: Pose::twists.
void packPalette(const Method& method, const Rig& rig, const Binding& binding,
                 std::span<const mat4> modelFromNode, Palette& out,
                 std::span<const float> twists = {});

} // namespace sinew
