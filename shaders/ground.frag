// The key light's shadow on the ground.
in vec3 worldPosition;
uniform sampler2DShadow shadowMap;
uniform vec4 shadowFromWorld[4]; // columns
uniform float darkness;          // where no light arrives
out vec4 fragment;

void main() {
  vec3 seen = shadowFromWorld[0].xyz * worldPosition.x + shadowFromWorld[1].xyz * worldPosition.y +
              shadowFromWorld[2].xyz * worldPosition.z + shadowFromWorld[3].xyz;
  const float kSpread = 3.0 / SHADOW_SIDE;
  float sum = 0.0;
  for (int i = -1; i <= 1; ++i)
    for (int k = -1; k <= 1; ++k)
      sum += texture(shadowMap, vec3(seen.xy + kSpread * vec2(float(i) + 0.3 * float(k),
                                                              float(k) - 0.3 * float(i)),
                                     seen.z));
  fragment = vec4(0.0, 0.0, 0.0, darkness * (1.0 - sum / 9.0));
}
