// Skinning by splines with any curve: shared by arc-splines and Bezier splines. A vertex is
// attached to ATTACHMENTS of them; attribute splineI holds x and its offsets along and across
// spline I, splineNormalI its normal there. Rows of a spline: src/skinning/spline_palette.h. What
// exact normals need is in spline_normal.glsl, skin() in spline_deform.glsl.
//   FREE_SPLINES      control points that may be curved in the bind pose, instead of joints
//   TWIST_ROW         the row of a joint's twist: attributes twistJoints and twistShares say of
//                     which joints' twists the vertex makes more or less than its splines
//   SPLINE_TRANSFORM  the vertex's coordinates come from one matrix per spline, not from attributes

// Three curves at once, one per lane: f = p1 + D12 along12 + D23 along23; the tangent is D12
// slope12 + D23 slope23; fraction: of the twist.
struct CurvePoints {
  vec3 along12, along23;
  vec3 slope12, slope23;
  vec3 bend12, bend23; // derivatives of the slopes by x
  vec3 fraction;
};
// The method's own file has these.
CurvePoints curveAt(vec3 x);
#ifdef SPLINE_TRANSFORM // straight, |D12| = a and |D23| = b, 0 <= s <= a + b
CurvePoints curveAtDistance(vec3 s, vec3 a, vec3 b);
#endif
float curveEnd();   // x of p3
float curveSpeed(); // derivative of along12 is speed * slope12, of along23 likewise

// The cross-section's rotation in the frame of the curve's plane: roll and a fraction of the twist.
float computeAngle(uint entry, float fraction) {
  float angle = paletteRow(entry, 0).w + paletteRow(entry, 1).w * fraction;
#ifdef TWIST_ROW
  for (int i = 0; i < 4; ++i) {
    if (twistShares[i] == 0.0) break; // the largest first
    angle += twistShares[i] * paletteRow(twistJoints[i], TWIST_ROW).w;
  }
#endif
  return angle;
}

// Sine and cosine of such an angle.
void sineCosineAcross(float angle, out float sine, out float cosine) {
#ifdef FREE_SPLINES // there may be several whole rotations
  sine = sin(angle);
  cosine = cos(angle);
#else
#ifdef TWIST_ROW // likewise
  sine = sin(angle);
  cosine = cos(angle);
#else // two whole rotations at most: of a quarter, doubled twice, at a third of the price
  vec3 s;
  vec3 c;
  quarterSineCosine(vec3(0.25 * abs(angle)), s, c);
  float halfSine = 2.0 * s.x * c.x;
  float halfCosine = 1.0 - 2.0 * s.x * s.x;
  sine = (angle < 0.0 ? -2.0 : 2.0) * halfSine * halfCosine;
  cosine = 1.0 - 2.0 * halfSine * halfSine;
#endif
#endif
}

mat3x4 stretchRows(uint entry, float fraction) {
  vec4 cross = paletteRow(entry, 7);
  vec4 diagonal = mix(paletteRow(entry, 5), paletteRow(entry, 6), fraction); // w: xy
  float yz = mix(cross.x, cross.z, fraction);
  float xz = mix(cross.y, cross.w, fraction);
#ifdef FREE_SPLINES // triangular: what is along the spline stays along it
  return mat3x4(diagonal.x, diagonal.w, xz, 0.0, 0.0, diagonal.y, yz, 0.0, 0.0, 0.0, diagonal.z,
                0.0);
#else // symmetric
  return mat3x4(diagonal.x, diagonal.w, xz, 0.0, diagonal.w, diagonal.y, yz, 0.0, xz, yz,
                diagonal.z, 0.0);
#endif
}

// Where joints stretch the skin.
void stretchOffset(uint entry, CurvePoints at, int lane, inout vec3 offset) {
  mat3x4 stretch = stretchRows(entry, at.fraction[lane]);
#ifdef FREE_SPLINES // the control points hold all the rest
  offset = vec4(offset, 0.0) * stretch;
#else
  float a = paletteRow(entry, 4).w;
  float b = abs(paletteRow(entry, 3).w);
  vec3 fromCenter = offset;
  fromCenter.x += a * at.along12[lane] + b * at.along23[lane] - a;
  offset = vec4(fromCenter, 0.0) * stretch;
  float posedA = a * abs(paletteRow(entry, 5).x);
  float posedB = b * abs(paletteRow(entry, 6).x);
  offset.x += posedA - (posedA * at.along12[lane] + posedB * at.along23[lane]);
#endif
}

vec3 rotateAcross(vec3 v, float sine, float cosine) {
  return vec3(v.x, cosine * v.y - sine * v.z, sine * v.y + cosine * v.z);
}

// The posed spline where the vertex is on it.
struct PosedOnCurve {
  vec3 position; // the vertex
  vec3 offset;   // from the curve to the vertex, stretched and rotated
  mat3 frame;    // T, B, N
};

PosedOnCurve poseOnCurve(uint entry, CurvePoints at, int lane, float sine, float cosine,
                         vec3 bindOffset) {
  vec3 d12 = paletteRow(entry, 1).xyz;
  vec4 d23 = paletteRow(entry, 2); // w: scale, which else the stretches hold
  PosedOnCurve posed;
  vec3 offset = nonUniformScale ? bindOffset : d23.w * bindOffset;
  posed.position = paletteRow(entry, 0).xyz + at.along12[lane] * d12 + at.along23[lane] * d23.xyz;
#ifndef FREE_SPLINES // whose control points hold it
  posed.position += at.fraction[lane] * paletteRow(entry, 4).xyz; // the joint's own shift
#endif
  if (nonUniformScale) stretchOffset(entry, at, lane, offset);
  posed.offset = rotateAcross(offset, sine, cosine);

  vec3 tangent = at.slope12[lane] * d12 + at.slope23[lane] * d23.xyz;
  float squared = dot(tangent, tangent);
  tangent = squared > 1e-30 ? tangent * inversesqrt(squared) : vec3(0.0);
  vec3 across = paletteRow(entry, 3).xyz; // N
  posed.frame = mat3(tangent, cross(across, tangent), across);
  posed.position += posed.frame * posed.offset;
  return posed;
}
