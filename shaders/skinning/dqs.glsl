// Dual quaternion skinning (Kavan et al. 2008): the rigid motions of the INFLUENCES heaviest joints,
// blended as dual quaternions. Rows of a joint: real, dual, then three rows of its stretch.

// q and -q are the same rotation: each joint takes the one on the heaviest joint's side. Both parts
// are as long as they come out: who uses them divides by the square.
void blendMotions(out vec4 real, out vec4 dual) {
  vec4 pivot = paletteRow(joints0.x, 0);
  real = weights0.x * pivot;
  dual = weights0.x * paletteRow(joints0.x, 1);
  for (int i = 1; i < INFLUENCES; ++i) {
    uint joint = jointAt(i);
    vec4 rotation = paletteRow(joint, 0);
    float weight = dot(pivot, rotation) < 0.0 ? -weightAt(i) : weightAt(i);
    real += weight * rotation;
    dual += weight * paletteRow(joint, 1);
  }
}

#ifdef BONE_ROW
// Bulge-free (Kim and Han 2014): BONE_ROW and the next are the bone's ends, the two behind them
// where they are posed.
vec3 nearestOnBone(vec3 p, vec3 a, vec3 b) {
  vec3 along = b - a;
  return a + clamp(dot(p - a, along) / max(dot(along, along), 1e-30), 0.0, 1.0) * along;
}

// As far from the nearest of the vertex' bones as at rest, where it is farther.
vec3 withoutBulge(vec3 rest, mat3x4 stretch, vec3 posed) {
  float before = 1e30;
  float now = 1e30;
  vec3 nearest = posed;
  for (int i = 0; i < INFLUENCES; ++i) {
    uint joint = jointAt(i);
    vec3 a = paletteRow(joint, BONE_ROW).xyz;
    vec3 b = paletteRow(joint, BONE_ROW + 1).xyz;
    if (nonUniformScale) {
      a = vec4(a, 1.0) * stretch;
      b = vec4(b, 1.0) * stretch;
    }
    vec3 off = rest - nearestOnBone(rest, a, b);
    before = min(before, dot(off, off));
    vec3 on = nearestOnBone(posed, paletteRow(joint, BONE_ROW + 2).xyz,
                            paletteRow(joint, BONE_ROW + 3).xyz);
    float squared = dot(posed - on, posed - on);
    nearest = squared < now ? on : nearest;
    now = min(now, squared);
  }
  return now > before ? nearest + sqrt(before / now) * (posed - nearest) : posed;
}
#endif

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  vec4 real;
  vec4 dual;
  blendMotions(real, dual);
  mat3x4 stretch = mat3x4(1.0);
  if (nonUniformScale) { // some joint stretches: first of two phases
    stretch = blendRows(2);
    position = vec4(position, 1.0) * stretch;
    normal = transformNormal(stretch, normal);
  }
  // Rotation and translation at once, 2 / |real|^2 in place of making the motion unit.
  float scale = 2.0 / dot(real, real);
  vec3 across = cross(real.xyz, position) + real.w * position + dual.xyz;
  skinnedPosition = position + scale * (cross(real.xyz, across) + real.w * dual.xyz - dual.w * real.xyz);
#ifdef BONE_ROW
  skinnedPosition = withoutBulge(position, stretch, skinnedPosition);
#endif
  skinnedNormal =
      normal + scale * cross(real.xyz, cross(real.xyz, normal) + real.w * normal);
}
