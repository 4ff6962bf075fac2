// A surface: physically based (common/physical.glsl), or under one light, a sky and a ground.
in vec3 worldPosition;
in vec3 worldNormal;
#ifdef TEXCOORDS
in vec2 surfaceTexcoord;
#endif
#ifdef TEXTURED
uniform sampler2D baseTexture;
#endif
#ifdef NORMAL_MAP
in vec4 worldTangent;
uniform sampler2D normalTexture;
uniform float normalScale;
#endif
#ifdef VERTEX_COLORS
in vec4 surfaceColor;
#endif
#ifdef FIELD
in vec3 surfaceField; // a colour, sRGB; or a scalar in x
#endif
#ifdef OCCLUSION
in float surfaceHidden; // from its surroundings: 0 to 1
#endif
uniform vec4 baseColor; // linear
uniform vec2 gloss;     // specular strength, exponent
#ifdef ALPHA_MASK
uniform float alphaCutoff;
#endif
#if defined(PICTURE_LIGHT) || defined(PHYSICAL)
uniform vec4 pictureLight[12]; // nine coefficients, and the rows of pictureFromWorld
#endif
out vec4 fragment;

vec4 materialColor() {
  vec4 c = baseColor;
#ifdef TEXTURED
  c *= texture(baseTexture, surfaceTexcoord);
#endif
#ifdef VERTEX_COLORS
  c *= surfaceColor;
#endif
  return c;
}

// A unit normal tilted by the normal map. The bitangent is the cross product of normal and tangent,
// times the tangent's sign, as glTF has it.
vec3 mappedNormal(vec3 n) {
#ifdef NORMAL_MAP
  vec3 t = worldTangent.xyz - dot(n, worldTangent.xyz) * n;
  float squared = dot(t, t);
  if (!(squared > 1e-12)) return n;
  t *= inversesqrt(squared);
  vec3 b = (worldTangent.w < 0.0 ? -1.0 : 1.0) * cross(n, t);
  vec3 tilt = 2.0 * texture(normalTexture, surfaceTexcoord).xyz - 1.0;
  vec3 mapped = normalScale * (tilt.x * t + tilt.y * b) + max(tilt.z, 0.01) * n;
  return mapped * inversesqrt(dot(mapped, mapped));
#else
  return n;
#endif
}

// The normal on the side that is seen: a surface has two, whichever way its triangles wind (a
// mirrored joint flips it). Where a normal is missing, or FLAT_NORMALS, the triangle's is used.
vec3 facingNormal(vec3 toEye) {
  vec3 flat_ = cross(dFdx(worldPosition), dFdy(worldPosition));
  flat_ *= dot(flat_, toEye) < 0.0 ? -1.0 : 1.0;
  float flatSquared = dot(flat_, flat_);
  vec3 n = flatSquared > 0.0 ? flat_ * inversesqrt(flatSquared) : toEye;
#ifdef FLAT_NORMALS
  return mappedNormal(n);
#else
  float squared = dot(worldNormal, worldNormal);
  if (!(squared > 1e-12)) return n;
  n = worldNormal * inversesqrt(squared);
  return dot(n, flat_) < 0.0 ? -mappedNormal(n) : mappedNormal(n);
#endif
}

// Up to the shoulder as it is; what is brighter comes near to the limit, below white, by its largest
// component, so that hues stay (the form of Khronos' neutral tone mapping).
vec3 compressed(vec3 color) {
  const float kShoulder = 0.68;
  const float kLimit = 0.96;
  float peak = max(color.x, max(color.y, color.z));
  if (peak <= kShoulder) return color;
  float room = kLimit - kShoulder;
  float held = kLimit - room * room / (peak + room - kShoulder);
  float fade = 1.0 - 1.0 / (0.15 * (peak - held) + 1.0);
  return mix(color * (held / peak), vec3(held), fade);
}

#if defined(PICTURE_LIGHT) || defined(PHYSICAL)
// The polynomial of the picture's light, with its linear and its quadratic part times factors.
vec3 harmonics(vec3 direction, float linear, float quadratic) {
  vec3 n = vec3(dot(pictureLight[9].xyz, direction), dot(pictureLight[10].xyz, direction),
                dot(pictureLight[11].xyz, direction));
  return pictureLight[0].xyz +
         linear *
             (n.y * pictureLight[1].xyz + n.z * pictureLight[2].xyz + n.x * pictureLight[3].xyz) +
         quadratic *
             (n.x * n.y * pictureLight[4].xyz + n.y * n.z * pictureLight[5].xyz +
              (3.0 * n.z * n.z - 1.0) * pictureLight[6].xyz + n.x * n.z * pictureLight[7].xyz +
              (n.x * n.x - n.y * n.y) * pictureLight[8].xyz);
}

// Irradiance at a unit normal, over pi (Ramamoorthi and Hanrahan 2001, eq. 13). Order 2 can fall below 0.
vec3 irradiance(vec3 normal) { return max(harmonics(normal, 1.0, 1.0), 0.0); }
#endif

#ifndef PHYSICAL
const vec3 kSky = vec3(0.31, 0.34, 0.39);

