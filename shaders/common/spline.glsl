// Skinning by splines, whatever their curve: what arc-splines and Bezier splines share. A vertex
// follows SPLINES of them, 1 to 3. Rows of a spline: src/skinning/spline_palette.h.
#ifdef SPLINES

// Three curves at once, one per lane: f = p1 + D12 along12 + D23 along23; the tangent is D12 slope12
// + D23 slope23; share of the twist.
struct CurvePoints {
  vec3 along12, along23;
  vec3 slope12, slope23;
  vec3 bend12, bend23; // derivatives of the slopes by x
  vec3 share;
};
CurvePoints curveAt(vec3 x); // the method's own file

// Numbers are constant where the vertex's splines are evaluated together.
vec4 coordinatesOf(int i) { return i == 0 ? spline0 : i == 1 ? spline1 : spline2; }
vec3 normalOf(int i) {
  return i == 0 ? splineNormal0 : i == 1 ? splineNormal1 : splineNormal2;
}

// By what the cross-section is turned in the frame of the curve's plane: roll and a share of twist.
float angleOf(uint item, float share) {
  return paletteRow(item, 0).w + paletteRow(item, 1).w * share;
}

mat3x4 stretchRows(uint item, float share) {
  vec4 cross = paletteRow(item, 7);
  vec4 diagonal = mix(paletteRow(item, 5), paletteRow(item, 6), share); // w: xy
  float yz = mix(cross.x, cross.z, share);
  float xz = mix(cross.y, cross.w, share);
  return mat3x4(diagonal.x, diagonal.w, xz, 0.0, diagonal.w, diagonal.y, yz, 0.0, xz, yz,
                diagonal.z, 0.0);
}

// Where joints do more than turn: stretches offset and normal; returns how far the joint itself has
// moved.
vec3 stretchOffsets(uint item, CurvePoints at, int lane, inout vec3 offset, inout vec3 normal) {
  vec4 shift = paletteRow(item, 4);
  float a = shift.w;
  float b = abs(paletteRow(item, 3).w);
  mat3x4 stretch = stretchRows(item, at.share[lane]);
  vec3 fromCenter = offset;
  fromCenter.x += a * at.along12[lane] + b * at.along23[lane] - a;
  offset = vec4(fromCenter, 0.0) * stretch;
  float posedA = a * abs(paletteRow(item, 5).x);
  float posedB = b * abs(paletteRow(item, 6).x);
  offset.x += posedA - (posedA * at.along12[lane] + posedB * at.along23[lane]);
  normal = transformNormal(stretch, normal);
  return at.share[lane] * shift.xyz;
}

vec3 turnAcross(vec3 v, float sine, float cosine) {
  return vec3(v.x, cosine * v.y - sine * v.z, sine * v.y + cosine * v.z);
}

#ifdef EXACT_NORMALS
float curveEnd();   // x of p3
float curveSpeed(); // derivative of along12 is speed * slope12, of along23 likewise

// The normal by the cofactors of the Jacobian: columns along, y, z are how the vertex moves with its
// place along the bone and across it. offset: stretched and turned; frame: (T, B, N).
vec3 exactNormal(uint item, CurvePoints at, int lane, vec3 fromCenter, vec3 offset, mat3 frame,
                 float sine, float cosine, vec3 bindNormal, vec3 cheap) {
  vec4 d12 = paletteRow(item, 1);
  vec4 d23 = paletteRow(item, 2);
  vec4 across = paletteRow(item, 3);
  vec4 shift = paletteRow(item, 4);
  float slope12 = at.slope12[lane];
  float slope23 = at.slope23[lane];
  float stepX = 1.0 / (curveSpeed() * (shift.w * slope12 + across.w * slope23)); // dx / ds
  float stepShare = stepX / curveEnd();
  mat3x4 stretch = mat3x4(1.0);
  vec3 along = curveSpeed() * stepX * (slope12 * d12.xyz + slope23 * d23.xyz);
  vec3 stepOffset = vec3(0.0);
  if (nonUniformScale) {
    stretch = stretchRows(item, at.share[lane]);
    float posedA = shift.w * abs(paletteRow(item, 5).x);
    float posedB = across.w * abs(paletteRow(item, 6).x);
    stepOffset = vec4(1.0, 0.0, 0.0, 0.0) * stretch +
                 stepShare * (vec4(fromCenter, 0.0) * stretchRows(item, 1.0) -
                              vec4(fromCenter, 0.0) * stretchRows(item, 0.0));
    stepOffset.x -= curveSpeed() * stepX * (posedA * slope12 + posedB * slope23);
    along += stepShare * shift.xyz;
  }
  vec3 y = frame * turnAcross(d23.w * (vec4(0.0, 1.0, 0.0, 0.0) * stretch), sine, cosine);
  vec3 z = frame * turnAcross(d23.w * (vec4(0.0, 0.0, 1.0, 0.0) * stretch), sine, cosine);
  vec3 bend = at.bend12[lane] * d12.xyz + at.bend23[lane] * d23.xyz;
  vec3 turning = stepX * (bend - dot(frame[0], bend) * frame[0]) /
                 length(slope12 * d12.xyz + slope23 * d23.xyz);
  stepOffset = turnAcross(stepOffset, sine, cosine) +
               d12.w * stepShare * vec3(0.0, -offset.z, offset.y);
  along += frame * stepOffset + offset.x * turning + offset.y * cross(across.xyz, turning);

  vec3 exact = bindNormal.x * cross(y, z) + bindNormal.y * cross(z, along) +
               bindNormal.z * cross(along, y);
  float squared = dot(exact, exact);
  if (!(squared > 1e-30)) return cheap;
  return (dot(exact, cheap) < 0.0 ? -exact : exact) * inversesqrt(squared);
}
#endif

