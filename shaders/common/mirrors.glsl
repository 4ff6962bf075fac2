// Whether the matrix has a negative determinant that is not rounding.
bool mirrorsSpace(mat3x4 rows) {
  vec3 x = rows[0].xyz;
  vec3 y = rows[1].xyz;
  vec3 z = rows[2].xyz;
  float determinant = dot(x, cross(y, z));
  return determinant < 0.0 &&
         determinant * determinant > 1e-12 * dot(x, x) * dot(y, y) * dot(z, z);
}
