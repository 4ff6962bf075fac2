// Arc-splines (Forstmann and Ohya 2006): f(x) = p1 + D12 sin x + D23 (1 - cos x), x in [0, pi/2].
// Up to three curves at once, one per lane; common/spline.glsl has the rest.
CurvePoints curveAt(vec3 x) {
  vec3 s;
  vec3 c;
  quarterSineCosine(x, s, c);
  return CurvePoints(s, vec3(1.0) - c, c, s, -s, c, x * (1.0 / kHalfPi));
}

#ifdef SPLINE_TRANSFORM
// a sin x + b (1 - cos x) = s, solved for sine and cosine; both exact at the ends, where rounding
// times a long D12 would rotate the tangent.
CurvePoints curveAtDistance(vec3 s, vec3 a, vec3 b) {
  vec3 squared = a * a + b * b;
  vec3 q = s - b;
  vec3 r = sqrt(max(squared - q * q, vec3(0.0)));
  vec3 start = vec3(lessThanEqual(s, vec3(0.0)));
  vec3 end = vec3(greaterThanEqual(s, a + b));
  vec3 sine = mix(clamp((b * r + a * q) / squared, 0.0, 1.0), end, max(start, end));
  vec3 cosine = mix(clamp((a * r - b * q) / squared, 0.0, 1.0), start, max(start, end));
  return CurvePoints(sine, vec3(1.0) - cosine, cosine, sine, -sine, cosine,
                     quarterAngle(sine, cosine) * (1.0 / kHalfPi));
}
#endif

float curveEnd() { return kHalfPi; }
float curveSpeed() { return 1.0; }
