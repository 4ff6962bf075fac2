// The shader programs: which files make one, and each built once.
#pragma once

#include "gl/program.h"
#include "gl/vertex_array.h"
#include "render/palette_format.h"
#include "render/part_shaders.h"
#include "skinning/method.h"
#include "view/draw_choices.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinew {

// Binding points, the same for every program.
inline constexpr unsigned kFrameBlock = 0;
inline constexpr unsigned kPaletteBlock = 1;
inline constexpr unsigned kPaletteStorage =
    2; // differs from those of compute shaders; as in palette.glsl
inline constexpr unsigned kPaletteUnit = 0;
inline constexpr unsigned kBaseTextureUnit = 1;
inline constexpr unsigned kNormalTextureUnit = 2;
inline constexpr unsigned kPlaysUnit = 3;
inline constexpr unsigned kSurfaceTextureUnit = 4;
inline constexpr unsigned kOcclusionTextureUnit = 5;
inline constexpr unsigned kFurtherUnit = 6; // this unit and the next: kFurtherTextures
inline constexpr unsigned kEmissiveTextureUnit = 8;
inline constexpr unsigned kShadowUnit = 9;

// Texels of a shadow map's side; SHADOW_SIDE in GLSL.
inline constexpr int kShadowSide = 512;

enum class Pass {
  surface,   // mesh.vert, mesh.frag
  wireframe, // mesh.vert, flat.frag
  normals,   // mesh.vert, normals.geom, flat.frag
  capture,   // capture.vert alone
  captureTangents,
  compute, // skin.comp alone, for a mesh made with GpuMeshOptions::compute
};

// What a mesh contributes to the text of its vertex shaders.
struct SkinShader {
  std::vector<ShaderText> mixed;  // the methods that skin() calls, partShaders()
  std::vector<std::string> parts; // files below shaders/ that define skin(), in order
  // For passes that draw the mesh with tangents: further files, which define skinTangent(), and
  // what takes the place of `mixed`.
  std::vector<std::string> tangentParts;
  std::vector<ShaderText> mixedTangents;
  std::string inputs;               // inputDeclarations()
  std::vector<std::string> defines; // for the binding's variant and the palette's storage
  int version = 330;                // GLSL version
  std::size_t hash = 0;             // hash of all these

  bool operator==(const SkinShader&) const = default;
};

// How a palette in a texture is read. Baked: rows of all frames of clips, and each instance says
// where in them it is (GpuMesh::setPlays).
struct PaletteReading {
  PaletteFormat format = PaletteFormat::f32;
  bool baked = false;
};

struct SkinShaderOptions {
  PaletteStorage storage = PaletteStorage::texture;
  std::uint32_t capacityRows = 0; // rows of the palette's array: only for uniform array and block
  bool tangents = false;          // the mesh has tangents
  PaletteReading reading = {};
  // Where a compute shader finds the attributes of a vertex. Empty: a vertex shader.
  std::span<const VertexAttribute> stored = {};
};

// form: one of listForms(binding).
SkinShader makeSkinShader(const Method& method, const Binding& binding, const BindingForm& form,
                          const SkinShaderOptions& options);

// What a surface shows.
struct SurfaceVariant {
  bool unlit = false;
  bool field = false;          // shows a scalar as colour
  bool fieldIsColor = false;   // the field is a colour itself
  bool colorBlindSafe = false; // colours of the field
  bool textured = false;
  bool normalMap = false; // only for a mesh with tangents
  bool alphaMask = false;
  bool alphaBlend = false;
  bool flat = false; // Material::flat
  bool vertexColors = false;
  bool pictureLight = false;                                          // Light::picture
  bool physical = false;                                              // Light::studio
  bool surfaceMap = false, occlusionMap = false, emissiveMap = false; // if physical
  bool occlusion = false; // the field is how much of its surroundings a vertex is hidden from
  bool shadowed = false;  // a shadow map shades it

  bool operator==(const SurfaceVariant&) const = default;
};

// Everything that decides a program's text.
struct ProgramKey {
  Pass pass = Pass::surface;
  std::shared_ptr<const SkinShader> skin;
  bool nonUniformScale = false; // Palette::nonUniformScale
  SurfaceVariant surface = {};

  bool operator==(const ProgramKey& other) const;
};

// The shader that calls skin(), part by part: the vertex shader of a surface, that of
// Pass::capture, which has another main(), or the compute shader. The stage refers to texts of the
// key's SkinShader, which has to live as long.
Stage vertexStage(const ProgramKey& key);

// All stages of a program, vertex shader first; likewise those of overlay and ground. They refer to
// the key's texts.
std::vector<Stage> makeStages(const ProgramKey& key);
std::vector<Stage> overlayStages();
std::vector<Stage> groundStages();

// A program with the locations of its uniforms.
struct SkinnedProgram {
  Program program;
  Uniform baseColor, gloss, lineColor, normalScale, alphaCutoff, pictureLight;
  Uniform palette, paletteInstanceRows; // buffer texture; `palette` also for a uniform array
  Uniform paletteScale, bakedSeconds;   // buffer texture: dq16 format; baked palettes
  Uniform metalRough, emissiveGlow, softLights, shadowFromWorld; // physical look
  Uniform batch, posed, firstCharacter;                          // Pass::compute
};

// Settings and models have more combinations than a driver has memory for programs. So the least
// recently used program is deleted if there are more than a frame of every method needs.
class Programs {
 public:
  static constexpr std::size_t kMaxPrograms = 512;

  Programs() = default;
  explicit Programs(std::size_t max) : max_(max) {}

  // Allocates nothing for a program that already exists. Valid until as many others as the
  // maximum have been requested. Throws graphicsError that names shader file and line.
  const SkinnedProgram& skinned(const ProgramKey& key);
  const Program& overlay();
  const Program& ground(); // draws the shadow on the ground

 private:
  struct KeyHash {
    std::size_t operator()(const ProgramKey& key) const;
  };
  struct Entry {
    SkinnedProgram program;
    std::uint64_t lastUse = 0; // call of skinned()
  };
  void deleteLeastUsed();

  std::size_t max_ = kMaxPrograms;
  std::uint64_t calls_ = 0;
  std::unordered_map<ProgramKey, Entry, KeyHash> skinned_;
  Program overlay_;
  Program ground_;
};

} // namespace sinew
