// The angle x of a sine and cosine that are both not negative: x = 2 atan(tan(x/2)), the arc
// tangent taken about pi/8; accurate to 2e-7. Coefficients: interpolation of (atan u / u - 1) / u^2
// at Chebyshev points in u^2.
vec3 quarterAngle(vec3 sine, vec3 cosine) {
  const float kTangent = 0.41421356237; // tan(pi/8)
  vec3 t = sine / (vec3(1.0) + cosine);
  vec3 u = (t - kTangent) / (vec3(1.0) + kTangent * t);
  vec3 z = u * u;
  vec3 arc = u + u * z * (-0.3333328656 +
                           z * (0.1999123774 + z * (-0.1402414284 + z * 0.08520492036)));
  return 0.5 * kHalfPi + 2.0 * arc;
}
