// A method, skin_0, and a modifier of what it has posed, skin_1.
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  vec3 posed;
  vec3 posedNormal;
  skin_0(position, normal, posed, posedNormal);
  skin_1(posed, posedNormal, skinnedPosition, skinnedNormal);
}
