// Skinning by splines, whatever their curve: what arc-splines and Bezier splines share. A vertex
// follows ATTACHMENTS of them. Rows of a spline: src/skinning/spline_palette.h.
// Their exact normals are in spline_normal.glsl, skin() in spline_follow.glsl.
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
#ifdef SPLINE_TRANSFORM // straight, |D12| = a and |D23| = b, 0 <= s <= a + b
CurvePoints curveAtDistance(vec3 s, vec3 a, vec3 b);
#endif
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
  float b = abs(paletteRow(item, 3).w);
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

#endif
