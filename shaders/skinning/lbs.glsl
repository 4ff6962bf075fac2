// Linear blend skinning: the matrices of the heaviest joints, blended by weight.
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  mat3x4 modelFromBind = blendRows(0);
  skinnedPosition = vec4(position, 1.0) * modelFromBind;
  skinnedNormal = transformNormal(modelFromBind, normal);
}