// A sky and a ground all around, a key light whose edge is soft, and a fill from beside the eye, so
// that no side is black or flat.
vec3 builtInLight(vec3 n, vec3 toEye, float facing, vec3 key) {
  const vec3 kGround = vec3(0.17, 0.155, 0.14);
  const vec3 kFill = vec3(0.24, 0.24, 0.25);
  vec3 fill = normalize(toEye + vec3(-0.5 * toEye.z, 0.4, 0.5 * toEye.x)); // left and above
  return mix(kGround, kSky, 0.5 + 0.5 * n.y) + max(dot(n, fill), 0.0) * kFill +
         light.w * facing * key;
}

vec3 shade(vec3 albedo) {
  vec3 toEye = normalize(eye.xyz - worldPosition);
  vec3 n = facingNormal(toEye);
  const float kSoftness = 0.12;
  float facing = max((dot(n, light.xyz) + kSoftness) / (1.0 + kSoftness), 0.0);
#ifdef PICTURE_LIGHT
  vec3 received = light.w * irradiance(n);
  vec3 key = irradiance(light.xyz); // the highlight's
  vec3 sky = light.w * irradiance(reflect(-toEye, n)); // what a rough surface mirrors
#else
  vec3 key = vec3(0.62, 0.595, 0.555);
  vec3 received = builtInLight(n, toEye, facing, key);
  vec3 sky = kSky;
#endif
  vec3 halfway = normalize(light.xyz + toEye + 1e-6);
  float highlight = facing > 0.0 ? gloss.x * pow(max(dot(n, halfway), 0.0), gloss.y) : 0.0;
  float away = 1.0 - max(dot(n, toEye), 0.0);
  float rim = 0.16 * away * away * away * (0.6 + 0.4 * n.y);
  return compressed(albedo * received + light.w * highlight * key + rim * sky);
}
#else
// What a surface of that roughness mirrors of the surroundings, soft lights left out: between their
// radiance, as far as the polynomial has it, and their irradiance.
vec3 surroundings(vec3 direction, float roughness) {
  return max(harmonics(direction, mix(1.5, 1.0, roughness), mix(2.5, 1.0, roughness)), 0.0);
}

vec3 shade(vec3 albedo) {
  vec3 toEye = normalize(eye.xyz - worldPosition);
  vec3 n = facingNormal(toEye);
  float metal = metalRough.x;
  float rough = metalRough.y;
#ifdef SURFACE_MAP
  vec3 texel = texture(surfaceTexture, surfaceTexcoord).xyz;
  rough *= texel.y;
  metal *= texel.z;
#endif
  rough = clamp(rough, 0.08, 1.0);
#if !defined(TEXTURED) && !defined(FIELD)
  // Bare surfaces are no whiter than plaster, so that form remains to be seen.
  const float kPlaster = 0.65;
  albedo *= min(1.0, kPlaster / max(max(albedo.x, max(albedo.y, albedo.z)), 1e-4));
#endif
  float open = 1.0; // the share of the surroundings that reaches the surface
#ifdef OCCLUSION
  open = 1.0 - surfaceHidden;
#endif
#ifdef OCCLUSION_MAP
  open *= 1.0 + emissiveGlow.w * (texture(occlusionTexture, surfaceTexcoord).x - 1.0);
#endif
  const float kSoftness = 0.1;
  float facing = max((dot(n, light.xyz) + kSoftness) / (1.0 + kSoftness), 0.0);
  float reaches = 1.0;
#ifdef SHADOWED
  reaches = keyReaches(worldPosition, n);
#endif
  vec3 received = open * irradiance(n) + facing * reaches * mix(0.7, 1.0, open) * softLights[6].xyz;
  float facingEye = clamp(dot(n, toEye), 0.0, 1.0);
  vec3 mirrored = reflect(-toEye, n);
  float alpha = rough * rough;
  float spread = 0.5 / (alpha * alpha * max(facingEye, 0.15));
  vec3 seen = surroundings(mirrored, rough) + mirroredLight(1, mirrored, spread) +
              mirroredLight(2, mirrored, spread);
  seen = open * seen + min(1.0, 8.0 * facing) * reaches * mirroredLight(0, mirrored, spread);
  vec2 share = mirroredShare(rough, facingEye);
  vec3 atNormal = mix(vec3(0.04), albedo, metal);
  vec3 color = light.w * ((1.0 - metal) * albedo * received + (share.x * atNormal + share.y) * seen);
#if !defined(FIELD)
  vec3 glow = emissiveGlow.xyz;
#ifdef EMISSIVE_MAP
  glow *= texture(emissiveTexture, surfaceTexcoord).xyz;
#endif
  color += glow;
#endif
  return neutral(color);
}
#endif

void main() {
  float alpha = 1.0;
#if defined(FIELD) && defined(FIELD_IS_COLOR)
  vec3 albedo = linearFromSrgb(surfaceField);
#elif defined(FIELD)
  vec3 albedo = heatColor(surfaceField.x);
#else
  vec4 material = materialColor();
#ifdef ALPHA_MASK
  if (material.a < alphaCutoff) discard;
#endif
#ifdef ALPHA_BLEND
  alpha = material.a;
#endif
  vec3 albedo = material.rgb;
#endif
#ifdef UNLIT
  fragment = vec4(srgbFromLinear(albedo), alpha);
#else
  fragment = vec4(srgbFromLinear(shade(albedo)), alpha);
#endif
}
