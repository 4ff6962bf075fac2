// Colour spaces and scales. Shading is linear; the framebuffer holds sRGB (IEC 61966-2-1).
vec3 srgbFromLinear(vec3 linear) {
  vec3 clamped = clamp(linear, 0.0, 1.0);
  vec3 low = 12.92 * clamped;
  vec3 high = 1.055 * pow(clamped, vec3(1.0 / 2.4)) - 0.055;
  return mix(high, low, lessThan(clamped, vec3(0.0031308)));
}

vec3 linearFromSrgb(vec3 srgb) {
  return mix(pow((srgb + 0.055) / 1.055, vec3(2.4)), srgb / 12.92,
             lessThan(srgb, vec3(0.04045)));
}

// x in [0, 1] as colour, linear.
vec3 heatColor(float x) {
  x = clamp(x, 0.0, 1.0);
#ifdef COLOR_BLIND_SAFE
  // Navy, grey, yellow: luminance rises all the way, and blue against yellow is seen by nearly all.
  vec3 srgb = x < 0.5 ? mix(vec3(0.04, 0.11, 0.38), vec3(0.50, 0.50, 0.52), 2.0 * x)
                      : mix(vec3(0.50, 0.50, 0.52), vec3(1.00, 0.91, 0.22), 2.0 * x - 1.0);
#else
  // Grey, yellow, red.
  const vec3 kMiddle = vec3(0.98, 0.85, 0.16);
  vec3 srgb = x < 0.5 ? mix(vec3(0.62), kMiddle, 2.0 * x)
                      : mix(kMiddle, vec3(0.86, 0.10, 0.07), 2.0 * x - 1.0);
#endif
  return linearFromSrgb(srgb);
}
