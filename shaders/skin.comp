// skin() of all vertices of a batch, once for every pass that draws them; and skinTangent().
layout(local_size_x = 64) in;

layout(std430, binding = 1) writeonly buffer Posed { float posedFloats[]; };

// The word where the batch's vertices begin, the words of one, the number of the first, how many.
uniform ivec4 batch;
// Where the first goes: its number among the posed ones, those of a character, the first of the
// normals and of the tangents among the floats.
uniform ivec4 posed;
uniform int firstCharacter;

void store(int first, vec3 value) {
  posedFloats[first] = value.x;
  posedFloats[first + 1] = value.y;
  posedFloats[first + 2] = value.z;
}

void main() {
  int vertex = int(gl_GlobalInvocationID.x);
  if (vertex >= batch.w) return;
  vertexIndex = batch.z + vertex;
  instanceIndex = firstCharacter + int(gl_WorkGroupID.y);
  readVertex(uint(batch.x + vertex * batch.y));
  vec3 position;
  vec3 normal;
  skin(bindPosition, bindNormal, position, normal);
  int to = posed.x + instanceIndex * posed.y + vertex;
  store(3 * to, position);
  store(posed.z + 3 * to, normal);
#ifdef COMPUTE_TANGENTS
  vec4 tangent = skinTangent(bindPosition, bindNormal, bindTangent.xyz);
  store(posed.w + 4 * to, tangent.xyz);
  posedFloats[posed.w + 4 * to + 3] = tangent.w * bindTangent.w;
#endif
}
