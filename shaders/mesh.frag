// A surface under one light, a sky and a ground.
in vec3 worldPosition;
in vec3 worldNormal;
#ifdef TEXTURED
in vec2 surfaceTexcoord;
uniform sampler2D baseTexture;
#endif
#ifdef VERTEX_COLORS
in vec4 surfaceColor;
#endif
#ifdef FIELD
in vec3 surfaceField; // a colour, sRGB; or a scalar in x
#endif
uniform vec4 baseColor; // linear
uniform vec2 gloss;     // specular strength, exponent
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

// The normal on the side that is seen: a surface has two, whichever way its triangles wind (a
// mirrored joint flips it). Where a normal is missing, the triangle's normal is used.
vec3 facingNormal(vec3 toEye) {
  vec3 flat_ = cross(dFdx(worldPosition), dFdy(worldPosition));
  flat_ *= dot(flat_, toEye) < 0.0 ? -1.0 : 1.0;
  vec3 n = dot(worldNormal, worldNormal) > 1e-12 ? worldNormal : flat_;
  n *= dot(n, flat_) < 0.0 ? -1.0 : 1.0;
  float squared = dot(n, n);
  return squared > 0.0 ? n * inversesqrt(squared) : toEye;
}

vec3 shade(vec3 albedo) {
  vec3 toEye = normalize(eye.xyz - worldPosition);
  vec3 n = facingNormal(toEye);
  const vec3 kSky = vec3(0.44, 0.48, 0.56);
  const vec3 kGround = vec3(0.19, 0.17, 0.15);
  const vec3 kSun = vec3(0.92, 0.88, 0.82);
  vec3 ambient = mix(kGround, kSky, 0.5 + 0.5 * n.y);
  float facing = max(dot(n, light.xyz), 0.0);
  vec3 halfway = normalize(light.xyz + toEye + 1e-6);
  float highlight = facing > 0.0 ? gloss.x * pow(max(dot(n, halfway), 0.0), gloss.y) : 0.0;
  float away = 1.0 - max(dot(n, toEye), 0.0);
  float rim = 0.16 * away * away * away * (0.6 + 0.4 * n.y);
  return albedo * (ambient + light.w * facing * kSun) + light.w * highlight * kSun + rim * kSky;
}

void main() {
#if defined(FIELD) && defined(FIELD_IS_COLOR)
  vec3 albedo = linearFromSrgb(surfaceField);
#elif defined(FIELD)
  vec3 albedo = heatColor(surfaceField.x);
#else
  vec4 material = materialColor();
#ifdef ALPHA_MASK
  if (material.a < 0.5) discard;
#endif
  vec3 albedo = material.rgb;
#endif
#ifdef UNLIT
  fragment = vec4(srgbFromLinear(albedo), 1.0);
#else
  fragment = vec4(srgbFromLinear(shade(albedo)), 1.0);
#endif
}
