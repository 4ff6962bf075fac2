// By the fraction of a joint's motion, then by M(p).
vec4 tangentByAttachment(int i, vec3 position, vec3 normal, vec3 tangent) {
  uint joint = joints0[i];
  float t = blendFactorOf(i);
#ifdef JOINT_ROW
  if (t <= 0.0 || t >= 1.0)
    return transformTangent(matrixRows(joint, t <= 0.0 ? 0 : JOINT_ROW), tangent);
#endif
  JointMotion by = moveByJoint(joint, t, position);
  vec4 moved = vec4(tangent, 1.0);
  if (nonUniformScale) moved = transformTangent(by.stretch, tangent);
  vec4 whole = transformTangent(matrixRows(joint, 0), rotate(by.rotation, moved.xyz));
  return vec4(whole.xyz, moved.w * whole.w);
}
