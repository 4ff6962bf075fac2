// Dual quaternion skinning (Kavan et al. 2008): the rigid motions of the INFLUENCES heaviest joints,
// blended as dual quaternions. Rows of a joint: real, dual, then three rows of its stretch.

// q and -q are the same rotation: each joint takes the one on the heaviest joint's side.
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
  float scale = inversesqrt(dot(real, real));
  real *= scale;
  dual *= scale;
}

vec3 rotate(vec4 real, vec3 v) {
  return v + 2.0 * cross(real.xyz, cross(real.xyz, v) + real.w * v);
}

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  vec4 real;
  vec4 dual;
  blendMotions(real, dual);
  if (nonUniformScale) { // some joint stretches: first of two phases
    mat3x4 stretch = blendRows(2);
    position = vec4(position, 1.0) * stretch;
    normal = transformNormal(stretch, normal);
  }
  vec3 translation =
      2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
  skinnedPosition = rotate(real, position) + translation;
  skinnedNormal = rotate(real, normal);
}
