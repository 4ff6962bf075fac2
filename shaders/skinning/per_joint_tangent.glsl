// Mixed as normals are.
vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) {
#if PARTS == 1
  return skinTangent_0(position, normal, tangent);
#else
  vec3 sum = vec3(0.0);
  float side = 0.0; // of the first part that counts
  if (share.x > 0.0) {
    vec4 moved = skinTangent_0(position, normal, tangent);
    sum += share.x * moved.xyz;
    side = moved.w;
  }
  if (share.y > 0.0) {
    vec4 moved = skinTangent_1(position, normal, tangent);
    sum += share.y * moved.xyz;
    side = side == 0.0 ? moved.w : side;
  }
#if PARTS > 2
  if (share.z > 0.0) {
    vec4 moved = skinTangent_2(position, normal, tangent);
    sum += share.z * moved.xyz;
    side = side == 0.0 ? moved.w : side;
  }
#endif
#if PARTS > 3
  if (share.w > 0.0) {
    vec4 moved = skinTangent_3(position, normal, tangent);
    sum += share.w * moved.xyz;
    side = side == 0.0 ? moved.w : side;
  }
#endif
  float squared = dot(sum, sum);
  return vec4(squared > 1e-30 ? sum * inversesqrt(squared) : vec3(0.0), side);
#endif
}
