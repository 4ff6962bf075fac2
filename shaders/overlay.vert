// Coloured lines and triangles in world space.
layout(location = 0) in vec3 position;
layout(location = 3) in vec4 color; // sRGB
out vec4 vertexColor;

void main() {
  vertexColor = color;
  gl_Position = clipFromWorld * vec4(position, 1.0);
}
