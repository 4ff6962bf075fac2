// Quadratic Bezier splines: f(x) = p1 + D12 (2 - x) x + D23 x^2, x in [0, 1]. Up to three curves at
// once, one per lane; common/spline.glsl has the rest.
CurvePoints curveAt(vec3 x) {
  return CurvePoints(x * (vec3(2.0) - x), x * x, vec3(1.0) - x, x, vec3(-1.0),
                     vec3(1.0), x);
}

#ifdef SPLINE_TRANSFORM
// (b - a) x^2 + 2 a x = s, in the form that does not cancel where a = b.
CurvePoints curveAtDistance(vec3 s, vec3 a, vec3 b) {
  vec3 x = clamp(s / (a + sqrt(max(a * a + (b - a) * s, vec3(0.0)))), 0.0, 1.0);
  return curveAt(mix(x, vec3(1.0), vec3(greaterThanEqual(s, a + b))));
}
#endif

float curveEnd() { return 1.0; }
float curveSpeed() { return 2.0; }
