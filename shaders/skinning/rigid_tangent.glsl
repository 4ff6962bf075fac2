// By the strongest joint.
vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) {
  uint joint = joints0.x;
  return transformTangent(
      mat3x4(paletteRow(joint, 0), paletteRow(joint, 1), paletteRow(joint, 2)), tangent);
}
