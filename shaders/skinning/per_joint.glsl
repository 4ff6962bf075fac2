// Every joint by a method of its own: skin_0 to skin_11 are those of the PARTS methods that the
// joints have, each with its own attributes and rows of the palette; share0 to share2 say how much
// of the vertex each of them has. Most vertices have all of one, as have their neighbours.

#if PARTS == 1
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  skin_0(position, normal, skinnedPosition, skinnedNormal);
}

#else
// Positions are added as differences from the first, which keeps accuracy far from the origin.
struct Mixture {
  bool begun;
  vec3 first;
  vec3 moved;
  vec3 normal;
};

void addSkinned(float part, vec3 position, vec3 normal, inout Mixture mixture) {
  if (!mixture.begun) mixture.first = position;
  mixture.begun = true;
  mixture.moved += part * (position - mixture.first);
  mixture.normal += part * normal;
}

#define ADD_SKINNED(part, by) if (part > 0.0) { by(position, normal, at, n); addSkinned(part, at, n, mixture); }

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  Mixture mixture = Mixture(false, vec3(0.0), vec3(0.0), vec3(0.0));
  vec3 at;
  vec3 n;
  ADD_SKINNED(share0.x, skin_0)
  ADD_SKINNED(share0.y, skin_1)
#if PARTS > 2
  ADD_SKINNED(share0.z, skin_2)
#endif
#if PARTS > 3
  ADD_SKINNED(share0.w, skin_3)
#endif
#if PARTS > 4
  ADD_SKINNED(share1.x, skin_4)
#endif
#if PARTS > 5
  ADD_SKINNED(share1.y, skin_5)
#endif
#if PARTS > 6
  ADD_SKINNED(share1.z, skin_6)
#endif
#if PARTS > 7
  ADD_SKINNED(share1.w, skin_7)
#endif
#if PARTS > 8
  ADD_SKINNED(share2.x, skin_8)
#endif
#if PARTS > 9
  ADD_SKINNED(share2.y, skin_9)
#endif
#if PARTS > 10
  ADD_SKINNED(share2.z, skin_10)
#endif
#if PARTS > 11
  ADD_SKINNED(share2.w, skin_11)
#endif
  skinnedPosition = mixture.first + mixture.moved;
#ifdef NO_NORMALS
  skinnedNormal = vec3(0.0);
#else
  float squared = dot(mixture.normal, mixture.normal);
  skinnedNormal = squared > 1e-30 ? mixture.normal * inversesqrt(squared) : vec3(0.0);
#endif
}
#endif
