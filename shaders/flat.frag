// One colour: wireframe and normals.
uniform vec4 lineColor; // sRGB
out vec4 fragment;

void main() { fragment = lineColor; }
