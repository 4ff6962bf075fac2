// The point of spline i that the vertex is at, and its offset from there.
CurvePoints findCurvePoint(int i, vec3 position, out vec3 offset) {
#ifdef SPLINE_TRANSFORM
  uint entry = joints0[i];
  vec3 local = vec4(position, 1.0) * splineFromBind(entry);
  float a = paletteRow(entry, 4).w;
  float b = paletteRow(entry, 3).w;
  CurvePoints at = curveAtDistance(vec3(clamp(local.x, 0.0, a + b)), vec3(a), vec3(b));
  offset = computeOffset(local, a, b, at, 0);
  return at;
#else
  vec4 coordinates = getCoordinates(i);
  offset = coordinates.yzw;
  return curveAt(vec3(coordinates.x));
#endif
}
