// A vertex as a line along its normal.
layout(points) in;
layout(line_strip, max_vertices = 2) out;
in vec3 worldPosition[];
in vec3 worldNormal[];

void main() {
  gl_Position = clipFromWorld * vec4(worldPosition[0], 1.0);
  EmitVertex();
  gl_Position = clipFromWorld * vec4(worldPosition[0] + eye.w * worldNormal[0], 1.0);
  EmitVertex();
  EndPrimitive();
}
