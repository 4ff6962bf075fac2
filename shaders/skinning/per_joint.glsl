// Every joint by a method of its own: skin_0 to skin_7 are those of the PARTS methods that the
// joints have, each with its own attributes and rows of the palette; share0 and share1 say how much
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

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  Mixture mixture = Mixture(false, vec3(0.0), vec3(0.0), vec3(0.0));
  vec3 moved;
  vec3 movedNormal;
  if (share0.x > 0.0) {
    skin_0(position, normal, moved, movedNormal);
    addSkinned(share0.x, moved, movedNormal, mixture);
  }
  if (share0.y > 0.0) {
    skin_1(position, normal, moved, movedNormal);
    addSkinned(share0.y, moved, movedNormal, mixture);
  }
#if PARTS > 2
  if (share0.z > 0.0) {
    skin_2(position, normal, moved, movedNormal);
    addSkinned(share0.z, moved, movedNormal, mixture);
  }
#endif
#if PARTS > 3
  if (share0.w > 0.0) {
    skin_3(position, normal, moved, movedNormal);
    addSkinned(share0.w, moved, movedNormal, mixture);
  }
#endif
#if PARTS > 4
  if (share1.x > 0.0) {
    skin_4(position, normal, moved, movedNormal);
    addSkinned(share1.x, moved, movedNormal, mixture);
  }
#endif
#if PARTS > 5
  if (share1.y > 0.0) {
    skin_5(position, normal, moved, movedNormal);
    addSkinned(share1.y, moved, movedNormal, mixture);
  }
#endif
#if PARTS > 6
  if (share1.z > 0.0) {
    skin_6(position, normal, moved, movedNormal);
    addSkinned(share1.z, moved, movedNormal, mixture);
  }
#endif
#if PARTS > 7
  if (share1.w > 0.0) {
    skin_7(position, normal, moved, movedNormal);
    addSkinned(share1.w, moved, movedNormal, mixture);
  }
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
