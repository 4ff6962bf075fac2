// What one picture of the scene looks like: plain data, read by the renderer.
#pragma once

#include "core/bounds.h"
#include "view/camera.h"

#include <array>
#include <optional>

namespace sinew {

// In pixels of the bound framebuffer, from its lower left.
struct Viewport {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  float aspect() const {
    return height > 0 ? static_cast<float>(width) / static_cast<float>(height) : 1.0f;
  }
};

// Light from all around: a normal's irradiance over pi is a polynomial of order 2 in it, with these
// factors of 1, y, z, x, xy, yz, 3zz - 1, xz, xx - yy (light/surroundings.h).
struct Irradiance {
  std::array<vec3, 9> coefficients{};
};

// The direction from which most of it comes, unit length; upwards where it comes alike from all.
vec3 mainDirection(const Irradiance& irradiance);

// A soft light: its radiance falls off by exp(sharpness (cos a - 1)) at an angle a from its middle
// (a spherical Gaussian).
struct SoftLight {
  vec3 towards{0.0f, 1.0f, 0.0f}; // its middle, unit length
  float sharpness = 1.0f;
  vec3 radiance{0.0f};
};

// What lights the physically based look: the surroundings without the key light, the soft box that
// shines along Light::direction, and soft lights of which a surface shows reflections. Radiance and
// irradiance over pi are those of a white surface; directions are as those of Light::picture.
struct Studio {
  Irradiance around;
  vec3 key{0.0f}; // irradiance over pi of a surface that faces it
  float keySharpness = 1.0f;
  std::array<SoftLight, 2> softLights;
};

struct Light {
  vec3 direction{0.45f, 0.8f,
                 0.55f}; // towards the light: world space, or the camera's if headlight
  float intensity = 1.0f;
  bool headlight = false; // moves with the camera
  // In place of sky, ground, key light and fill, turned about y so that its +z is where `direction`
  // points.
  std::optional<Irradiance> picture = {};
  // In place of both, by metalness and roughness (docs/look.md). Without it the plain look.
  std::optional<Studio> studio = {};
};

enum class FieldColors { greyToRed, colorBlindSafe };

// The colour of a field's value in [0, 1], sRGB: what heatColor() in shaders/common/color.glsl
// shows of it unshaded.
vec3 fieldColor(FieldColors colors, float value);

struct Show {
  bool textures = true;
  bool shaded = true;     // false: unlit
  bool wireframe = false; // lines over the surface
  bool normals = false;   // a line per vertex
  bool grid = false;      // on the ground
  bool shadows = false;   // cast by the key light, on the model and on the ground
  bool occlusion = false; // the mesh's field is the share of the surroundings hidden from a vertex
  bool field = false;     // the mesh's scalar field as colour instead of its material
  // Leaves out the backs of materials that are not double-sided: nearly half the cost of a crowd.
  // Off by default, as a surface that skinning has inverted would have holes.
  bool cullBackFaces = false;
  bool vertexOnly = false; // no rasterisation: measures the cost of vertex processing
};

struct View {
  Camera camera;
  Viewport viewport;
  Bounds scene;                         // all that is drawn; sets near and far plane, line sizes
  vec3 background{0.16f, 0.17f, 0.19f}; // as seen on the screen (sRGB)
  bool studio = false;                  // in its place the studio's light (view/backdrop.h)
  Light light;
  Show show;
  FieldColors fieldColors = FieldColors::greyToRed;
  vec2 fieldRange{0.0f, 1.0f}; // values at the ends of the colour scale
};

// Height of the ground grid: y = 0, or the scene's lower end where that is well below.
float groundHeight(const Bounds& scene);

mat4 clipFromWorld(const View& view);

// Where a point of the world is on the screen: pixels from the viewport's upper left, z in [0, 1].
vec3 screenFromWorld(const View& view, const vec3& world);

} // namespace sinew
