// The INFLUENCES heaviest joints of a vertex, for methods that blend by bone weight: attributes
// jointsN and weightsN, four of each.

// The loops over i are unrolled, so these choices are made while compiling.
#if INFLUENCES > 8
uint jointAt(int i) { return i < 4 ? joints0[i] : i < 8 ? joints1[i - 4] : joints2[i - 8]; }
float weightAt(int i) { return i < 4 ? weights0[i] : i < 8 ? weights1[i - 4] : weights2[i - 8]; }
#elif INFLUENCES > 4
uint jointAt(int i) { return i < 4 ? joints0[i] : joints1[i - 4]; }
float weightAt(int i) { return i < 4 ? weights0[i] : weights1[i - 4]; }
#else
uint jointAt(int i) { return joints0[i]; }
float weightAt(int i) { return weights0[i]; }
#endif

// Three palette rows from `first` on, blended by weight.
mat3x4 blendRows(int first) {
  mat3x4 rows = mat3x4(0.0);
  for (int i = 0; i < INFLUENCES; ++i) {
    uint joint = jointAt(i);
    float weight = weightAt(i);
    rows[0] += weight * paletteRow(joint, first);
    rows[1] += weight * paletteRow(joint, first + 1);
    rows[2] += weight * paletteRow(joint, first + 2);
  }
  return rows;
}
