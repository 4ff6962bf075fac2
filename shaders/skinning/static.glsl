// No skinning: the bind pose, as a measure of what the methods cost.
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  skinnedPosition = position;
  skinnedNormal = normal;
}
