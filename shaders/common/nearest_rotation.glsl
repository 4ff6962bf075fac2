// The rotation nearest to a matrix, never a reflection: R with A = R S, S symmetric with eigenvalues
// s1 >= s2 >= |s3|. Their sum is the largest root of the characteristic polynomial of Horn's 4x4
// matrix (Theobald 2005); with it and the cofactors of A the theorem of Cayley and Hamilton gives R
// itself, where s2 + s3 > 0. A step of Newton's iteration on the rotations then removes the rounding.

mat3 cofactorsOf(mat3 a) {
  return mat3(cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1]));
}

float squaredSizeOf(mat3 a) { return dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]); }

// Newton: the step w solves (trace(S) I - S) w = the axial vector of R^T A, S its symmetric part.
mat3 refined(mat3 r, mat3 a) {
  mat3 b = transpose(r) * a;
  vec3 axial = vec3(b[1][2] - b[2][1], b[2][0] - b[0][2], b[0][1] - b[1][0]);
  float sum = b[0][0] + b[1][1] + b[2][2];
  mat3 h = mat3(sum) - 0.5 * (b + transpose(b));
  mat3 c = cofactorsOf(h);
  vec3 w = (c * axial) / max(dot(h[0], c[0]), 1e-9);
  w *= 1.0 / max(1.0, 2.0 * length(w)); // no further than the step is good for
  vec3 u = 0.5 * w;
  float half_ = inversesqrt(1.0 + dot(u, u));
  vec4 q = vec4(u, 1.0) * half_;
  mat3 turned;
  for (int i = 0; i < 3; ++i) {
    vec3 axis = vec3(0.0);
    axis[i] = 1.0;
    turned[i] = r * (axis + 2.0 * cross(q.xyz, cross(q.xyz, axis) + q.w * axis));
  }
  return turned;
}

mat3 nearestRotation(mat3 a) {
  float squared = squaredSizeOf(a);
  if (!(squared > 1e-36)) return mat3(1.0);
  a *= inversesqrt(squared);
  mat3 c = cofactorsOf(a);
  float det = dot(a[0], c[0]);
  float c0 = 1.0 - 4.0 * squaredSizeOf(c);
  float sum = 1.7320508; // not below the root, to which Newton's steps fall
  for (int i = 0; i < 8; ++i) {
    float s2 = sum * sum;
    float slope = 4.0 * (sum * s2 - sum - 2.0 * det);
    sum -= ((s2 - 2.0) * s2 - 8.0 * det * sum + c0) / max(slope, 1e-4);
  }
  float e2 = 0.5 * (sum * sum - 1.0);
  mat3 r = (sum * c + (sum * sum - e2) * a - a * (transpose(a) * a)) /
           max(sum * e2 - det, 1e-6);
  r = 0.5 * (r * (mat3(3.0) - transpose(r) * r)); // orthogonal
  r = 0.5 * (r * (mat3(3.0) - transpose(r) * r));
  r = refined(r, a);
  return 0.5 * (r * (mat3(3.0) - transpose(r) * r));
}
