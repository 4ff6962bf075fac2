// What the methods share whose vertices follow ATTACHMENTS joints or splines, 1 to 3: the weighted
// mean of where each of them takes the vertex. With NO_NORMALS there are positions alone.
#ifdef ATTACHMENTS

// Where attachment i takes the vertex: the method's own file.
void followAttachment(int i, vec3 position, vec3 normal, out vec3 moved, out vec3 turned);

vec3 unitOrZero(vec3 v) {
  float squared = dot(v, v);
  return squared > 1e-30 ? v * inversesqrt(squared) : vec3(0.0);
}

#ifndef SPLINES_TOGETHER
#if ATTACHMENTS == 1
void followInTurn(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  followAttachment(0, position, normal, skinnedPosition, skinnedNormal);
}

#else
// One after the other, as many as the vertex has: most have one, and so have their neighbours. The
// mean is taken of differences from the first, which keeps its accuracy far from the origin; with
// PLAIN_MIXING it is the mere sum.
void followInTurn(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  vec3 first = vec3(0.0);
  vec3 sum = vec3(0.0);
  skinnedPosition = vec3(0.0);
  int i = 0;
  do {
    vec3 place;
    vec3 turned;
    followAttachment(i, position, normal, place, turned);
#ifndef PLAIN_MIXING
    first = i == 0 ? place : first;
#endif
    skinnedPosition += weights0[i] * (place - first);
    sum += weights0[i] * turned;
    ++i;
  } while (weights0[i] > 0.0); // weights0.w is 0
  skinnedPosition += first;
  skinnedNormal = unitOrZero(sum);
}
#endif
#endif

#endif
