// What skin() computes, for transform feedback; or skinTangent().
out vec3 capturedPosition;
out vec3 capturedNormal;

void main() {
#ifdef CAPTURE_TANGENTS
  vec4 tangent = skinTangent(bindPosition, bindNormal, bindTangent.xyz);
  capturedPosition = tangent.xyz;
  capturedNormal = vec3(tangent.w * bindTangent.w);
#else
  skin(bindPosition, bindNormal, capturedPosition, capturedNormal);
#endif
  gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
