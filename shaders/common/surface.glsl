// For exact normals: two tangents of the bind surface, and the normal of where they go.
#ifdef EXACT_NORMALS

// u x v points along the normal.
void surfaceTangents(vec3 normal, out vec3 u, out vec3 v) {
  u = cross(normal, abs(normal.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0));
  v = cross(normal, u);
}

vec3 computeNormal(vec3 u, vec3 v, bool mirrors) {
  vec3 across = mirrors ? cross(v, u) : cross(u, v);
  float squared = dot(across, across);
  return squared > 1e-30 ? across * inversesqrt(squared) : vec3(0.0);
}

#endif
