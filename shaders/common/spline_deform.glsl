// How splines deform a vertex: skin() of arc-splines and Bezier splines.

// The vertex as the curve moves it, once its point on the curve and its rotation are known.
void deformByCurve(uint entry, CurvePoints at, int lane, float sine, float cosine,
                   SplineVertex vertex, out vec3 moved, out vec3 movedNormal) {
  vec3 d12 = paletteRow(entry, 1).xyz;
  vec4 d23 = paletteRow(entry, 2); // w: scale
  vec3 offset = d23.w * vertex.offset;
  vec3 normal = vertex.normal;
  moved = paletteRow(entry, 0).xyz + at.along12[lane] * d12 + at.along23[lane] * d23.xyz;
  if (nonUniformScale) moved += stretchOffsets(entry, at, lane, offset, normal);
  offset = rotateAcross(offset, sine, cosine);

  vec3 tangent = at.slope12[lane] * d12 + at.slope23[lane] * d23.xyz;
  float squared = dot(tangent, tangent);
  tangent = squared > 1e-30 ? tangent * inversesqrt(squared) : vec3(0.0);
  vec4 across = paletteRow(entry, 3); // N, b
  mat3 frame = mat3(tangent, cross(across.xyz, tangent), across.xyz);
  moved += frame * offset;
#ifdef NO_NORMALS
  movedNormal = vec3(0.0);
#else
  movedNormal = frame * rotateAcross(normal, sine, cosine);
#endif
#ifdef EXACT_NORMALS
  if (vertex.within && across.w > 0.0) // or x does not grow along the bone
    movedNormal = exactNormal(entry, at, lane, vertex.offset, offset, frame, sine, cosine,
                              vertex.normal, movedNormal);
#endif
}

// Numbers are constant where the vertex's splines are evaluated together.
#ifdef SPLINE_TRANSFORM
mat3x4 splineFromBind(uint entry) {
  return mat3x4(paletteRow(entry, 8), paletteRow(entry, 9), paletteRow(entry, 10));
}
// The vertex of lane i, at `local` from p1 in the frame of the straight spline.
SplineVertex vertexAt(vec3 local, vec3 normal, float a, float b, CurvePoints at, int lane) {
  vec3 offset = local;
  offset.x -= a * at.along12[lane] + b * at.along23[lane];
  return SplineVertex(offset, normal, local.x > 0.0 && local.x < a + b);
}
#else
vec4 coordinatesOf(int i) {
#if ATTACHMENTS == 1
  return spline0;
#elif ATTACHMENTS == 2
  return i == 0 ? spline0 : spline1;
#else
  return i == 0 ? spline0 : i == 1 ? spline1 : spline2;
#endif
}
vec3 normalOf(int i) {
#ifdef NO_NORMALS
  return vec3(0.0);
#elif ATTACHMENTS == 1
  return splineNormal0;
#elif ATTACHMENTS == 2
  return i == 0 ? splineNormal0 : splineNormal1;
#else
  return i == 0 ? splineNormal0 : i == 1 ? splineNormal1 : splineNormal2;
#endif
}
SplineVertex vertexOf(int i) {
  vec4 coordinates = coordinatesOf(i);
  return SplineVertex(coordinates.yzw, normalOf(i),
                      coordinates.x > 0.0 && coordinates.x < curveEnd());
}
#endif

#ifndef SPLINES_VECTORIZED
void deformByAttachment(int i, vec3 position, vec3 normal, out vec3 moved, out vec3 movedNormal) {
  uint entry = joints0[i];
#ifdef SPLINE_TRANSFORM
  mat3x4 transform = splineFromBind(entry);
  vec3 local = vec4(position, 1.0) * transform;
  float a = paletteRow(entry, 4).w;
  float b = paletteRow(entry, 3).w;
  CurvePoints at = curveAtDistance(vec3(clamp(local.x, 0.0, a + b)), vec3(a), vec3(b));
  SplineVertex vertex = vertexAt(local, vec4(normal, 0.0) * transform, a, b, at, 0);
#else
  CurvePoints at = curveAt(vec3(coordinatesOf(i).x));
  SplineVertex vertex = vertexOf(i);
#endif
  float angle = angleOf(entry, at.fraction.x);
  deformByCurve(entry, at, 0, sin(angle), cos(angle), vertex, moved, movedNormal);
}

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  deformSequentially(position, normal, skinnedPosition, skinnedNormal);
}

#else
// As the paper does: all curves and rotations in the lanes of vectors.
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
#ifdef SPLINE_TRANSFORM
  vec3 local[ATTACHMENTS];
  vec3 a = vec3(1.0);
  vec3 b = vec3(1.0);
  vec3 s = vec3(0.0);
  for (int i = 0; i < ATTACHMENTS; ++i) {
    local[i] = vec4(position, 1.0) * splineFromBind(joints0[i]);
    a[i] = paletteRow(joints0[i], 4).w;
    b[i] = paletteRow(joints0[i], 3).w;
    s[i] = local[i].x;
  }
  CurvePoints at = curveAtDistance(clamp(s, vec3(0.0), a + b), a, b);
#else
  vec3 x = vec3(0.0);
  for (int i = 0; i < ATTACHMENTS; ++i)
    x[i] = coordinatesOf(i).x;
  CurvePoints at = curveAt(x);
#endif
  vec3 angle = vec3(0.0);
  for (int i = 0; i < ATTACHMENTS; ++i)
    angle[i] = angleOf(joints0[i], at.fraction[i]);
  vec3 sine = sin(angle);
  vec3 cosine = cos(angle);
  vec3 positions[ATTACHMENTS];
  vec3 middle = vec3(0.0);
  vec3 sum = vec3(0.0);
  for (int i = 0; i < ATTACHMENTS; ++i) {
#ifdef SPLINE_TRANSFORM
    SplineVertex vertex = vertexAt(local[i], vec4(normal, 0.0) * splineFromBind(joints0[i]), a[i],
                                   b[i], at, i);
#else
    SplineVertex vertex = vertexOf(i);
#endif
    vec3 movedNormal;
    deformByCurve(joints0[i], at, i, sine[i], cosine[i], vertex, positions[i], movedNormal);
#ifndef PLAIN_MIXING
    middle += positions[i] / float(ATTACHMENTS);
#endif
    sum += weights0[i] * movedNormal;
  }
  skinnedPosition = middle;
  for (int i = 0; i < ATTACHMENTS; ++i)
    skinnedPosition += weights0[i] * (positions[i] - middle);
  skinnedNormal = unitOrZero(sum);
}
#endif
