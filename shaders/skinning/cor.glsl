// Centres of rotation (Le and Hodgins 2016): the vertex rotates about its own centre, which the
// INFLUENCES heaviest joints move by linear blending. Rows of a joint: rotation, translation, then
// three rows of its stretch.

// q and -q are the same rotation: each joint takes the one on the heaviest joint's side.
void moveCenter(vec3 center, out vec4 rotation, out vec3 moved) {
  vec4 pivot = paletteRow(joints0.x, 0);
  rotation = weights0.x * pivot;
  moved = weights0.x * (rotate(pivot, center) + paletteRow(joints0.x, 1).xyz);
  for (int i = 1; i < INFLUENCES; ++i) {
    uint joint = jointAt(i);
    float weight = weightAt(i);
    vec4 other = paletteRow(joint, 0);
    moved += weight * (rotate(other, center) + paletteRow(joint, 1).xyz);
    rotation += dot(pivot, other) < 0.0 ? -weight * other : weight * other;
  }
  rotation *= inversesqrt(dot(rotation, rotation));
}

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  vec3 center = rotationCenter;
  if (nonUniformScale) { // some joint stretches: first of two phases
    mat3x4 stretch = blendRows(2);
    center = vec4(center, 1.0) * stretch;
    position = vec4(position, 1.0) * stretch;
    normal = transformNormal(stretch, normal);
  }
  vec4 rotation;
  vec3 moved;
  moveCenter(center, rotation, moved);
  skinnedPosition = moved + rotate(rotation, position - center);
  skinnedNormal = rotate(rotation, normal);
}
