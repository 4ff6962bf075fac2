// What skin() computes, for transform feedback.
out vec3 capturedPosition;
out vec3 capturedNormal;

void main() {
  skin(bindPosition, bindNormal, capturedPosition, capturedNormal);
  gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
