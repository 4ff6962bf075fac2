// The surroundings of the physically based look, a generated studio or a picture, as irradiance:
// nine spherical harmonics coefficients are enough for what a diffuse surface reflects (Ramamoorthi
// and Hanrahan 2001: An efficient representation for irradiance environment maps).
#pragma once

#include "view/view.h"

#include <cstddef>
#include <span>

namespace sinew {

// A picture of everything around, equirectangular: all around in a row, from above to below in a
// column, twice as wide as high. Its middle is seen in the direction of +z from within, with +x to
// the left. Linear radiance, three numbers a pixel; not finite or negative counts as nothing.
struct Panorama {
  std::size_t width = 0;
  std::size_t height = 0;
  std::span<const float> rgb;
};

// Where the middle of a pixel is seen, unit length.
vec3 computeDirection(const Panorama& picture, std::size_t column, std::size_t row);

// Weights every pixel by its solid angle. The picture must not be empty.
Irradiance computeIrradiance(const Panorama& picture);

// The irradiance of a surface with this unit normal, over pi: what a white surface reflects. Even
// light gives its radiance; light from one direction is off by at most 3/32 of its largest value.
vec3 irradianceAt(const Irradiance& irradiance, const vec3& normal);

// The mean over all normals, as luminance (ITU-R BT.709).
float meanLuminance(const Irradiance& irradiance);

// A grey room with a bright ceiling, a key light, a strip to the other side and a light behind. Its
// irradiance is that of the room and of the soft lights as a panorama would show them.
const Studio& studio();

// Light from a picture alone: it has no key light of its own, and mirrors as a soft light what
// comes from its main direction.
Studio fitStudio(const Irradiance& picture);

} // namespace sinew
