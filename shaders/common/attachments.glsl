// Shared by the methods that attach a vertex to ATTACHMENTS joints or splines, 1 to 3: the weighted
// mean of the vertex deformed by each. With NO_NORMALS there are only positions; EXACT_NORMALS are
// in exact_normal.glsl.

// The vertex deformed by attachment i: the method's own file.
void deformByAttachment(int i, vec3 position, vec3 normal, out vec3 moved, out vec3 movedNormal);

vec3 unitOrZero(vec3 v) {
  float squared = dot(v, v);
  return squared > 1e-30 ? v * inversesqrt(squared) : vec3(0.0);
}

#ifndef SPLINES_VECTORIZED
#ifndef EXACT_NORMALS
#if ATTACHMENTS == 1
void deformSequentially(vec3 position, vec3 normal, out vec3 skinnedPosition,
                        out vec3 skinnedNormal) {
  deformByAttachment(0, position, normal, skinnedPosition, skinnedNormal);
}

#else
// One after the other, as many as the vertex has: most have one, as have their neighbours. The mean
// is computed from differences to the first, which keeps accuracy far from the origin; with
// PLAIN_MIXING it is the plain sum. With EVERY_ATTACHMENT nearly all vertices of the draw have as many
// as there are, and compilers write them out.
void deformSequentially(vec3 position, vec3 normal, out vec3 skinnedPosition,
                        out vec3 skinnedNormal) {
  vec3 first = vec3(0.0);
  vec3 sum = vec3(0.0);
  skinnedPosition = vec3(0.0);
  int i = 0;
  do {
    vec3 moved;
    vec3 movedNormal;
    deformByAttachment(i, position, normal, moved, movedNormal);
#ifndef PLAIN_MIXING
    first = i == 0 ? moved : first;
#endif
    skinnedPosition += weights0[i] * (moved - first);
    sum += weights0[i] * movedNormal;
    ++i;
#ifdef EVERY_ATTACHMENT
  } while (i < ATTACHMENTS);
#else
  } while (weights0[i] > 0.0); // weights0.w is 0
#endif
  skinnedPosition += first;
  skinnedNormal = unitOrZero(sum);
}
#endif
#endif
#endif
