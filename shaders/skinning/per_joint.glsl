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

#ifdef EXACT_NORMALS
// Tangents of the surface are added too, and what the shares' own growth does to it. Growths of all
// shares cancel, so they count positions from the first as well.
struct Surface {
  vec3 u, v;
  float mirrored;
};

void addSurface(float part, vec3 start, vec3 u, vec3 v, vec2 growth, bool mirrors, vec3 first,
                inout Surface surface) {
  surface.u += u + growth.x * (start - first);
  surface.v += v + growth.y * (start - first);
  if (mirrors) surface.mirrored += part;
}

#define ADD_PART(part, by, surfaceBy, counts) if (counts(part)) { surfaceBy(part, position, normal, at, start, u, v, growth, mirrors); addSkinned(part, at, vec3(0.0), mixture); addSurface(part, start, u, v, growth, mirrors, mixture.first, surface); }
#else
#define ADD_PART(part, by, surfaceBy, counts) if (part > 0.0) { by(position, normal, at, n); addSkinned(part, at, n, mixture); }
#endif

void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  Mixture mixture = Mixture(false, vec3(0.0), vec3(0.0), vec3(0.0));
  vec3 at;
#ifdef EXACT_NORMALS
  Surface surface = Surface(vec3(0.0), vec3(0.0), 0.0);
  vec3 start;
  vec3 u;
  vec3 v;
  vec2 growth;
  bool mirrors;
#else
  vec3 n;
#endif
  ADD_PART(share0.x, skin_0, skinSurface_0, surfaceCounts_0)
  ADD_PART(share0.y, skin_1, skinSurface_1, surfaceCounts_1)
#if PARTS > 2
  ADD_PART(share0.z, skin_2, skinSurface_2, surfaceCounts_2)
#endif
#if PARTS > 3
  ADD_PART(share0.w, skin_3, skinSurface_3, surfaceCounts_3)
#endif
#if PARTS > 4
  ADD_PART(share1.x, skin_4, skinSurface_4, surfaceCounts_4)
#endif
#if PARTS > 5
  ADD_PART(share1.y, skin_5, skinSurface_5, surfaceCounts_5)
#endif
#if PARTS > 6
  ADD_PART(share1.z, skin_6, skinSurface_6, surfaceCounts_6)
#endif
#if PARTS > 7
  ADD_PART(share1.w, skin_7, skinSurface_7, surfaceCounts_7)
#endif
#if PARTS > 8
  ADD_PART(share2.x, skin_8, skinSurface_8, surfaceCounts_8)
#endif
#if PARTS > 9
  ADD_PART(share2.y, skin_9, skinSurface_9, surfaceCounts_9)
#endif
#if PARTS > 10
  ADD_PART(share2.z, skin_10, skinSurface_10, surfaceCounts_10)
#endif
#if PARTS > 11
  ADD_PART(share2.w, skin_11, skinSurface_11, surfaceCounts_11)
#endif
  skinnedPosition = mixture.first + mixture.moved;
#if defined(NO_NORMALS)
  skinnedNormal = vec3(0.0);
#elif defined(EXACT_NORMALS)
  vec3 across = surface.mirrored > 0.5 ? cross(surface.v, surface.u) : cross(surface.u, surface.v);
  float squared = dot(across, across);
  skinnedNormal = squared > 1e-30 ? across * inversesqrt(squared) : vec3(0.0);
#else
  float squared = dot(mixture.normal, mixture.normal);
  skinnedNormal = squared > 1e-30 ? mixture.normal * inversesqrt(squared) : vec3(0.0);
#endif
}
#endif
