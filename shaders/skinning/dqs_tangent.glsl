// By both phases.
vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) {
  vec4 real;
  vec4 dual;
  blendMotions(real, dual);
  vec4 moved = vec4(tangent, 1.0);
  if (nonUniformScale) moved = transformTangent(blendRows(2), tangent);
  return vec4(rotate(real * inversesqrt(dot(real, real)), moved.xyz), moved.w);
}
