// Every vertex attribute of every shader, at its one fixed location (render/gpu_mesh.cpp has the
// same table). A method uses those its binding fills; the compiler drops the rest.
layout(location = 0) in vec3 bindPosition;
layout(location = 1) in vec3 bindNormal;
layout(location = 2) in vec2 texcoord;
layout(location = 3) in vec4 color;
layout(location = 4) in uvec4 joints0; // palette items, by falling weight
layout(location = 7) in vec4 weights0;
#ifdef SPLINES // a vertex in up to three splines' coordinates (none with SPLINE_TRANSFORM): x, then offsets along and across
layout(location = 5) in vec4 spline0;
layout(location = 6) in vec4 spline1;
layout(location = 8) in vec4 spline2;
layout(location = 9) in vec3 splineNormal0;
layout(location = 10) in vec3 splineNormal1;
layout(location = 11) in vec3 splineNormal2;
#else
layout(location = 5) in uvec4 joints1;
layout(location = 6) in uvec4 joints2;
layout(location = 8) in vec4 weights1;
layout(location = 9) in vec4 weights2;
layout(location = 10) in vec3 jointShare; // of each joint's movement that the vertex takes
#endif
layout(location = 14) in float field;          // a scalar shown as colour: a joint's weight, ...
layout(location = 15) in vec3 instanceOffset;  // place of a crowd's character, world space
