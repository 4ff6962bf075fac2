// Stretchable, twistable bones (Jacobson and Sorkine 2011): the INFLUENCES heaviest bones blended
// linearly, each with its twist and its growth taken at the vertex' share of its length, attributes
// boneShareN. Rows of a joint: rotation; (a', twist); (a, growth); (direction, S01);
// (S00, S11, S22, S12); S02, S its stretch.

#if INFLUENCES > 8
float shareAt(int i) { return i < 4 ? boneShare0[i] : i < 8 ? boneShare1[i - 4] : boneShare2[i - 8]; }
#elif INFLUENCES > 4
float shareAt(int i) { return i < 4 ? boneShare0[i] : boneShare1[i - 4]; }
#else
float shareAt(int i) { return boneShare0[i]; }
#endif

mat3x4 readStretch(uint joint) {
  vec4 s = paletteRow(joint, 4);
  float xy = paletteRow(joint, 3).w;
  float xz = paletteRow(joint, 5).x;
  return mat3x4(s.x, xy, xz, 0.0, xy, s.y, s.w, 0.0, xz, s.w, s.z, 0.0);
}

// The bone's rotation less what of its twist lies beyond the vertex.
vec4 rotationAt(uint joint, float e) {
  vec4 whole = paletteRow(joint, 0);
  float twist = paletteRow(joint, 1).w;
  vec3 sine; // sin(angle / 2), where the angle goes up to pi
  vec3 cosine;
  quarterSineCosine(vec3(0.5 * (1.0 - e) * abs(twist)), sine, cosine);
  vec3 back = (twist < 0.0 ? sine.x : -sine.x) * paletteRow(joint, 3).xyz;
  return vec4(whole.w * back + cosine.x * whole.xyz + cross(whole.xyz, back),
              whole.w * cosine.x - dot(whole.xyz, back));
}

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  skinnedPosition = vec3(0.0);
  vec3 sum = vec3(0.0);
  for (int i = 0; i < INFLUENCES; ++i) {
    uint joint = jointAt(i);
    float weight = weightAt(i);
    float e = shareAt(i);
    vec4 start = paletteRow(joint, 2);
    vec3 arm = position - start.xyz;
    vec3 along = paletteRow(joint, 3).xyz;
    vec3 across = normal;
    if (nonUniformScale) {
      mat3x4 stretch = readStretch(joint);
      arm = vec4(arm, 0.0) * stretch;
      along = vec4(along, 0.0) * stretch;
      across = transformNormal(stretch, normal);
    }
    vec4 rotation = rotationAt(joint, e);
    skinnedPosition +=
        weight * (paletteRow(joint, 1).xyz + rotate(rotation, arm + e * start.w * along));
    sum += weight * rotate(rotation, across);
  }
  float squared = dot(sum, sum);
  skinnedNormal = squared > 1e-30 ? sum * inversesqrt(squared) : vec3(0.0);
}
