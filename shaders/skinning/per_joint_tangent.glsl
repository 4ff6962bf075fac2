// Mixed as normals are.
void addTangent(float part, vec4 by, inout vec3 sum, inout float side) {
  sum += part * by.xyz;
  side = side == 0.0 ? by.w : side; // the first part that counts
}
#define ADD_TANGENT(part, by) if (part > 0.0) addTangent(part, by(position, normal, tangent), sum, side);

vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) {
#if PARTS == 1
  return skinTangent_0(position, normal, tangent);
#else
  vec3 sum = vec3(0.0);
  float side = 0.0;
  ADD_TANGENT(share0.x, skinTangent_0)
  ADD_TANGENT(share0.y, skinTangent_1)
#if PARTS > 2
  ADD_TANGENT(share0.z, skinTangent_2)
#endif
#if PARTS > 3
  ADD_TANGENT(share0.w, skinTangent_3)
#endif
#if PARTS > 4
  ADD_TANGENT(share1.x, skinTangent_4)
#endif
#if PARTS > 5
  ADD_TANGENT(share1.y, skinTangent_5)
#endif
#if PARTS > 6
  ADD_TANGENT(share1.z, skinTangent_6)
#endif
#if PARTS > 7
  ADD_TANGENT(share1.w, skinTangent_7)
#endif
#if PARTS > 8
  ADD_TANGENT(share2.x, skinTangent_8)
#endif
#if PARTS > 9
  ADD_TANGENT(share2.y, skinTangent_9)
#endif
#if PARTS > 10
  ADD_TANGENT(share2.z, skinTangent_10)
#endif
#if PARTS > 11
  ADD_TANGENT(share2.w, skinTangent_11)
#endif
  float squared = dot(sum, sum);
  return vec4(squared > 1e-30 ? sum * inversesqrt(squared) : vec3(0.0), side);
#endif
}
