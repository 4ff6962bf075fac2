// The rotation nearest to a matrix, never a reflection: R with A = R S, S symmetric with eigenvalues
// s1 >= s2 >= |s3|. Their sum is the largest root of the characteristic polynomial of Horn's 4x4
// matrix (Theobald 2005), all whose roots are real; with it and the cofactors of A the theorem of
// Cayley and Hamilton gives R itself, where s2 + s3 > 0. A step of Newton's iteration on the
// rotations then removes the rounding.

mat3 computeCofactors(mat3 a) {
  return mat3(cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1]));
}

float computeSquaredNorm(mat3 a) { return dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]); }

// Newton: the step w solves (trace(S) I - S) w = the axial vector of R^T A, S its symmetric part. It
// is short, so that I + [w] is a rotation but for its square.
mat3 refined(mat3 r, mat3 a) {
  mat3 b = transpose(r) * a;
  vec3 axial = vec3(b[1][2] - b[2][1], b[2][0] - b[0][2], b[0][1] - b[1][0]);
  float sum = b[0][0] + b[1][1] + b[2][2];
  mat3 h = mat3(sum) - 0.5 * (b + transpose(b));
  mat3 c = computeCofactors(h);
  vec3 w = (c * axial) / max(dot(h[0], c[0]), 1e-9);
  w *= min(1.0, 0.2 * inversesqrt(max(dot(w, w), 1e-12)));
  return mat3(r[0] + w.z * r[1] - w.y * r[2], r[1] + w.x * r[2] - w.z * r[0],
              r[2] + w.y * r[0] - w.x * r[1]);
}

// With columns that are nearly so, or any others: a rotation.
mat3 orthogonal(mat3 r) {
  vec3 x = r[0] * inversesqrt(max(dot(r[0], r[0]), 1e-12));
  vec3 z = cross(x, r[1]);
  if (!(dot(z, z) > 1e-12)) return mat3(1.0);
  z = normalize(z);
  return mat3(x, cross(z, x), z);
}

mat3 nearestRotation(mat3 a) {
  float squared = computeSquaredNorm(a);
  if (!(squared > 1e-36)) return mat3(1.0);
  a *= inversesqrt(squared);
  mat3 c = computeCofactors(a);
  float det = dot(a[0], c[0]);
  float c0 = 1.0 - 4.0 * computeSquaredNorm(c);
  // Not below the root, to which Laguerre's steps fall: fast also where another root is near.
  float sum = 1.7320508;
  for (int i = 0; i < 5; ++i) {
    float s2 = sum * sum;
    float value = (s2 - 2.0) * s2 - 8.0 * det * sum + c0;
    float slope = 4.0 * (sum * (s2 - 1.0) - 2.0 * det);
    float curvature = 12.0 * s2 - 4.0;
    float under = sqrt(max(9.0 * slope * slope - 12.0 * value * curvature, 0.0));
    sum -= 4.0 * value / max(slope + under, 1e-6);
  }
  float e2 = 0.5 * (sum * sum - 1.0);
  mat3 r = (sum * c + (sum * sum - e2) * a - a * (transpose(a) * a)) /
           max(sum * e2 - det, 1e-6);
  return refined(orthogonal(r), a);
}
