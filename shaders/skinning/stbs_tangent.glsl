// The mean of what each bone makes of it.
vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) {
  vec3 sum = vec3(0.0);
  float side = 1.0; // the heaviest joint's
  for (int i = 0; i < INFLUENCES; ++i) {
    uint joint = jointAt(i);
    vec4 moved = vec4(tangent, 1.0);
    if (nonUniformScale) moved = transformTangent(readStretch(joint), tangent);
    if (i == 0) side = moved.w;
    sum += weightAt(i) * rotate(rotationAt(joint, shareAt(i)), moved.xyz);
  }
  float squared = dot(sum, sum);
  return vec4(squared > 1e-30 ? sum * inversesqrt(squared) : vec3(0.0), side);
}
