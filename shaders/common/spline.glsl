// Skinning by splines, whatever their curve: what arc-splines and Bezier splines share. A vertex
// follows SPLINES of them, 1 to 3, evaluated together: a vec3 holds one number of each. Rows of a
// spline: src/skinning/spline_palette.h.
#ifdef SPLINES

// f = p1 + D12 along12 + D23 along23; the tangent D12 slope12 + D23 slope23; share of the twist.
struct CurvePoints {
  vec3 along12, along23;
  vec3 slope12, slope23;
  vec3 share;
};
CurvePoints curveAt(vec3 x); // the method's own file

#if SPLINES == 1
const int kSplines = 1;
#define LANES(a, b, c) vec3(a, 0.0, 0.0)
#elif SPLINES == 2
const int kSplines = 2;
#define LANES(a, b, c) vec3(a, b, 0.0)
#else
const int kSplines = 3;
#define LANES(a, b, c) vec3(a, b, c)
#endif

// Offsets from the curve along it and across it, and the normal the same way, of every lane.
struct Lanes {
  vec3 along, y, z;
};

Lanes offsetLanes() {
  return Lanes(LANES(spline0.y, spline1.y, spline2.y), LANES(spline0.z, spline1.z, spline2.z),
               LANES(spline0.w, spline1.w, spline2.w));
}

Lanes normalLanes() {
  return Lanes(LANES(splineNormal0.x, splineNormal1.x, splineNormal2.x),
               LANES(splineNormal0.y, splineNormal1.y, splineNormal2.y),
               LANES(splineNormal0.z, splineNormal1.z, splineNormal2.z));
}

Lanes turnAcross(Lanes v, vec3 sine, vec3 cosine) {
  return Lanes(v.along, cosine * v.y - sine * v.z, sine * v.y + cosine * v.z);
}

mat3x4 stretchRows(uint item, float share) {
  vec4 cross = paletteRow(item, 7);
  vec4 diagonal = mix(paletteRow(item, 5), paletteRow(item, 6), share); // w: xy
  float yz = mix(cross.x, cross.z, share);
  float xz = mix(cross.y, cross.w, share);
  return mat3x4(diagonal.x, diagonal.w, xz, 0.0, diagonal.w, diagonal.y, yz, 0.0, xz, yz,
                diagonal.z, 0.0);
}

// Where joints do more than turn: stretches offset and normal of one lane; returns how far the
// joint itself has moved.
vec3 stretchOffsets(uint item, int i, CurvePoints at, float b, inout Lanes offset,
                    inout Lanes normal) {
  vec4 shift = paletteRow(item, 4);
  float a = shift.w;
  mat3x4 stretch = stretchRows(item, at.share[i]);
  float fromCenter = offset.along[i] + a * at.along12[i] + b * at.along23[i] - a;
  vec3 stretched = vec4(fromCenter, offset.y[i], offset.z[i], 0.0) * stretch;
  float posedA = a * abs(paletteRow(item, 5).x);
  float posedB = b * abs(paletteRow(item, 6).x);
  offset.along[i] = stretched.x + posedA - (posedA * at.along12[i] + posedB * at.along23[i]);
  offset.y[i] = stretched.y;
  offset.z[i] = stretched.z;
  vec3 n = transformNormal(stretch, vec3(normal.along[i], normal.y[i], normal.z[i]));
  normal.along[i] = n.x;
  normal.y[i] = n.y;
  normal.z[i] = n.z;
  return at.share[i] * shift.xyz;
}

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  CurvePoints at = curveAt(LANES(spline0.x, spline1.x, spline2.x));
  Lanes offset = offsetLanes();
  Lanes direction = normalLanes();
  vec3 angle;
  vec3 scale;
  vec3 places[kSplines];
  for (int i = 0; i < kSplines; ++i) {
    uint item = joints0[i];
    vec4 p1 = paletteRow(item, 0);
    vec4 d12 = paletteRow(item, 1);
    vec4 d23 = paletteRow(item, 2);
    places[i] = p1.xyz + at.along12[i] * d12.xyz + at.along23[i] * d23.xyz;
    angle[i] = p1.w + d12.w * at.share[i];
    scale[i] = d23.w;
  }
  offset.along *= scale;
  offset.y *= scale;
  offset.z *= scale;
  if (nonUniformScale)
    for (int i = 0; i < kSplines; ++i)
      places[i] += stretchOffsets(joints0[i], i, at, paletteRow(joints0[i], 3).w, offset, direction);

  vec3 sine = sin(angle);
  vec3 cosine = cos(angle);
  offset = turnAcross(offset, sine, cosine);
  direction = turnAcross(direction, sine, cosine);

  vec3 middle = vec3(0.0);
  vec3 normals[kSplines];
  for (int i = 0; i < kSplines; ++i) {
    uint item = joints0[i];
    vec3 tangent =
        at.slope12[i] * paletteRow(item, 1).xyz + at.slope23[i] * paletteRow(item, 2).xyz;
    float squared = dot(tangent, tangent);
    tangent = squared > 1e-30 ? tangent * inversesqrt(squared) : vec3(0.0);
    vec3 across = paletteRow(item, 3).xyz; // N
    mat3 frame = mat3(tangent, cross(across, tangent), across);
    places[i] += frame * vec3(offset.along[i], offset.y[i], offset.z[i]);
    normals[i] = frame * vec3(direction.along[i], direction.y[i], direction.z[i]);
    middle += places[i] / float(kSplines);
  }
#if SPLINES == 1
  skinnedPosition = places[0];
  skinnedNormal = normals[0];
#else
  skinnedPosition = middle;
  vec3 sum = vec3(0.0);
  for (int i = 0; i < kSplines; ++i) {
    skinnedPosition += weights0[i] * (places[i] - middle);
    sum += weights0[i] * normals[i];
  }
  float squared = dot(sum, sum);
  skinnedNormal = squared > 1e-30 ? sum * inversesqrt(squared) : vec3(0.0);
#endif
}

#endif
