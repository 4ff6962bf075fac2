// A rigged character as plain data: what import makes, what the rest of the program reads.
//
// Space: right-handed, Y up, the file's own unit of length (metersPerUnit says which, where the
// file does). No OpenGL, no pointers, no shared state: a Model can be made on any thread and moved.
#pragma once

#include "model/clip.h"
#include "model/hierarchy.h"
#include "model/mesh.h"
#include "model/spring_bones.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

// One joint of a skin. Two skins may bind one node differently.
struct SkinJoint {
  std::uint32_t node = 0;
  mat4 jointFromBind{1.0f}; // A(j)^-1, the file's inverse bind ("offset") matrix
};

struct Skin {
  std::vector<SkinJoint> joints;
};

// A spline that bends skin by itself, without a joint of its own (Forstmann and Ohya 2006): three
// control points, each carried by a scene node, straight or curved in the bind pose. Nodes are
// joints of every skin whose meshes follow the spline. A spline is attached to another by parenting
// its first node to one of the other's.
struct FreeSpline {
  std::string name;
  std::array<std::uint32_t, 3> nodes{};
  std::array<vec3, 3> points{}; // bind space
};

// 8-bit RGBA, rows from the top.
struct Image {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgba;
};

struct Texture {
  std::string path;   // as the file names it
  std::string source; // place where it was found: a path, "embedded", or empty
  Image image;        // a checkerboard where it was not found
  bool found = false;
};

// What becomes of what is behind a surface: nothing is seen of it; all, where alpha is below the
// cutoff; or a part by alpha.
enum class AlphaMode { opaque, mask, blend };

// What the textures of a material are for.
enum class TextureRole : std::uint32_t { baseColor, normals, surface, occlusion, emissive };

// A texture, and what its channels are multiplied by in place of the material's factors.
struct MaterialTexture {
  TextureRole role = TextureRole::baseColor;
  std::uint32_t texture = 0;
  vec3 factor{1.0f};
};

struct Material {
  std::string name;
  vec4 baseColor{0.8f, 0.8f, 0.8f, 1.0f}; // linear
  std::optional<std::uint32_t> texture;   // base colour, sRGB
  // Normal map, by the texture coordinates of the base colour: x along Mesh::tangents, y up in the
  // image, z along the normal; x and y times the scale.
  std::optional<std::uint32_t> normalTexture = {};
  float normalScale = 1.0f;
  // The physically based look, by the texture coordinates of the base colour.
  float metallic = 0.0f;
  float roughness = 0.5266404f;                     // toRoughness(shininess)
  std::optional<std::uint32_t> surfaceTexture = {}; // times these: green roughness, blue metalness
  std::optional<std::uint32_t> occlusionTexture = {}; // red: how much of the surroundings is seen
  float occlusionStrength = 1.0f;
  vec3 emissive{0.0f};                               // linear; may exceed 1
  std::optional<std::uint32_t> emissiveTexture = {}; // times it, sRGB
  // The plain look.
  float shininess = 24.0f;
  float specular = 0.2f;
  bool doubleSided = false;
  bool flat = false; // each triangle by its own normal, whatever Mesh::normals has
  AlphaMode alphaMode = AlphaMode::opaque;
  float alphaCutoff = 0.5f;
  // Textures by Mesh::texcoords1, which are not drawn.
  std::vector<MaterialTexture> texturesBySecondSet = {};
};

// One weight that moves vertices of one mesh or several (a blend shape). Names need not be unique.
struct MorphTarget {
  std::string name;
  float weight = 0.0f; // while no clip says otherwise; 1 is the whole offset, any number is allowed
};

// A named pose of morph targets ("happy"): the weights at full strength.
struct MorphPoseWeight {
  std::uint32_t target = 0;
  float weight = 1.0f;
};
struct MorphPose {
  std::string name;
  std::vector<MorphPoseWeight> weights;
  bool binary = false; // a strength above a half counts as 1, any other as 0
};

struct Model {
  std::string name;
  std::string path;   // empty for a generated model
  std::string format; // "FBX binary", "DirectX X text", "generated", ...
  std::optional<float> metersPerUnit;
  std::string skinnedBy; // the method that the file states, by its name; empty: none

  Hierarchy hierarchy;
  std::vector<Skin> skins;
  std::vector<FreeSpline> splines; // none: splines are made from the joints
  std::vector<MorphTarget> morphTargets;
  std::vector<MorphPose> morphPoses;
  SpringBones springBones;
  std::vector<Mesh> meshes;
  std::vector<Material> materials;
  std::vector<Texture> textures;
  std::vector<Clip> clips;

  std::vector<std::string> repairs;  // what was damaged in the file and has been repaired
  std::vector<std::string> warnings; // what is missing or cut
};

// The roughness of the highlight that has a Blinn-Phong exponent (Walter et al. 2007).
float toRoughness(float shininess);

// The textures that a material names, with what each is for.
std::vector<std::pair<TextureRole, std::uint32_t>> listTextures(const Material& material);

// "base colour", "normal map", ...
const char* toString(TextureRole role);

// Whether its texels are colours (sRGB), and not numbers.
bool isColor(TextureRole role);

// Whether there is an image to draw as the normal map.
bool showsNormalMap(const Model& model, const Material& material);

std::size_t vertexCount(const Model& model);
std::size_t triangleCount(const Model& model);

// Nodes that act as joints: those of skins; without any, those that clips move (not cameras beside
// a skeleton); without clips either, every node if there is no mesh. Ascending: parents come first.
std::vector<std::uint32_t> jointNodes(const Model& model);

// Clip by name (exact, then without case), by decimal index, or by the part of its name behind the
// last '|' or ':' where no other clip ends so. Throws usageError that lists names.
std::uint32_t findClip(const Model& model, std::string_view nameOrIndex);

// The word by which findClip() finds a clip: its name, or its index if other clips or the words
// "none" and "bind" have that name.
std::string clipWord(const Model& model, std::uint32_t clip);

// Rotates the whole model about the origin: rest poses, clips, bind spaces. rotation: unit.
void rotateModel(Model& model, const quat& rotation);

} // namespace sinew
