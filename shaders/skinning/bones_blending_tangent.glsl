// By the fraction of a joint's motion, then by M(p).
vec4 tangentByAttachment(int i, vec3 position, vec3 normal, vec3 tangent) {
#ifdef TWIST_ROW
  twistVertex(position, tangent);
#endif
  uint joint = joints0[i];
  float t = getBlendFactor(i);
#ifdef JOINT_ROW
  if (t <= 0.0) return transformTangent(parentMatrix(joint), tangent);
  if (t >= 1.0) return transformTangent(matrixRows(joint, JOINT_ROW), tangent);
#endif
  JointMotion by = moveByJoint(joint, t, position);
  vec4 moved = vec4(tangent, 1.0);
  if (nonUniformScale) moved = transformTangent(by.stretch, tangent);
  vec4 whole = transformTangent(parentMatrix(joint), rotate(by.rotation, moved.xyz));
  return vec4(whole.xyz, moved.w * whole.w);
}
