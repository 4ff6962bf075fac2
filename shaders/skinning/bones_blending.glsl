// Bones blending (Kavan and Zara 2003): v' = M(p) (c + Q^t (v - c)) for each of the vertex's
// ATTACHMENTS joints. Rows of a joint: M(p) in three; (centre, angle); (axis, S01); and where
// something does more than rotate: (shift, S00); (S11, S22, S12, S02), S the joint's stretch.
// Further rows, where there is a define that says which: GRADIENT_ROW (exact normals) the gradient of
// t within the joint's zone; ROTATION_ROW (axis found for each vertex) the rotations of M(p) and M(j) as
// quaternions; JOINT_ROW (no rotation where t is 0 or 1) M(j) in three.

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

#ifdef GRADIENT_ROW
// The normal, before M(p), where t grows along the bone: two tangents moved by the Jacobian, which
// is rotation * stretch + velocity gradient^T, velocity being dv'/dt. On the side of the cheap
// normal.
vec3 exactNormal(vec4 rotation, mat3x4 stretch, vec3 velocity, vec3 gradient, vec3 bindNormal,
                 vec3 cheap) {
  vec3 u = cross(bindNormal, abs(bindNormal.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0));
  vec3 v = cross(bindNormal, u);
  vec3 movedU = rotate(rotation, vec4(u, 0.0) * stretch) + dot(gradient, u) * velocity;
  vec3 movedV = rotate(rotation, vec4(v, 0.0) * stretch) + dot(gradient, v) * velocity;
  vec3 exact = cross(movedU, movedV);
  return dot(exact, cheap) < 0.0 ? -exact : exact;
}
#endif

#ifdef ROTATION_ROW
// The paper's form before its optimisation: axis and angle of K^-1 L, for every vertex.
void axisAngle(uint joint, out vec3 axis, out float angle) {
  vec4 k = paletteRow(joint, ROTATION_ROW);
  vec4 l = paletteRow(joint, ROTATION_ROW + 1);
  vec3 v = k.w * l.xyz - l.w * k.xyz - cross(k.xyz, l.xyz);
  float sine = length(v);
  axis = sine > 1e-12 ? v / sine : vec3(1.0, 0.0, 0.0);
  angle = 2.0 * quarterAngle(vec3(sine), vec3(dot(k, l))).x;
}
#else
void axisAngle(uint joint, out vec3 axis, out float angle) {
  axis = paletteRow(joint, 4).xyz;
  angle = paletteRow(joint, 3).w;
}
#endif

mat3x4 matrixRows(uint joint, int first) {
  return mat3x4(paletteRow(joint, first), paletteRow(joint, first + 1),
                paletteRow(joint, first + 2));
}

// Moves the vertex by the fraction t of the joint's motion.
void deformByJoint(uint joint, float t, vec3 position, vec3 normal, out vec3 moved,
                   out vec3 movedNormal) {
#ifdef JOINT_ROW
  if (t <= 0.0 || t >= 1.0) {
    mat3x4 rigid = matrixRows(joint, t <= 0.0 ? 0 : JOINT_ROW);
    moved = vec4(position, 1.0) * rigid;
    movedNormal = transformNormal(rigid, normal);
    return;
  }
#endif
  vec3 axis;
  float angle;
  axisAngle(joint, axis, angle);
  vec3 center = paletteRow(joint, 3).xyz;
  vec3 bindArm = position - center;
  vec3 arm = bindArm;
  vec3 rotated = normal;
  vec4 shift = vec4(0.0);
  mat3x4 stretch = mat3x4(1.0);
  if (nonUniformScale) { // some joint does more than rotate
    shift = paletteRow(joint, 5);
    stretch = stretchRows(joint, t, paletteRow(joint, 4).w, shift.w);
    arm = vec4(arm, 0.0) * stretch;
    rotated = transformNormal(stretch, normal);
    center += t * shift.xyz;
  }
  vec3 sine; // of half the angle, which goes up to pi
  vec3 cosine;
  quarterSineCosine(vec3(0.5 * t * angle), sine, cosine);
  vec4 rotation = vec4(sine.x * axis, cosine.x);
  arm = rotate(rotation, arm);
  mat3x4 modelFromBind = matrixRows(joint, 0);
  moved = vec4(center + arm, 1.0) * modelFromBind;
#ifdef NO_NORMALS
  movedNormal = vec3(0.0);
#else
  rotated = rotate(rotation, rotated);
#ifdef GRADIENT_ROW
  if (t > 0.0 && t < 1.0) {
    vec3 velocity = angle * cross(axis, arm) + shift.xyz +
                    rotate(rotation, (vec4(bindArm, 0.0) * stretch - bindArm) / t);
    rotated = exactNormal(rotation, stretch, velocity, paletteRow(joint, GRADIENT_ROW).xyz, normal,
                          rotated);
  }
#endif
  movedNormal = transformNormal(modelFromBind, rotated);
#endif
}

// Attribute blendFactor: t of each of the vertex's joints.
#if ATTACHMENTS == 1
float blendFactorOf(int i) { return blendFactor; }
#else
float blendFactorOf(int i) { return blendFactor[i]; }
#endif

void deformByAttachment(int i, vec3 position, vec3 normal, out vec3 moved, out vec3 movedNormal) {
  deformByJoint(joints0[i], blendFactorOf(i), position, normal, moved, movedNormal);
}

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  deformSequentially(position, normal, skinnedPosition, skinnedNormal);
}
