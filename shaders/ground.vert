// A part of the ground.
layout(location = 0) in vec3 position;
out vec3 worldPosition;

void main() {
  worldPosition = position;
  gl_Position = clipFromWorld * vec4(position, 1.0);
}
