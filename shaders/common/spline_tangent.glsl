// By a spline: the tangent in the frame of the bind spline, stretched and rotated as normals are.

#ifndef EXACT_NORMALS
#ifndef SPLINE_TRANSFORM
// Attribute splineTangent: the angle of the tangent about the normal, of each of the vertex's
// splines.
#if ATTACHMENTS == 1
float angleAboutNormal(int i) { return splineTangent; }
#else
float angleAboutNormal(int i) { return splineTangent[i]; }
#endif
#endif
#endif

vec3 computeSplineTangent(int i, CurvePoints at, vec3 normal, vec3 tangent) {
#if defined(EXACT_NORMALS)
  return intoBindFrame(joints0[i], at, 0, tangent);
#elif defined(SPLINE_TRANSFORM)
  return vec4(tangent, 0.0) * splineFromBind(joints0[i]);
#else
  vec3 n = computeSplineNormal(i, normal);
  vec3 u = unitOrZero(cross(n, abs(n.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
  float angle = angleAboutNormal(i);
  return cos(angle) * u + sin(angle) * cross(n, u);
#endif
}

vec4 tangentByAttachment(int i, vec3 position, vec3 normal, vec3 tangent) {
  uint entry = joints0[i];
  vec3 offset;
  CurvePoints at = findCurvePoint(i, position, offset);
  vec4 moved = vec4(computeSplineTangent(i, at, normal, tangent), 1.0);
  if (nonUniformScale) moved = transformTangent(stretchRows(entry, at.fraction.x), moved.xyz);
  float angle = computeAngle(entry, at.fraction.x);
  float sine = sin(angle);
  float cosine = cos(angle);
  PosedOnCurve posed = poseOnCurve(entry, at, 0, sine, cosine, offset);
  return vec4(posed.frame * rotateAcross(moved.xyz, sine, cosine), moved.w);
}
