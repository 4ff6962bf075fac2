// Linear blend skinning: the matrices of the INFLUENCES heaviest joints, blended by weight.

// INFLUENCES is constant, so these choices are made while compiling.
uint jointAt(int i) { return i < 4 ? joints0[i] : i < 8 ? joints1[i - 4] : joints2[i - 8]; }
float weightAt(int i) { return i < 4 ? weights0[i] : i < 8 ? weights1[i - 4] : weights2[i - 8]; }

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  mat3x4 modelFromBind = mat3x4(0.0);
  for (int i = 0; i < INFLUENCES; ++i) {
    uint joint = jointAt(i);
    float weight = weightAt(i);
    modelFromBind[0] += weight * paletteRow(joint, 0);
    modelFromBind[1] += weight * paletteRow(joint, 1);
    modelFromBind[2] += weight * paletteRow(joint, 2);
  }
  skinnedPosition = vec4(position, 1.0) * modelFromBind;
  skinnedNormal = transformNormal(modelFromBind, normal);
}
