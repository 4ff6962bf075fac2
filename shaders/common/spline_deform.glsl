// How splines deform a vertex: skin() of arc-splines and Bezier splines.

// The vertex as the curve moves it, once its point on the curve and its rotation are known.
void deformByCurve(uint entry, CurvePoints at, int lane, float sine, float cosine, vec3 bindOffset,
                   vec3 bindNormal, out vec3 moved, out vec3 movedNormal) {
  PosedOnCurve posed = poseOnCurve(entry, at, lane, sine, cosine, bindOffset);
  moved = posed.position;
#ifdef NO_NORMALS
  movedNormal = vec3(0.0);
#else
  vec3 normal = bindNormal;
  if (nonUniformScale) normal = transformNormal(stretchRows(entry, at.fraction[lane]), normal);
  movedNormal = posed.frame * rotateAcross(normal, sine, cosine);
#endif
}

// Numbers are constant where the vertex's splines are evaluated together.
#ifdef SPLINE_TRANSFORM
mat3x4 splineFromBind(uint entry) {
  return mat3x4(paletteRow(entry, 8), paletteRow(entry, 9), paletteRow(entry, 10));
}
// At `local` from p1 in the frame of the straight spline, from its point on the curve.
vec3 computeOffset(vec3 local, float a, float b, CurvePoints at, int lane) {
  return local - vec3(a * at.along12[lane] + b * at.along23[lane], 0.0, 0.0);
}
#else
vec4 getCoordinates(int i) {
#if ATTACHMENTS == 1
  return spline0;
#elif ATTACHMENTS == 2
  return i == 0 ? spline0 : spline1;
#else
  return i == 0 ? spline0 : i == 1 ? spline1 : spline2;
#endif
}
#endif

#ifdef SPLINE_TEXTURE // its texels are bytes
vec3 readDirection(vec3 direction) { return unitOrZero(direction); }
#else
vec3 readDirection(vec3 direction) { return direction; }
#endif

// In the frame of the bind spline; `normal` is in bind space.
vec3 computeSplineNormal(int i, vec3 normal) {
#if defined(NO_NORMALS)
  return vec3(0.0);
#elif defined(EXACT_NORMALS)
  return vec3(0.0);
#elif defined(SPLINE_TRANSFORM)
  return vec4(normal, 0.0) * splineFromBind(joints0[i]);
#elif ATTACHMENTS == 1
  return readDirection(splineNormal0);
#elif ATTACHMENTS == 2
  return readDirection(i == 0 ? splineNormal0 : splineNormal1);
#else
  return readDirection(i == 0 ? splineNormal0 : i == 1 ? splineNormal1 : splineNormal2);
#endif
}

#ifndef SPLINES_VECTORIZED
CurvePoints findCurvePoint(int i, vec3 position, out vec3 offset); // common/spline_point.glsl

#ifdef EXACT_NORMALS
Motion motionBy(int i, vec3 position, vec3 u, vec3 v) {
  vec3 offset;
  CurvePoints at = findCurvePoint(i, position, offset);
  float angle = computeAngle(joints0[i], at.fraction.x);
  return motionByCurve(joints0[i], at, 0, sin(angle), cos(angle), offset, u, v);
}
#else
void deformByAttachment(int i, vec3 position, vec3 normal, out vec3 moved, out vec3 movedNormal) {
  vec3 offset;
  CurvePoints at = findCurvePoint(i, position, offset);
  float sine;
  float cosine;
  sineCosineAcross(computeAngle(joints0[i], at.fraction.x), sine, cosine);
  deformByCurve(joints0[i], at, 0, sine, cosine, offset, computeSplineNormal(i, normal), moved,
                movedNormal);
}
#endif

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  deformSequentially(position, normal, skinnedPosition, skinnedNormal);
}

