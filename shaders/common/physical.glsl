// The physically based look: metalness and roughness as glTF 2.0 has them, lit by a studio's
// surroundings, its soft light and a key light with a shadow.
#ifdef PHYSICAL
uniform vec2 metalRough;   // factors
uniform vec4 emissiveGlow; // linear; w: strength of the occlusion texture
// A soft light: its middle and sharpness, its radiance. First the key light's soft box. Last the
// key light's irradiance over pi.
uniform vec4 softLights[7];
#ifdef SURFACE_MAP
uniform sampler2D surfaceTexture;
#endif
#ifdef OCCLUSION_MAP
uniform sampler2D occlusionTexture;
#endif
#ifdef EMISSIVE_MAP
uniform sampler2D emissiveTexture;
#endif
#ifdef SHADOWED
uniform sampler2DShadow shadowMap;
uniform vec4 shadowFromWorld[4]; // columns; [3].w: a texel in the world
#endif

// Khronos PBR Neutral: colours below 0.76 stay but for the light that every dielectric mirrors; what
// is brighter is compressed by its largest component and loses some colour.
vec3 neutral(vec3 color) {
  const float kStart = 0.76;
  const float kDesaturation = 0.15;
  float low = min(color.x, min(color.y, color.z));
  color -= low < 0.08 ? low - 6.25 * low * low : 0.04;
  float peak = max(color.x, max(color.y, color.z));
  if (peak < kStart) return color;
  float room = 1.0 - kStart;
  float held = 1.0 - room * room / (peak + room - kStart);
  float fade = 1.0 - 1.0 / (kDesaturation * (peak - held) + 1.0);
  return mix(color * (held / peak), vec3(held), fade);
}

// What a rough surface mirrors of light from all around is its reflectance at normal incidence times
// x, plus y: the fit of Lazarov (2013: Getting more physical in Call of Duty).
vec2 mirroredShare(float roughness, float facingEye) {
  vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
  float grazing = min(r.x * r.x, exp2(-9.28 * facingEye)) * r.x + r.y;
  return vec2(-1.04, 1.04) * grazing + r.zw;
}

// A soft light as a rough surface mirrors it, over the irradiance of its unblurred reflection: the product
// of two spherical Gaussians (Wang et al. 2009: All-frequency rendering of dynamic,
// spatially-varying reflectance). spread: the sharpness of the surface's lobe.
vec3 mirroredLight(int i, vec3 direction, float spread) {
  vec4 middle = softLights[2 * i];
  float sharpness = middle.w * spread / (middle.w + spread);
  return softLights[2 * i + 1].xyz *
         (sharpness / middle.w * exp2(1.442695 * sharpness * (dot(direction, middle.xyz) - 1.0)));
}

#ifdef SHADOWED
// The share of the key light that reaches a point.
float keyReaches(vec3 position, vec3 normal) {
  vec3 at = position + (1.5 * shadowFromWorld[3].w) * normal;
  vec3 seen = shadowFromWorld[0].xyz * at.x + shadowFromWorld[1].xyz * at.y +
              shadowFromWorld[2].xyz * at.z + shadowFromWorld[3].xyz;
  const vec2 kTexel = vec2(1.0 / SHADOW_SIDE);
  float sum = texture(shadowMap, vec3(seen.xy + vec2(-1.4, -0.5) * kTexel, seen.z)) +
              texture(shadowMap, vec3(seen.xy + vec2(0.5, -1.4) * kTexel, seen.z)) +
              texture(shadowMap, vec3(seen.xy + vec2(1.4, 0.5) * kTexel, seen.z)) +
              texture(shadowMap, vec3(seen.xy + vec2(-0.5, 1.4) * kTexel, seen.z));
  return 0.25 * sum;
}
#endif
#endif
