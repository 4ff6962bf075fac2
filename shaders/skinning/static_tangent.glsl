vec4 skinTangent(vec3 position, vec3 normal, vec3 tangent) { return vec4(tangent, 1.0); }