#else
// As the paper does: all curves and rotations in the lanes of vectors.
CurvePoints curvePoints(vec3 position, out vec3 offsets[ATTACHMENTS]) {
#ifdef SPLINE_TRANSFORM
  vec3 a = vec3(1.0);
  vec3 b = vec3(1.0);
  vec3 s = vec3(0.0);
  for (int i = 0; i < ATTACHMENTS; ++i) {
    offsets[i] = vec4(position, 1.0) * splineFromBind(joints0[i]);
    a[i] = paletteRow(joints0[i], 4).w;
    b[i] = paletteRow(joints0[i], 3).w;
    s[i] = offsets[i].x;
  }
  CurvePoints at = curveAtDistance(clamp(s, vec3(0.0), a + b), a, b);
  for (int i = 0; i < ATTACHMENTS; ++i)
    offsets[i] = computeOffset(offsets[i], a[i], b[i], at, i);
  return at;
#else
  vec3 x = vec3(0.0);
  for (int i = 0; i < ATTACHMENTS; ++i) {
    x[i] = getCoordinates(i).x;
    offsets[i] = getCoordinates(i).yzw;
  }
  return curveAt(x);
#endif
}

vec3 computeAngles(CurvePoints at) {
  vec3 angle = vec3(0.0);
  for (int i = 0; i < ATTACHMENTS; ++i)
    angle[i] = computeAngle(joints0[i], at.fraction[i]);
  return angle;
}

vec3 mixedPosition(vec3 positions[ATTACHMENTS]) {
  vec3 middle = vec3(0.0);
#ifndef PLAIN_MIXING
  for (int i = 0; i < ATTACHMENTS; ++i)
    middle += positions[i] / float(ATTACHMENTS);
#endif
  vec3 mixed = middle;
  for (int i = 0; i < ATTACHMENTS; ++i)
    mixed += weights0[i] * (positions[i] - middle);
  return mixed;
}

#ifdef EXACT_NORMALS
// As in exact_normal.glsl.
void skinSurface(float share, vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 start,
                 out vec3 u, out vec3 v, out vec2 growth, out bool mirrors) {
  vec3 offsets[ATTACHMENTS];
  CurvePoints at = curvePoints(position, offsets);
  vec3 angle = computeAngles(at);
  vec3 sine = sin(angle);
  vec3 cosine = cos(angle);
  vec3 positions[ATTACHMENTS];
  vec3 tangentU;
  vec3 tangentV;
  surfaceTangents(normal, tangentU, tangentV);
  mirrors = false;
  u = vec3(0.0);
  v = vec3(0.0);
  growth = vec2(0.0);
  for (int i = 0; i < ATTACHMENTS; ++i) {
    Motion motion = motionByCurve(joints0[i], at, i, sine[i], cosine[i], offsets[i], tangentU,
                                  tangentV);
    positions[i] = motion.position;
    if (i == 0) mirrors = motion.mirrors;
    addTangents(i, share, motion, positions[0], u, v, growth);
  }
  start = positions[0];
  skinnedPosition = mixedPosition(positions);
}
#endif

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
#ifdef EXACT_NORMALS
  vec3 start;
  vec3 u;
  vec3 v;
  vec2 growth;
  bool mirrors;
  skinSurface(1.0, position, normal, skinnedPosition, start, u, v, growth, mirrors);
  skinnedNormal = computeNormal(u, v, mirrors);
#else
  vec3 offsets[ATTACHMENTS];
  CurvePoints at = curvePoints(position, offsets);
  vec3 angle = computeAngles(at);
  vec3 sine = sin(angle);
  vec3 cosine = cos(angle);
  vec3 positions[ATTACHMENTS];
  vec3 sum = vec3(0.0);
  for (int i = 0; i < ATTACHMENTS; ++i) {
    vec3 movedNormal;
    deformByCurve(joints0[i], at, i, sine[i], cosine[i], offsets[i], computeSplineNormal(i, normal),
                  positions[i], movedNormal);
    sum += weights0[i] * movedNormal;
  }
  skinnedNormal = unitOrZero(sum);
  skinnedPosition = mixedPosition(positions);
#endif
}
#endif
