// A normal under an affine matrix given as three rows (the columns of a mat3x4), unit or zero.
vec3 transformNormal(mat3x4 rows, vec3 normal) {
  vec3 x = rows[0].xyz;
  vec3 y = rows[1].xyz;
  vec3 z = rows[2].xyz;
  if (nonUniformScale) { // the same for all vertices of a draw
    // Inverse transpose = cofactors / determinant; only the determinant's sign matters.
    mat3 cofactors = mat3(cross(y, z), cross(z, x), cross(x, y));
    float side = dot(x, cofactors[0]) < 0.0 ? -1.0 : 1.0;
    x = side * cofactors[0];
    y = side * cofactors[1];
    z = side * cofactors[2];
  }
  vec3 turned = vec3(dot(x, normal), dot(y, normal), dot(z, normal));
  float squared = dot(turned, turned);
  return squared > 1e-30 ? turned * inversesqrt(squared) : vec3(0.0);
}
