// How a vertex follows its splines: skin() of arc-splines and Bezier splines.
#ifdef SPLINES

// The vertex as the spline moves it, once its point on the curve and its turn are known.
void follow(uint item, CurvePoints at, int lane, float sine, float cosine, SplineVertex vertex,
            out vec3 moved, out vec3 turned) {
  vec3 d12 = paletteRow(item, 1).xyz;
  vec4 d23 = paletteRow(item, 2); // w: scale
  vec3 offset = d23.w * vertex.offset;
  vec3 normal = vertex.normal;
  moved = paletteRow(item, 0).xyz + at.along12[lane] * d12 + at.along23[lane] * d23.xyz;
  if (nonUniformScale) moved += stretchOffsets(item, at, lane, offset, normal);
  offset = turnAcross(offset, sine, cosine);

  vec3 tangent = at.slope12[lane] * d12 + at.slope23[lane] * d23.xyz;
  float squared = dot(tangent, tangent);
  tangent = squared > 1e-30 ? tangent * inversesqrt(squared) : vec3(0.0);
  vec4 across = paletteRow(item, 3); // N, b
  mat3 frame = mat3(tangent, cross(across.xyz, tangent), across.xyz);
  moved += frame * offset;
#ifdef NO_NORMALS
  turned = vec3(0.0);
#else
  turned = frame * turnAcross(normal, sine, cosine);
#endif
#ifdef EXACT_NORMALS
  if (vertex.within && across.w > 0.0) // or x does not grow along the bone
    turned = exactNormal(item, at, lane, vertex.offset, offset, frame, sine, cosine, vertex.normal,
                         turned);
#endif
}

// Numbers are constant where the vertex's splines are evaluated together.
#ifdef SPLINE_TRANSFORM
mat3x4 splineFromBind(uint item) {
  return mat3x4(paletteRow(item, 8), paletteRow(item, 9), paletteRow(item, 10));
}
// The vertex of lane i, whose place from p1 on the straight spline is `local`.
SplineVertex vertexAt(vec3 local, vec3 normal, float a, float b, CurvePoints at, int lane) {
  vec3 offset = local;
  offset.x -= a * at.along12[lane] + b * at.along23[lane];
  return SplineVertex(offset, normal, local.x > 0.0 && local.x < a + b);
}
#else
vec4 coordinatesOf(int i) { return i == 0 ? spline0 : i == 1 ? spline1 : spline2; }
vec3 normalOf(int i) {
#ifdef NO_NORMALS
  return vec3(0.0);
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

#ifndef SPLINES_TOGETHER
void followAttachment(int i, vec3 position, vec3 normal, out vec3 moved, out vec3 turned) {
  uint item = joints0[i];
#ifdef SPLINE_TRANSFORM
  mat3x4 transform = splineFromBind(item);
  vec3 local = vec4(position, 1.0) * transform;
  float a = paletteRow(item, 4).w;
  float b = paletteRow(item, 3).w;
  CurvePoints at = curveAtDistance(vec3(clamp(local.x, 0.0, a + b)), vec3(a), vec3(b));
  SplineVertex vertex = vertexAt(local, vec4(normal, 0.0) * transform, a, b, at, 0);
#else
  CurvePoints at = curveAt(vec3(coordinatesOf(i).x));
  SplineVertex vertex = vertexOf(i);
#endif
  float angle = angleOf(item, at.share.x);
  follow(item, at, 0, sin(angle), cos(angle), vertex, moved, turned);
}

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  followInTurn(position, normal, skinnedPosition, skinnedNormal);
}

#else
// As the paper has it: all curves and turns in the lanes of vectors.
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
  CurvePoints at = curveAt(vec3(spline0.x, spline1.x, ATTACHMENTS > 2 ? spline2.x : 0.0));
#endif
  vec3 angle = vec3(0.0);
  for (int i = 0; i < ATTACHMENTS; ++i)
    angle[i] = angleOf(joints0[i], at.share[i]);
  vec3 sine = sin(angle);
  vec3 cosine = cos(angle);
  vec3 places[ATTACHMENTS];
  vec3 middle = vec3(0.0);
  vec3 sum = vec3(0.0);
  for (int i = 0; i < ATTACHMENTS; ++i) {
#ifdef SPLINE_TRANSFORM
    SplineVertex vertex = vertexAt(local[i], vec4(normal, 0.0) * splineFromBind(joints0[i]), a[i],
                                   b[i], at, i);
#else
    SplineVertex vertex = vertexOf(i);
#endif
    vec3 turned;
    follow(joints0[i], at, i, sine[i], cosine[i], vertex, places[i], turned);
#ifndef PLAIN_MIXING
    middle += places[i] / float(ATTACHMENTS);
#endif
    sum += weights0[i] * turned;
  }
  skinnedPosition = middle;
  for (int i = 0; i < ATTACHMENTS; ++i)
    skinnedPosition += weights0[i] * (places[i] - middle);
  skinnedNormal = unitOrZero(sum);
}
#endif

#endif
