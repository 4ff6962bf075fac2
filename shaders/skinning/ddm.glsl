// Direct delta mush, variant 0 (Le and Lewis 2019). Of the INFLUENCES smoothed joints of a vertex,
// moments hold what each has of the vertex' surroundings about their mean, the smoothed position:
// first r, second rr^T, and a weight. Rows of a joint: M(j) in three, then three of its stretch.

// heaviest: where the first joint puts the smoothed position; differences from there are small.
void addJoint(uint joint, float weight, vec4 first, vec4 second, float yz, vec3 heaviest,
              inout mat3 spread, inout vec3 center) {
  vec4 x = paletteRow(joint, 0);
  vec4 y = paletteRow(joint, 1);
  vec4 z = paletteRow(joint, 2);
  vec4 at = vec4(smoothedPosition, 1.0);
  vec3 off = vec3(dot(x, at), dot(y, at), dot(z, at)) - heaviest;
  mat3 linear = transpose(mat3(x.xyz, y.xyz, z.xyz));
  spread += linear * mat3(first.w, second.z, second.w, second.z, second.x, yz, second.w, yz, second.y);
  spread += outerProduct(off, first.xyz);
  center += linear * first.xyz + weight * off;
}

// Where the surroundings go: spread is Q - q p^T, center is q.
void poseSurroundings(out mat3 spread, out vec3 center) {
  vec3 heaviest = vec4(smoothedPosition, 1.0) * mat3x4(paletteRow(joints0.x, 0), paletteRow(joints0.x, 1),
                                                    paletteRow(joints0.x, 2));
  spread = mat3(0.0);
  center = heaviest;
  addJoint(jointAt(0), weightAt(0), momentA0, momentB0, momentI0.x, heaviest, spread, center);
#if INFLUENCES > 1
  addJoint(jointAt(1), weightAt(1), momentC0, momentD0, momentI0.y, heaviest, spread, center);
#endif
#if INFLUENCES > 2
  addJoint(jointAt(2), weightAt(2), momentE0, momentF0, momentI0.z, heaviest, spread, center);
#endif
#if INFLUENCES > 3
  addJoint(jointAt(3), weightAt(3), momentG0, momentH0, momentI0.w, heaviest, spread, center);
#endif
#if INFLUENCES > 4
  addJoint(jointAt(4), weightAt(4), momentA1, momentB1, momentI1.x, heaviest, spread, center);
#endif
#if INFLUENCES > 5
  addJoint(jointAt(5), weightAt(5), momentC1, momentD1, momentI1.y, heaviest, spread, center);
#endif
#if INFLUENCES > 6
  addJoint(jointAt(6), weightAt(6), momentE1, momentF1, momentI1.z, heaviest, spread, center);
#endif
#if INFLUENCES > 7
  addJoint(jointAt(7), weightAt(7), momentG1, momentH1, momentI1.w, heaviest, spread, center);
#endif
}

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  mat3 spread;
  vec3 center;
  poseSurroundings(spread, center);
  mat3 rotation = nearestRotation(spread);
  vec3 arm = position - smoothedPosition;
  if (nonUniformScale) { // some joint stretches: first of two phases
    mat3x4 stretch = blendRows(3);
    arm = vec4(position, 1.0) * stretch - vec4(smoothedPosition, 1.0) * stretch;
    normal = transformNormal(stretch, normal);
  }
  skinnedPosition = center + rotation * arm;
  skinnedNormal = rotation * normal;
}
