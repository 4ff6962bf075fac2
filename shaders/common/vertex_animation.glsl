// A vertex animation texture: nothing is skinned, the posed vertex is read.
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  skinnedPosition = paletteRow(uint(gl_VertexID), 0).xyz;
  skinnedNormal = paletteRow(uint(gl_VertexID), 1).xyz;
}
