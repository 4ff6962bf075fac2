// By both phases.
vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) {
  mat3 spread;
  vec3 center;
  poseSurroundings(spread, center);
  vec4 stretched = vec4(tangent, 1.0);
  if (nonUniformScale) stretched = transformTangent(blendRows(3), tangent);
  return vec4(nearestRotation(spread) * stretched.xyz, stretched.w);
}
