// Sine and cosine of 0 <= x <= pi/2 for less than the built-in functions that take any angle. Each
// is accurate to 1e-7 of its own value, also where it is near zero: the cosine is the sine of what is
// left to pi/2. Coefficients: interpolation of (sin x / x - 1) / x^2 at Chebyshev points in x^2.
const float kQuarterTurn = 1.57079632679;

vec3 quarterSine(vec3 x) {
  vec3 u = x * x;
  return x + x * u * (-0.1666666596 +
                      u * (0.008333242081 + u * (-0.0001982273218 + u * 2.634732718e-06)));
}

void quarterTurn(vec3 x, out vec3 sine, out vec3 cosine) {
  sine = quarterSine(x);
  cosine = quarterSine(vec3(kQuarterTurn) - x);
}

// The angle x of a sine and cosine that are both not negative: x = 2 atan(tan(x/2)), the arc tangent
// taken about pi/8; accurate to 2e-7. Coefficients as above, of (atan u / u - 1) / u^2.
vec3 quarterAngle(vec3 sine, vec3 cosine) {
  const float kTangent = 0.41421356237; // of pi/8
  vec3 t = sine / (vec3(1.0) + cosine);
  vec3 u = (t - kTangent) / (vec3(1.0) + kTangent * t);
  vec3 z = u * u;
  vec3 turn = u + u * z * (-0.3333328656 +
                           z * (0.1999123774 + z * (-0.1402414284 + z * 0.08520492036)));
  return 0.5 * kQuarterTurn + 2.0 * turn;
}
