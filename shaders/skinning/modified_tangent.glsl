vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) {
  vec4 posed = skinTangent_0(position, normal, tangent);
  vec4 moved = skinTangent_1(position, normal, posed.xyz);
  return vec4(moved.xyz, posed.w * moved.w);
}
