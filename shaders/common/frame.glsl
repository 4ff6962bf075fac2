// What is the same for everything drawn in one view: camera, light, colour scale. Seven constants
// and the field's two; renderer.cpp has the same struct.
layout(std140) uniform Frame {
  mat4 clipFromWorld;
  vec4 eye;        // world space; w: length of a normal's line
  vec4 light;      // towards the light, unit; w: intensity
  vec4 fieldScale; // x: value of the scale's lower end; y: 1 / (upper - lower end)
};
