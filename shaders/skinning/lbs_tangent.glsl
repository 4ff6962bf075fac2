// By the blended matrix.
vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) {
  return transformTangent(blendRows(0), tangent);
}
