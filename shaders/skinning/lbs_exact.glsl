// Linear blend skinning with exact normals, as part of a mixture of methods: the matrices are
// blended by weight, and the weights vary over the surface. Attribute gradientI: derivatives by u and
// v of the weight of influence 2 I, times the share of the surface, and of the one after it.
mat3x4 boneRows(int i) {
  uint joint = jointAt(i);
  return mat3x4(paletteRow(joint, 0), paletteRow(joint, 1), paletteRow(joint, 2));
}

vec4 gradientsAt(int pair) {
#if INFLUENCES > 10
  if (pair == 5) return gradient5;
#endif
#if INFLUENCES > 8
  if (pair == 4) return gradient4;
#endif
#if INFLUENCES > 6
  if (pair == 3) return gradient3;
#endif
#if INFLUENCES > 4
  if (pair == 2) return gradient2;
#endif
#if INFLUENCES > 2
  if (pair == 1) return gradient1;
#endif
  return gradient0;
}

vec2 getGradient(int i) {
  vec4 two = gradientsAt(i / 2);
  return i - 2 * (i / 2) == 0 ? two.xy : two.zw;
}

// Whether a mixture needs this method at the vertex: it has a share of it or of its surroundings.
bool surfaceCounts(float share) {
  bool some = share > 0.0;
  for (int i = 0; i < INFLUENCES; ++i)
    some = some || getGradient(i) != vec2(0.0);
  return some;
}

// As in common/exact_normal.glsl.
void skinSurface(float share, vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 start,
                 out vec3 u, out vec3 v, out vec2 growth, out bool mirrors) {
  mat3x4 modelFromBind = blendRows(0);
  vec3 tangentU;
  vec3 tangentV;
  surfaceTangents(normal, tangentU, tangentV);
  skinnedPosition = vec4(position, 1.0) * modelFromBind;
  start = vec4(position, 1.0) * boneRows(0);
  u = share * (vec4(tangentU, 0.0) * modelFromBind);
  v = share * (vec4(tangentV, 0.0) * modelFromBind);
  growth = vec2(0.0);
  mirrors = mirrorsSpace(modelFromBind);
  for (int i = 0; i < INFLUENCES; ++i) {
    vec2 grown = getGradient(i);
    vec3 apart = vec4(position, 1.0) * boneRows(i) - start;
    u += grown.x * apart;
    v += grown.y * apart;
    growth += grown;
  }
}

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  vec3 start;
  vec3 u;
  vec3 v;
  vec2 growth;
  bool mirrors;
  skinSurface(1.0, position, normal, skinnedPosition, start, u, v, growth, mirrors);
  skinnedNormal = computeNormal(u, v, mirrors);
}
