// Rigid skinning: every vertex follows its strongest joint.
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  uint joint = joints0.x;
  mat3x4 modelFromBind = mat3x4(paletteRow(joint, 0), paletteRow(joint, 1), paletteRow(joint, 2));
  skinnedPosition = vec4(position, 1.0) * modelFromBind;
  skinnedNormal = transformNormal(modelFromBind, normal);
}
