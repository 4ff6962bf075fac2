// Sine and cosine of 0 <= x <= pi/2, cheaper than the built-in functions for any angle. The
// relative error of each is 1e-7, also near zero: the cosine is the sine of pi/2 - x. Coefficients:
// interpolation of (sin x / x - 1) / x^2 at Chebyshev points in x^2.
const float kHalfPi = 1.57079632679;

vec3 quarterSine(vec3 x) {
  vec3 u = x * x;
  return x + x * u * (-0.1666666596 +
                      u * (0.008333242081 + u * (-0.0001982273218 + u * 2.634732718e-06)));
}

void quarterSineCosine(vec3 x, out vec3 sine, out vec3 cosine) {
  sine = quarterSine(x);
  cosine = quarterSine(vec3(kHalfPi) - x);
}
