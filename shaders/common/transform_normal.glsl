// A normal under an affine matrix given as three rows (the columns of a mat3x4), unit or zero.
vec3 transformNormal(mat3x4 rows, vec3 normal) {
  vec3 x = rows[0].xyz;
  vec3 y = rows[1].xyz;
  vec3 z = rows[2].xyz;
  float least = 1e-30;
  if (nonUniformScale) {
    // Inverse transpose = cofactors / determinant; only the determinant's sign matters. The sign is
    // meaningless if the matrix is singular up to rounding: then the cofactors are used unchanged,
    // and the resulting normal is zero unless it is above rounding.
    vec3 squares = vec3(dot(x, x), dot(y, y), dot(z, z));
    mat3 cofactors = mat3(cross(y, z), cross(z, x), cross(x, y));
    float determinant = dot(x, cofactors[0]);
    bool mirrors = determinant < 0.0 &&
                   determinant * determinant > 1e-12 * squares.x * squares.y * squares.z;
    float side = mirrors ? -1.0 : 1.0;
    x = side * cofactors[0];
    y = side * cofactors[1];
    z = side * cofactors[2];
    least = max(least, 1e-12 * dot(squares, squares.yzx));
  }
  vec3 transformed = vec3(dot(x, normal), dot(y, normal), dot(z, normal));
  float squared = dot(transformed, transformed);
  return squared > least ? transformed * inversesqrt(squared) : vec3(0.0);
}
