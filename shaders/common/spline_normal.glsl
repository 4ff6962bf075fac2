// The exact normal of a surface deformed by a spline: common/spline.glsl has the rest.
#ifdef EXACT_NORMALS

// How fast x grows as a vertex moves along the bind spline, past it at bindOffset.
float stepOfX(uint entry, CurvePoints at, int lane, vec3 bindOffset) {
  vec4 bind = paletteRow(entry, 4);
  float s12 = bind.w * at.slope12[lane];
  float s23 = paletteRow(entry, 3).w * at.slope23[lane];
#ifdef FREE_SPLINES
  // bind: D12 . D23, |D12 x D23|. Planes normal to the curve come nearer to each other towards the
  // centre of curvature, by the rate at which the tangent rotates.
  float squared = s12 * s12 + s23 * s23 + 2.0 * bind.x * at.slope12[lane] * at.slope23[lane];
  return 1.0 / (curveSpeed() * sqrt(squared) - bindOffset.y * bind.y / squared);
#else
  return 1.0 / (curveSpeed() * (s12 + s23));
#endif
}

// How the stretched offset grows with the vertex's place along the spline.
vec3 stepOfOffset(uint entry, CurvePoints at, int lane, vec3 bindOffset, float stepX) {
  float stepFraction = stepX / curveEnd();
#ifdef FREE_SPLINES
  return stepFraction * (vec4(bindOffset, 0.0) * stretchRows(entry, 1.0) -
                      vec4(bindOffset, 0.0) * stretchRows(entry, 0.0));
#else
  float a = paletteRow(entry, 4).w;
  float b = paletteRow(entry, 3).w;
  vec3 fromCenter = bindOffset;
  fromCenter.x += a * (at.along12[lane] - 1.0) + b * at.along23[lane];
  float posedA = a * abs(paletteRow(entry, 5).x);
  float posedB = b * abs(paletteRow(entry, 6).x);
  vec3 stepOffset = vec4(1.0, 0.0, 0.0, 0.0) * stretchRows(entry, at.fraction[lane]) +
                    stepFraction * (vec4(fromCenter, 0.0) * stretchRows(entry, 1.0) -
                                 vec4(fromCenter, 0.0) * stretchRows(entry, 0.0));
  stepOffset.x -=
      curveSpeed() * stepX * (posedA * at.slope12[lane] + posedB * at.slope23[lane]);
  return stepOffset;
#endif
}

// The normal by the cofactors of the Jacobian: columns along, y, z are how the vertex moves with its
// place along the spline and across it. offset: stretched and rotated; frame: (T, B, N).
vec3 exactNormal(uint entry, CurvePoints at, int lane, vec3 bindOffset, vec3 offset, mat3 frame,
                 float sine, float cosine, vec3 bindNormal, vec3 cheap) {
  vec4 d12 = paletteRow(entry, 1);
  vec4 d23 = paletteRow(entry, 2);
  vec3 direction = at.slope12[lane] * d12.xyz + at.slope23[lane] * d23.xyz;
  float stepX = stepOfX(entry, at, lane, bindOffset);
  float stepFraction = stepX / curveEnd();
  mat3x4 stretch = mat3x4(1.0);
  vec3 along = curveSpeed() * stepX * direction;
  vec3 stepOffset = vec3(0.0);
  if (nonUniformScale) {
    stretch = stretchRows(entry, at.fraction[lane]);
    stepOffset = stepOfOffset(entry, at, lane, bindOffset, stepX);
#ifndef FREE_SPLINES
    along += stepFraction * paletteRow(entry, 4).xyz;
#endif
  }
  vec3 y = frame * rotateAcross(d23.w * (vec4(0.0, 1.0, 0.0, 0.0) * stretch), sine, cosine);
  vec3 z = frame * rotateAcross(d23.w * (vec4(0.0, 0.0, 1.0, 0.0) * stretch), sine, cosine);
  vec3 bend = at.bend12[lane] * d12.xyz + at.bend23[lane] * d23.xyz;
  vec3 tangentStep = stepX * (bend - dot(frame[0], bend) * frame[0]) / length(direction);
  stepOffset = rotateAcross(stepOffset, sine, cosine) +
               d12.w * stepFraction * vec3(0.0, -offset.z, offset.y);
  along += frame * stepOffset + offset.x * tangentStep +
           offset.y * cross(paletteRow(entry, 3).xyz, tangentStep);

  vec3 exact = bindNormal.x * cross(y, z) + bindNormal.y * cross(z, along) +
               bindNormal.z * cross(along, y);
  float squared = dot(exact, exact);
  if (!(squared > 1e-30)) return cheap;
  return (dot(exact, cheap) < 0.0 ? -exact : exact) * inversesqrt(squared);
}

#endif
