// Bones blending (Kavan and Zara 2003): v' = M(p) (c + Q^t (v - c)) for each of the vertex's
// ATTACHMENTS joints. Rows of a joint: the rotation R(p) of M(p) as a quaternion; (c, angle); (M(p)
// c, scale of M(p)); (axis, S01); (shift, S00); and where some joint stretches: (S11, S22, S12,
// S02), S the joint's stretch; (P00, P11, P22, P01), (P12, P02) of P with M(p) = R(p) P. Further rows, where there is a define that
// says which: TWIST_ROW (twist ranges) (axis of the joint's twist, twist); ROTATION_ROW (axis found for each vertex) the rotation of M(j) as a quaternion;
// JOINT_ROW (no rotation where t is 0 or 1) M(j) in three.
mat3x4 stretchRows(uint joint, float t, float s01, float s00) {
  vec4 s = paletteRow(joint, 5);
  vec3 diagonal = vec3(1.0) + t * (vec3(s00, s.x, s.y) - vec3(1.0));
  float xy = t * s01;
  float yz = t * s.z;
  float xz = t * s.w;
  return mat3x4(diagonal.x, xy, xz, 0.0, xy, diagonal.y, yz, 0.0, xz, yz, diagonal.z, 0.0);
}

#ifdef ROTATION_ROW
// The paper's form before its optimisation: axis and angle of K^-1 L, for every vertex.
void axisAngle(uint joint, out vec3 axis, out float angle) {
  vec4 k = paletteRow(joint, 0);
  vec4 l = paletteRow(joint, ROTATION_ROW);
  vec3 v = k.w * l.xyz - l.w * k.xyz - cross(k.xyz, l.xyz);
  float sine = length(v);
  axis = sine > 1e-12 ? v / sine : vec3(1.0, 0.0, 0.0);
  angle = 2.0 * quarterAngle(vec3(sine), vec3(dot(k, l))).x;
}
#else
void axisAngle(uint joint, out vec3 axis, out float angle) {
  axis = paletteRow(joint, 3).xyz;
  angle = paletteRow(joint, 1).w;
}
#endif

mat3x4 matrixRows(uint joint, int first) {
  return mat3x4(paletteRow(joint, first), paletteRow(joint, first + 1),
                paletteRow(joint, first + 2));
}

mat3x4 parentMatrix(uint joint) {
  vec4 rotation = paletteRow(joint, 0);
  vec4 p = paletteRow(joint, 6);
  vec2 across = paletteRow(joint, 7).xy;
  vec3 x = rotate(rotation, vec3(p.x, p.w, across.y));
  vec3 y = rotate(rotation, vec3(p.w, p.y, across.x));
  vec3 z = rotate(rotation, vec3(across.y, across.x, p.z));
  vec3 center = paletteRow(joint, 1).xyz;
  vec3 at = paletteRow(joint, 2).xyz - (center.x * x + center.y * y + center.z * z);
  return mat3x4(x.x, y.x, z.x, at.x, x.y, y.y, z.y, at.y, x.z, y.z, z.z, at.z);
}

// The rotation p, then q.
vec4 rotationAfter(vec4 p, vec4 q) {
  return vec4(q.w * p.xyz + p.w * q.xyz + cross(q.xyz, p.xyz), q.w * p.w - dot(q.xyz, p.xyz));
}

// Where the fraction t of the joint's motion puts the vertex, before M(p).
struct JointMotion {
  mat3x4 stretch;
  vec4 rotation;
  vec3 axis;
  float angle;
  vec3 bindArm; // from the joint's centre
  vec3 arm;     // stretched and rotated
  vec3 center;
  vec3 shift;   // all of the joint's own, in model space
};

JointMotion moveByJoint(uint joint, float t, vec3 position) {
  JointMotion by;
  axisAngle(joint, by.axis, by.angle);
  by.center = paletteRow(joint, 1).xyz;
  by.bindArm = position - by.center;
  by.arm = by.bindArm;
  vec4 shift = paletteRow(joint, 4);
  by.shift = shift.xyz;
  by.stretch = mat3x4(1.0);
  if (nonUniformScale) { // some joint stretches
    by.stretch = stretchRows(joint, t, paletteRow(joint, 3).w, shift.w);
    by.arm = vec4(by.arm, 0.0) * by.stretch;
  }
  vec3 sine; // sin(angle / 2), where the angle goes up to pi
  vec3 cosine;
  quarterSineCosine(vec3(0.5 * t * by.angle), sine, cosine);
  by.rotation = vec4(sine.x * by.axis, cosine.x);
  by.arm = rotate(by.rotation, by.arm);
  return by;
}

