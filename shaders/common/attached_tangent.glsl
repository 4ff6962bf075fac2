// The tangent of a vertex that is attached to ATTACHMENTS joints or splines: the weighted mean of
// those by each, as common/attachments.glsl has it of normals. Exact normals have the same.

// By attachment i: the method's own file.
vec4 tangentByAttachment(int i, vec3 position, vec3 normal, vec3 tangent);

vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) {
#if ATTACHMENTS == 1
  return tangentByAttachment(0, position, normal, tangent);
#else
  vec4 first = tangentByAttachment(0, position, normal, tangent);
  vec3 sum = weights0[0] * first.xyz;
  for (int i = 1; i < ATTACHMENTS; ++i)
    if (weights0[i] > 0.0) sum += weights0[i] * tangentByAttachment(i, position, normal, tangent).xyz;
  return vec4(unitOrZero(sum), first.w);
#endif
}
