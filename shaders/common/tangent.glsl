// A surface tangent under an affine matrix given as three rows: unit or zero, by the matrix itself.
// w: -1 where that mirrors space, for the cross product of normal and tangent turns round then.
vec4 transformTangent(mat3x4 rows, vec3 tangent) {
  vec3 moved = vec4(tangent, 0.0) * rows;
  float squared = dot(moved, moved);
  return vec4(squared > 1e-30 ? moved * inversesqrt(squared) : vec3(0.0),
              mirrorsSpace(rows) ? -1.0 : 1.0);
}