// Moves the vertex by the fraction t of the joint's motion.
void deformByJoint(uint joint, float t, vec3 position, vec3 normal, out vec3 moved,
                   out vec3 movedNormal) {
#ifdef JOINT_ROW
  if (t <= 0.0 || t >= 1.0) {
    mat3x4 rigid = matrixRows(joint, JOINT_ROW);
    if (t <= 0.0) rigid = parentMatrix(joint);
    moved = vec4(position, 1.0) * rigid;
    movedNormal = transformNormal(rigid, normal);
    return;
  }
#endif
  JointMotion by = moveByJoint(joint, t, position);
  movedNormal = vec3(0.0);
  if (nonUniformScale) {
    mat3x4 modelFromBind = parentMatrix(joint);
    moved = vec4(by.center + by.arm, 1.0) * modelFromBind + t * by.shift;
#ifndef NO_NORMALS
    normal = transformNormal(by.stretch, normal);
    movedNormal = transformNormal(modelFromBind, rotate(by.rotation, normal));
#endif
  } else {
    vec4 whole = rotationAfter(by.rotation, paletteRow(joint, 0));
    vec4 posed = paletteRow(joint, 2);
    moved = posed.xyz + posed.w * rotate(whole, by.bindArm) + t * by.shift;
#ifndef NO_NORMALS
    movedNormal = sign(posed.w) * rotate(whole, normal);
#endif
  }
}

// Attribute blendFactor: t of each of the vertex's joints.
float factorAt(float factor, int i) { return factor; } // a mesh has as many as its vertices need
float factorAt(vec2 factors, int i) { return factors[i]; }
float factorAt(vec3 factors, int i) { return factors[i]; }
float getBlendFactor(int i) { return factorAt(blendFactor, i); }

#ifdef EXACT_NORMALS
// The derivative of the fractional stretch with t, of a vector.
vec3 stretchGrowth(uint joint, vec3 v) {
  mat3x4 all = stretchRows(joint, 1.0, paletteRow(joint, 3).w, paletteRow(joint, 4).w);
  return vec4(v, 0.0) * all - v;
}

Motion motionBy(int i, vec3 position, vec3 u, vec3 v) {
  uint joint = joints0[i];
  float t = getBlendFactor(i);
  JointMotion by = moveByJoint(joint, t, position);
  mat3x4 modelFromBind = parentMatrix(joint);
  vec3 velocity = by.angle * cross(by.axis, by.arm);
  if (nonUniformScale) velocity += rotate(by.rotation, stretchGrowth(joint, by.bindArm));
  Motion motion;
  motion.position = vec4(by.center + by.arm, 1.0) * modelFromBind + t * by.shift;
  motion.alongU = vec4(rotate(by.rotation, vec4(u, 0.0) * by.stretch), 0.0) * modelFromBind;
  motion.alongV = vec4(rotate(by.rotation, vec4(v, 0.0) * by.stretch), 0.0) * modelFromBind;
  motion.velocity = vec4(velocity, 0.0) * modelFromBind + by.shift;
  motion.mirrors = mirrorsSpace(modelFromBind) != mirrorsSpace(by.stretch);
  return motion;
}
#else
void deformByAttachment(int i, vec3 position, vec3 normal, out vec3 moved, out vec3 movedNormal) {
  deformByJoint(joints0[i], getBlendFactor(i), position, normal, moved, movedNormal);
}
#endif

#ifdef TWIST_ROW
// Rotates a vertex of the bind pose by what twist ranges add to each of its joints' twists, about the
// line of the joint's bone. Attribute twistShares: by how much of the twist, of twistJoints, the
// largest first. `across` may be the normal, or a tangent.
void twistVertex(inout vec3 position, inout vec3 across) {
  for (int i = 0; i < 4; ++i) {
    if (twistShares[i] == 0.0) return;
    vec4 twist = paletteRow(twistJoints[i], TWIST_ROW);
    vec3 center = paletteRow(twistJoints[i], 1).xyz;
    float angle = twistShares[i] * twist.w;
    vec3 sine;
    vec3 cosine;
    quarterSineCosine(vec3(0.5 * abs(angle)), sine, cosine);
    vec4 rotation = vec4((angle < 0.0 ? -sine.x : sine.x) * twist.xyz, cosine.x);
    position = center + rotate(rotation, position - center);
    across = rotate(rotation, across);
  }
}
#endif

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
#ifdef TWIST_ROW
  twistVertex(position, normal);
#endif
  deformSequentially(position, normal, skinnedPosition, skinnedNormal);
}