// The vertex as the spline moves it, once its point on the curve and its turn are known.
void follow(uint item, float x, CurvePoints at, int lane, float sine, float cosine, vec3 offset,
            vec3 normal, out vec3 moved, out vec3 turned) {
#ifdef EXACT_NORMALS
  vec3 bindNormal = normal;
  vec3 fromCenter = offset;
  fromCenter.x += paletteRow(item, 4).w * (at.along12[lane] - 1.0) +
                  abs(paletteRow(item, 3).w) * at.along23[lane];
#endif
  vec3 d12 = paletteRow(item, 1).xyz;
  vec4 d23 = paletteRow(item, 2); // w: scale
  offset *= d23.w;
  moved = paletteRow(item, 0).xyz + at.along12[lane] * d12 + at.along23[lane] * d23.xyz;
  if (nonUniformScale) moved += stretchOffsets(item, at, lane, offset, normal);
  offset = turnAcross(offset, sine, cosine);
  normal = turnAcross(normal, sine, cosine);

  vec3 tangent = at.slope12[lane] * d12 + at.slope23[lane] * d23.xyz;
  float squared = dot(tangent, tangent);
  tangent = squared > 1e-30 ? tangent * inversesqrt(squared) : vec3(0.0);
  vec4 across = paletteRow(item, 3); // N; w: below zero where x does not grow along the bone
  mat3 frame = mat3(tangent, cross(across.xyz, tangent), across.xyz);
  moved += frame * offset;
  turned = frame * normal;
#ifdef EXACT_NORMALS
  if (across.w > 0.0 && x > 0.0 && x < curveEnd())
    turned = exactNormal(item, at, lane, fromCenter, offset, frame, sine, cosine, bindNormal,
                         turned);
#endif
}

vec3 unitOrZero(vec3 v) {
  float squared = dot(v, v);
  return squared > 1e-30 ? v * inversesqrt(squared) : vec3(0.0);
}

#if SPLINES == 1
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  CurvePoints at = curveAt(vec3(spline0.x));
  float angle = angleOf(joints0.x, at.share.x);
  follow(joints0.x, spline0.x, at, 0, sin(angle), cos(angle), spline0.yzw, splineNormal0, skinnedPosition,
         skinnedNormal);
}

#elif defined(SPLINES_TOGETHER)
// As the paper has it: all curves and turns in the lanes of vectors.
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  vec3 x = vec3(spline0.x, spline1.x, SPLINES > 2 ? spline2.x : 0.0);
  CurvePoints at = curveAt(x);
  vec3 angle = vec3(0.0);
  for (int i = 0; i < SPLINES; ++i)
    angle[i] = angleOf(joints0[i], at.share[i]);
  vec3 sine = sin(angle);
  vec3 cosine = cos(angle);
  vec3 places[SPLINES];
  vec3 middle = vec3(0.0);
  vec3 sum = vec3(0.0);
  for (int i = 0; i < SPLINES; ++i) {
    vec3 turned;
    follow(joints0[i], x[i], at, i, sine[i], cosine[i], coordinatesOf(i).yzw, normalOf(i), places[i],
           turned);
    middle += places[i] / float(SPLINES);
    sum += weights0[i] * turned;
  }
  skinnedPosition = middle;
  for (int i = 0; i < SPLINES; ++i)
    skinnedPosition += weights0[i] * (places[i] - middle);
  skinnedNormal = unitOrZero(sum);
}

#else
// One after the other, as many as the vertex has: most have one, and so have their neighbours.
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  vec3 first;
  vec3 sum = vec3(0.0);
  skinnedPosition = vec3(0.0);
  int i = 0;
  do {
    vec4 coordinates = coordinatesOf(i);
    CurvePoints at = curveAt(vec3(coordinates.x));
    float angle = angleOf(joints0[i], at.share.x);
    vec3 place;
    vec3 turned;
    follow(joints0[i], coordinates.x, at, 0, sin(angle), cos(angle), coordinates.yzw, normalOf(i), place, turned);
    first = i == 0 ? place : first;
    skinnedPosition += weights0[i] * (place - first);
    sum += weights0[i] * turned;
    ++i;
  } while (weights0[i] > 0.0); // weights0.w is 0
  skinnedPosition += first;
  skinnedNormal = unitOrZero(sum);
}
#endif

#endif
