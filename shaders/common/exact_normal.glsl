// Exact normals of a vertex with ATTACHMENTS joints or splines: the cross product of how it moves
// along two tangents of the bind surface, over which weights and parameters change too. Attribute
// gradientI: derivatives of attachment I's weight by u and v, and its weight times those of its
// parameter; of a single attachment the last two.
#ifdef EXACT_NORMALS

// How one attachment moves a vertex.
struct Motion {
  vec3 position;
  vec3 alongU, alongV; // of the tangents, weight and parameter held
  vec3 velocity;       // of the vertex with its parameter
  bool mirrors;        // turns the surface inside out
};

// By attachment i: the method's own file.
Motion motionBy(int i, vec3 position, vec3 u, vec3 v);

// u x v points along the normal.
void surfaceTangents(vec3 normal, out vec3 u, out vec3 v) {
  u = cross(normal, abs(normal.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0));
  v = cross(normal, u);
}

#if ATTACHMENTS == 1
vec4 gradientOf(int i) { return vec4(0.0, 0.0, gradient0); }
float attachmentWeight(int i) { return 1.0; }
#elif ATTACHMENTS == 2
vec4 gradientOf(int i) { return i == 0 ? gradient0 : gradient1; }
float attachmentWeight(int i) { return weights0[i]; }
#else
vec4 gradientOf(int i) { return i == 0 ? gradient0 : i == 1 ? gradient1 : gradient2; }
float attachmentWeight(int i) { return weights0[i]; }
#endif

// Adds what attachment i contributes to the tangents. first: the position by attachment 0. The
// weights sum to 1 everywhere, so their growths cancel in any position taken from all.
void addTangents(int i, Motion motion, vec3 first, inout vec3 u, inout vec3 v) {
  vec4 gradient = gradientOf(i);
  vec3 apart = motion.position - first;
  u += attachmentWeight(i) * motion.alongU + gradient.x * apart + gradient.z * motion.velocity;
  v += attachmentWeight(i) * motion.alongV + gradient.y * apart + gradient.w * motion.velocity;
}

vec3 normalOf(vec3 u, vec3 v, bool mirrors) {
  return unitOrZero(mirrors ? cross(v, u) : cross(u, v));
}

#ifndef SPLINES_VECTORIZED
// An attachment whose weight is 0 here counts if it grows from here on; behind the first that does
// not count there are no more.
bool counts(int i) {
  return i < ATTACHMENTS && (attachmentWeight(i) > 0.0 || gradientOf(i) != vec4(0.0));
}

void deformSequentially(vec3 position, vec3 normal, out vec3 skinnedPosition,
                        out vec3 skinnedNormal) {
  vec3 tangentU;
  vec3 tangentV;
  surfaceTangents(normal, tangentU, tangentV);
  vec3 first = vec3(0.0);
  bool mirrors = false;
  vec3 u = vec3(0.0);
  vec3 v = vec3(0.0);
  skinnedPosition = vec3(0.0);
  int i = 0;
  do {
    Motion motion = motionBy(i, position, tangentU, tangentV);
    if (i == 0) {
      first = motion.position;
      mirrors = motion.mirrors;
    }
    addTangents(i, motion, first, u, v);
#ifdef PLAIN_MIXING
    skinnedPosition += attachmentWeight(i) * motion.position;
#else
    skinnedPosition += attachmentWeight(i) * (motion.position - first);
#endif
    ++i;
  } while (counts(i));
#ifndef PLAIN_MIXING
  skinnedPosition += first;
#endif
  skinnedNormal = normalOf(u, v, mirrors);
}
#endif

#endif
