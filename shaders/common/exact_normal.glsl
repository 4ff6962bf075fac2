// Exact normals of a vertex with ATTACHMENTS joints or splines: the cross product of how it moves
// along two tangents of the bind surface, over which weights and parameters change too. Attribute
// gradientI: derivatives of attachment I's weight by u and v, and its weight times those of its
// parameter; of a single attachment the last two.
#ifdef EXACT_NORMALS

// How one attachment moves a vertex.
struct Motion {
  vec3 position;
  vec3 alongU, alongV; // motion of the tangents while weight and parameter are held
  vec3 velocity;       // motion of the vertex with its parameter
  bool mirrors;        // turns the surface inside out
};

// By attachment i: the method's own file.
Motion motionBy(int i, vec3 position, vec3 u, vec3 v);

#if ATTACHMENTS == 1
#ifdef SHARED_SURFACE
vec4 getGradient(int i) { return gradient0; }
#else
vec4 getGradient(int i) { return vec4(0.0, 0.0, gradient0); }
#endif
float attachmentWeight(int i) { return 1.0; }
#elif ATTACHMENTS == 2
vec4 getGradient(int i) { return i == 0 ? gradient0 : gradient1; }
float attachmentWeight(int i) { return weights0[i]; }
#else
vec4 getGradient(int i) { return i == 0 ? gradient0 : i == 1 ? gradient1 : gradient2; }
float attachmentWeight(int i) { return weights0[i]; }
#endif

// Adds what attachment i contributes to the tangents, with a share of the surface. first: the
// position by attachment 0. The weights sum to the share everywhere, so their growths cancel, but
// for that of the share, in any position taken from all.
void addTangents(int i, float share, Motion motion, vec3 first, inout vec3 u, inout vec3 v,
                 inout vec2 growth) {
  vec4 gradient = getGradient(i);
  vec3 apart = motion.position - first;
  float weight = share * attachmentWeight(i);
  u += weight * motion.alongU + gradient.x * apart + gradient.z * motion.velocity;
  v += weight * motion.alongV + gradient.y * apart + gradient.w * motion.velocity;
  growth += gradient.xy;
}

#ifdef SHARED_SURFACE
// Whether a mixture needs this method at the vertex: it has a share of it or of its surroundings.
bool surfaceCounts(float share) {
  bool some = share > 0.0;
  for (int i = 0; i < ATTACHMENTS; ++i)
    some = some || getGradient(i) != vec4(0.0);
  return some;
}
#endif

#ifndef SPLINES_VECTORIZED
// An attachment whose weight is 0 here counts if it grows from here on; behind the first that does
// not count there are no more.
bool counts(int i) {
  return i < ATTACHMENTS && (attachmentWeight(i) > 0.0 || getGradient(i) != vec4(0.0));
}

// The vertex and the tangents of the surface about it, of which this method has a share; `start` is
// what positions of u and v are taken from, growth the derivatives of the share.
void skinSurface(float share, vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 start,
                 out vec3 u, out vec3 v, out vec2 growth, out bool mirrors) {
  vec3 tangentU;
  vec3 tangentV;
  surfaceTangents(normal, tangentU, tangentV);
  start = vec3(0.0);
  mirrors = false;
  u = vec3(0.0);
  v = vec3(0.0);
  growth = vec2(0.0);
  skinnedPosition = vec3(0.0);
  int i = 0;
  do {
    Motion motion = motionBy(i, position, tangentU, tangentV);
    if (i == 0) {
      start = motion.position;
      mirrors = motion.mirrors;
    }
    addTangents(i, share, motion, start, u, v, growth);
#ifdef PLAIN_MIXING
    skinnedPosition += attachmentWeight(i) * motion.position;
#else
    skinnedPosition += attachmentWeight(i) * (motion.position - start);
#endif
    ++i;
  } while (counts(i));
#ifndef PLAIN_MIXING
  skinnedPosition += start;
#endif
}

void deformSequentially(vec3 position, vec3 normal, out vec3 skinnedPosition,
                        out vec3 skinnedNormal) {
  vec3 start;
  vec3 u;
  vec3 v;
  vec2 growth;
  bool mirrors;
  skinSurface(1.0, position, normal, skinnedPosition, start, u, v, growth, mirrors);
  skinnedNormal = computeNormal(u, v, mirrors);
}
#endif

#endif
