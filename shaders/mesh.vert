// Every skinned surface: skin() comes from the method's file.
out vec3 worldPosition;
out vec3 worldNormal;
#ifdef TEXCOORDS
out vec2 surfaceTexcoord;
#endif
#ifdef VERTEX_COLORS
out vec4 surfaceColor;
#endif
#ifdef FIELD
out vec3 surfaceField;
#endif
#ifdef OCCLUSION
out float surfaceHidden;
#endif
#ifdef NORMAL_MAP
out vec4 worldTangent; // w: on which side the bitangent is
#endif

#ifdef INSTANCE_ROTATION
// By a unit quaternion; its vector part first.
vec3 rotated(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}
#endif

void main() {
  vec3 position;
  vec3 normal;
  skin(bindPosition, bindNormal, position, normal);
#ifdef INSTANCE_ROTATION
  position = rotated(instanceRotation, position);
  normal = rotated(instanceRotation, normal);
#endif
  worldPosition = position + instanceOffset;
  worldNormal = normal;
#ifdef NORMAL_MAP
  worldTangent = skinTangent(bindPosition, bindNormal, bindTangent.xyz);
  worldTangent.w *= bindTangent.w;
#endif
#ifdef TEXCOORDS
  surfaceTexcoord = texcoord;
#endif
#ifdef VERTEX_COLORS
  surfaceColor = color;
#endif
#ifdef OCCLUSION
  surfaceHidden = field.x;
#endif
#ifdef FIELD
#if defined(FIELD_IS_COLOR)
  surfaceField = field;
#elif defined(FIELD_IS_PLACE)
  // How far this method puts the vertex from where another one does.
  surfaceField = vec3(distance(position, field) - fieldScale.x) * fieldScale.y;
#else
  surfaceField = (field - fieldScale.x) * fieldScale.y;
#endif
#endif
  gl_Position = clipFromWorld * vec4(worldPosition, 1.0);
}
