// Velocity skinning, of a vertex that a method has posed: the displacements of its joints, blended
// by weight. strength: how much of it the vertex has.
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  mat3x4 rows = strength * blendRows(0);
  skinnedPosition = position;
  skinnedNormal = normal;
  if (rows == mat3x4(0.0)) return; // what does not move stays as it is, bit for bit
  skinnedPosition += vec4(position, 1.0) * rows;
  // By the cofactors of the map, as any normal; where it mirrors, the normal points outwards still.
  vec3 x = rows[0].xyz + vec3(1.0, 0.0, 0.0);
  vec3 y = rows[1].xyz + vec3(0.0, 1.0, 0.0);
  vec3 z = rows[2].xyz + vec3(0.0, 0.0, 1.0);
  vec3 squares = vec3(dot(x, x), dot(y, y), dot(z, z));
  mat3 cofactors = mat3(cross(y, z), cross(z, x), cross(x, y));
  float determinant = dot(x, cofactors[0]);
  bool mirrors = determinant < 0.0 &&
                 determinant * determinant > 1e-12 * squares.x * squares.y * squares.z;
  vec3 moved = normal * cofactors * (mirrors ? -1.0 : 1.0);
  float squared = dot(moved, moved);
  bool any = squared > max(1e-30, 1e-12 * dot(squares, squares.yzx));
  skinnedNormal = any ? moved * inversesqrt(squared) : vec3(0.0);
}
