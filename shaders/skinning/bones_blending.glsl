// Bones blending (Kavan and Zara 2003): v' = M(p) (c + Q^t (v - c)) for each of the vertex's
// ATTACHMENTS joints. Rows of a joint: M(p) in three; (centre, angle); (axis, S01); and where
// something does more than turn: (shift, S00); (S11, S22, S12, S02), S the joint's stretch; with
// EXACT_NORMALS the gradient of t within the joint's zone.

// By the unit quaternion q.
vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

mat3x4 stretchRows(uint joint, float t, float s01, float s00) {
  vec4 s = paletteRow(joint, 6);
  vec3 diagonal = vec3(1.0) + t * (vec3(s00, s.x, s.y) - vec3(1.0));
  float xy = t * s01;
  float yz = t * s.z;
  float xz = t * s.w;
  return mat3x4(diagonal.x, xy, xz, 0.0, xy, diagonal.y, yz, 0.0, xz, yz, diagonal.z, 0.0);
}

#ifdef EXACT_NORMALS
// The normal, before M(p), where t grows along the bone: two tangents moved by the Jacobian, which
// is turn * stretch + velocity gradient^T, velocity being dv'/dt. On the side of the cheap normal.
vec3 exactNormal(vec4 turn, mat3x4 stretch, vec3 velocity, vec3 gradient, vec3 bindNormal,
                 vec3 cheap) {
  vec3 u = cross(bindNormal, abs(bindNormal.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0));
  vec3 v = cross(bindNormal, u);
  vec3 movedU = rotate(turn, vec4(u, 0.0) * stretch) + dot(gradient, u) * velocity;
  vec3 movedV = rotate(turn, vec4(v, 0.0) * stretch) + dot(gradient, v) * velocity;
  vec3 exact = cross(movedU, movedV);
  return dot(exact, cheap) < 0.0 ? -exact : exact;
}
#endif

// Where the joint takes the vertex when it has made the share t of its movement.
void follow(uint joint, float t, vec3 position, vec3 normal, out vec3 moved, out vec3 turned) {
  vec4 centerAngle = paletteRow(joint, 3);
  vec4 axis = paletteRow(joint, 4);
  vec3 arm = position - centerAngle.xyz;
  vec3 center = centerAngle.xyz;
  vec3 bindArm = arm;
  vec3 turning = normal;
  vec4 shift = vec4(0.0);
  mat3x4 stretch = mat3x4(1.0);
  if (nonUniformScale) { // some joint does more than turn
    shift = paletteRow(joint, 5);
    stretch = stretchRows(joint, t, axis.w, shift.w);
    arm = vec4(arm, 0.0) * stretch;
    turning = transformNormal(stretch, normal);
    center += t * shift.xyz;
  }
  vec3 sine; // of half the angle, which goes up to pi
  vec3 cosine;
  quarterTurn(vec3(0.5 * t * centerAngle.w), sine, cosine);
  vec4 turn = vec4(sine.x * axis.xyz, cosine.x);
  mat3x4 modelFromBind = mat3x4(paletteRow(joint, 0), paletteRow(joint, 1), paletteRow(joint, 2));
  arm = rotate(turn, arm);
  turning = rotate(turn, turning);
#ifdef EXACT_NORMALS
  if (t > 0.0 && t < 1.0) {
    vec3 velocity = centerAngle.w * cross(axis.xyz, arm) + shift.xyz +
                    rotate(turn, (vec4(bindArm, 0.0) * stretch - bindArm) / t);
    turning = exactNormal(turn, stretch, velocity, paletteRow(joint, 7).xyz, normal, turning);
  }
#endif
  moved = vec4(center + arm, 1.0) * modelFromBind;
  turned = transformNormal(modelFromBind, turning);
}

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
#if ATTACHMENTS == 1
  follow(joints0.x, jointShare.x, position, normal, skinnedPosition, skinnedNormal);
#else
  // Vertices of one joint are most, and neighbours have as many joints: the loop ends early.
  vec3 first;
  vec3 sum = vec3(0.0);
  skinnedPosition = vec3(0.0);
  int i = 0;
  do {
    vec3 place;
    vec3 turned;
    follow(joints0[i], jointShare[i], position, normal, place, turned);
    first = i == 0 ? place : first;
    skinnedPosition += weights0[i] * (place - first);
    sum += weights0[i] * turned;
    ++i;
  } while (weights0[i] > 0.0); // weights0.w is 0
  skinnedPosition += first;
  float squared = dot(sum, sum);
  skinnedNormal = squared > 1e-30 ? sum * inversesqrt(squared) : vec3(0.0);
#endif
}
