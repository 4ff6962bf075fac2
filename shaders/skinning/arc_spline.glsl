// Arc-splines (Forstmann and Ohya 2006): f(x) = p1 + D12 sin x + D23 (1 - cos x), x in [0, pi/2].
// Up to three curves at once, one per lane; common/spline.glsl has the rest.
CurvePoints curveAt(vec3 x) {
  vec3 s;
  vec3 c;
  quarterTurn(x, s, c);
  return CurvePoints(s, vec3(1.0) - c, c, s, -s, c, x * (1.0 / kQuarterTurn));
}

float curveEnd() { return kQuarterTurn; }
float curveSpeed() { return 1.0; }
