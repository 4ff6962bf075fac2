// By the linear part of the same map.
vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) {
  mat3x4 rows = strength * blendRows(0);
  if (rows == mat3x4(0.0)) return vec4(tangent, 1.0);
  vec3 x = rows[0].xyz + vec3(1.0, 0.0, 0.0);
  vec3 y = rows[1].xyz + vec3(0.0, 1.0, 0.0);
  vec3 z = rows[2].xyz + vec3(0.0, 0.0, 1.0);
  vec3 moved = vec3(dot(x, tangent), dot(y, tangent), dot(z, tangent));
  float squared = dot(moved, moved);
  float determinant = dot(x, cross(y, z));
  bool mirrors = determinant < 0.0 &&
                 determinant * determinant > 1e-12 * dot(x, x) * dot(y, y) * dot(z, z);
  return vec4(squared > 1e-30 ? moved * inversesqrt(squared) : vec3(0.0), mirrors ? -1.0 : 1.0);
}
