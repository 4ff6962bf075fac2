// By both phases.
vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) {
  vec4 rotation;
  vec3 moved;
  moveCenter(vec3(0.0), rotation, moved);
  vec4 stretched = vec4(tangent, 1.0);
  if (nonUniformScale) stretched = transformTangent(blendRows(2), tangent);
  return vec4(rotate(rotation, stretched.xyz), stretched.w);
}
