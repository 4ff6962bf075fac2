// Edges of a picture, softened along their direction (Lottes 2009: FXAA, the form for consoles):
// where the luminance of a pixel's corners differs, the mean of two or four places along the edge
// replaces the pixel.
uniform sampler2D picture; // sRGB, as it is seen
uniform vec2 texel;        // 1 / size
out vec4 fragment;

float luma(vec3 color) { return dot(color, vec3(0.299, 0.587, 0.114)); }

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec2 middle = gl_FragCoord.xy * texel;
  vec3 own = texelFetch(picture, at, 0).xyz;
  float m = luma(own);
  // The corners: each the mean of four pixels.
  float nw = luma(textureLod(picture, middle + vec2(-0.5, 0.5) * texel, 0.0).xyz);
  float ne = luma(textureLod(picture, middle + vec2(0.5, 0.5) * texel, 0.0).xyz);
  float sw = luma(textureLod(picture, middle + vec2(-0.5, -0.5) * texel, 0.0).xyz);
  float se = luma(textureLod(picture, middle + vec2(0.5, -0.5) * texel, 0.0).xyz);
  float darkest = min(m, min(min(nw, ne), min(sw, se)));
  float brightest = max(m, max(max(nw, ne), max(sw, se)));
  fragment = vec4(own, 1.0);
  const float kContrast = 0.125;
  const float kFaintest = 0.03;
  if (brightest - darkest < max(kFaintest, kContrast * brightest)) return;
  vec2 along = vec2(-(nw + ne) + (sw + se), (nw + sw) - (ne + se));
  float reduce = max((nw + ne + sw + se) * 0.03125, 0.0078125);
  vec2 direction = along / (min(abs(along.x), abs(along.y)) + reduce);
  direction = clamp(direction, -6.0, 6.0) * texel;
  vec3 near = 0.5 * (textureLod(picture, middle - direction / 6.0, 0.0).xyz +
                     textureLod(picture, middle + direction / 6.0, 0.0).xyz);
  vec3 far = 0.5 * near + 0.25 * (textureLod(picture, middle - 0.5 * direction, 0.0).xyz +
                                  textureLod(picture, middle + 0.5 * direction, 0.0).xyz);
  float l = luma(far);
  fragment = vec4(l < darkest || l > brightest ? near : far, 1.0);
}
