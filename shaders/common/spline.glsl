// Skinning by splines, whatever their curve: what arc-splines and Bezier splines share. A vertex
// follows ATTACHMENTS of them. Rows of a spline: src/skinning/spline_palette.h.
//   FREE_SPLINES      control points that may be curved in the bind pose, instead of joints
//   SPLINE_TRANSFORM  the vertex's coordinates come from one matrix a spline, not from attributes
#ifdef SPLINES

// Three curves at once, one per lane: f = p1 + D12 along12 + D23 along23; the tangent is D12 slope12
// + D23 slope23; share of the twist.
struct CurvePoints {
  vec3 along12, along23;
  vec3 slope12, slope23;
  vec3 bend12, bend23; // derivatives of the slopes by x
  vec3 share;
};
// The method's own file has these.
CurvePoints curveAt(vec3 x);
CurvePoints curveAtDistance(vec3 s, vec3 a, vec3 b); // straight, |D12| = a and |D23| = b, 0 <= s <= a + b
float curveEnd();   // x of p3
float curveSpeed(); // derivative of along12 is speed * slope12, of along23 likewise

// A vertex in the coordinates of one spline.
struct SplineVertex {
  vec3 offset; // along and across
  vec3 normal;
  bool within; // before p1 and after p3 it moves rigidly
};

// By what the cross-section is turned in the frame of the curve's plane: roll and a share of twist.
float angleOf(uint item, float share) {
  return paletteRow(item, 0).w + paletteRow(item, 1).w * share;
}

mat3x4 stretchRows(uint item, float share) {
  vec4 cross = paletteRow(item, 7);
  vec4 diagonal = mix(paletteRow(item, 5), paletteRow(item, 6), share); // w: xy
  float yz = mix(cross.x, cross.z, share);
  float xz = mix(cross.y, cross.w, share);
#ifdef FREE_SPLINES // triangular: what is along the spline stays along it
  return mat3x4(diagonal.x, diagonal.w, xz, 0.0, 0.0, diagonal.y, yz, 0.0, 0.0, 0.0, diagonal.z,
                0.0);
#else // symmetric
  return mat3x4(diagonal.x, diagonal.w, xz, 0.0, diagonal.w, diagonal.y, yz, 0.0, xz, yz,
                diagonal.z, 0.0);
#endif
}

// Where joints do more than turn: stretches offset and normal; returns how far the joint itself has
// moved.
vec3 stretchOffsets(uint item, CurvePoints at, int lane, inout vec3 offset, inout vec3 normal) {
  mat3x4 stretch = stretchRows(item, at.share[lane]);
  normal = transformNormal(stretch, normal);
#ifdef FREE_SPLINES // the control points hold all the rest
  offset = vec4(offset, 0.0) * stretch;
  return vec3(0.0);
#else
  vec4 shift = paletteRow(item, 4);
  float a = shift.w;
  float b = paletteRow(item, 3).w;
  vec3 fromCenter = offset;
  fromCenter.x += a * at.along12[lane] + b * at.along23[lane] - a;
  offset = vec4(fromCenter, 0.0) * stretch;
  float posedA = a * abs(paletteRow(item, 5).x);
  float posedB = b * abs(paletteRow(item, 6).x);
  offset.x += posedA - (posedA * at.along12[lane] + posedB * at.along23[lane]);
  return at.share[lane] * shift.xyz;
#endif
}

vec3 turnAcross(vec3 v, float sine, float cosine) {
  return vec3(v.x, cosine * v.y - sine * v.z, sine * v.y + cosine * v.z);
}

#ifdef EXACT_NORMALS
vec3 exactNormal(uint item, CurvePoints at, int lane, vec3 bindOffset, vec3 offset, mat3 frame,
                 float sine, float cosine, vec3 bindNormal, vec3 cheap); // spline_normal.glsl
#endif

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
  vec3 across = paletteRow(item, 3).xyz; // N
  mat3 frame = mat3(tangent, cross(across, tangent), across);
  moved += frame * offset;
#ifdef NO_NORMALS
  turned = vec3(0.0);
#else
  turned = frame * turnAcross(normal, sine, cosine);
#endif
#ifdef EXACT_NORMALS
  if (vertex.within)
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
