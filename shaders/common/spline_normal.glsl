// How a vertex moves along the bind surface by a spline, for exact normals: common/spline.glsl has
// the rest.
#ifdef EXACT_NORMALS

// Bind space to (T, B, N) at p1, from p1.
vec3 intoStartFrame(uint entry, vec3 v) {
  return vec3(dot(paletteRow(entry, 8).xyz, v), dot(paletteRow(entry, 9).xyz, v),
              dot(paletteRow(entry, 10).xyz, v));
}

#ifdef FREE_SPLINES
// The bind curve's direction in that frame, where it is in the plane of T and B.
vec2 bindDirection(uint entry, CurvePoints at, int lane) {
  vec4 bind = paletteRow(entry, 4);
  return vec2(bind.w * at.slope12[lane] + bind.x * at.slope23[lane], bind.y * at.slope23[lane]);
}
#endif

// A tangent of bind space in the frame of the bind curve where the vertex is on it.
vec3 intoBindFrame(uint entry, CurvePoints at, int lane, vec3 tangent) {
  vec3 local = intoStartFrame(entry, tangent);
#ifdef FREE_SPLINES
  vec2 direction = bindDirection(entry, at, lane);
  float squared = dot(direction, direction);
  if (squared > 0.0) {
    vec2 t = direction * inversesqrt(squared);
    local.xy = vec2(dot(t, local.xy), t.x * local.y - t.y * local.x);
  }
#endif
  return local;
}

// How fast the point of the bind curve moves along its tangent with x, seen from the vertex: the
// planes normal to a curve come nearer to each other towards its centre of curvature.
float bindPace(uint entry, CurvePoints at, int lane, vec3 bindOffset) {
  vec4 bind = paletteRow(entry, 4);
#ifdef FREE_SPLINES
  vec2 direction = bindDirection(entry, at, lane);
  float squared = dot(direction, direction);
  float pace = curveSpeed() * sqrt(squared);
  return squared > 0.0 ? pace - bindOffset.y * bind.w * bind.y / squared : pace;
#else
  return curveSpeed() * (bind.w * at.slope12[lane] + paletteRow(entry, 3).w * at.slope23[lane]);
#endif
}

// How the stretched offset changes with x while the vertex stays where it is in the bind pose.
vec3 offsetPace(uint entry, CurvePoints at, int lane, vec3 bindOffset) {
  float pace = bindPace(entry, at, lane, bindOffset);
  if (!nonUniformScale) return vec3(-paletteRow(entry, 2).w * pace, 0.0, 0.0);
  mat3x4 near = stretchRows(entry, 0.0);
  mat3x4 far = stretchRows(entry, 1.0);
#ifdef FREE_SPLINES
  vec3 grown = vec4(bindOffset, 0.0) * far - vec4(bindOffset, 0.0) * near;
  return grown / curveEnd() - pace * (vec4(1.0, 0.0, 0.0, 0.0) * stretchRows(entry, at.fraction[lane]));
#else
  float a = paletteRow(entry, 4).w;
  float b = paletteRow(entry, 3).w;
  vec3 fromCenter = bindOffset;
  fromCenter.x += a * (at.along12[lane] - 1.0) + b * at.along23[lane];
  vec3 grown = vec4(fromCenter, 0.0) * far - vec4(fromCenter, 0.0) * near;
  float posedA = a * abs(paletteRow(entry, 5).x);
  float posedB = b * abs(paletteRow(entry, 6).x);
  grown /= curveEnd();
  grown.x -= curveSpeed() * (posedA * at.slope12[lane] + posedB * at.slope23[lane]);
  return grown;
#endif
}

// u, v: tangents in bind space.
Motion motionByCurve(uint entry, CurvePoints at, int lane, float sine, float cosine,
                     vec3 bindOffset, vec3 u, vec3 v) {
  PosedOnCurve posed = poseOnCurve(entry, at, lane, sine, cosine, bindOffset);
  vec4 d12 = paletteRow(entry, 1);
  vec4 d23 = paletteRow(entry, 2);
  vec3 across = paletteRow(entry, 3).xyz;
  Motion motion;
  motion.position = posed.position;
  motion.mirrors = false;
  float scale = nonUniformScale ? 1.0 : d23.w;
  vec3 localU = scale * intoBindFrame(entry, at, lane, u);
  vec3 localV = scale * intoBindFrame(entry, at, lane, v);
  if (nonUniformScale) {
    mat3x4 stretch = stretchRows(entry, at.fraction[lane]);
    localU = vec4(localU, 0.0) * stretch;
    localV = vec4(localV, 0.0) * stretch;
    motion.mirrors = mirrorsSpace(stretch);
  }
  motion.alongU = posed.frame * rotateAcross(localU, sine, cosine);
  motion.alongV = posed.frame * rotateAcross(localV, sine, cosine);

  vec3 direction = at.slope12[lane] * d12.xyz + at.slope23[lane] * d23.xyz;
  vec3 bend = at.bend12[lane] * d12.xyz + at.bend23[lane] * d23.xyz;
  vec3 tangent = posed.frame[0];
  float squared = dot(direction, direction);
  vec3 tangentPace = squared > 1e-30
                         ? (bend - dot(tangent, bend) * tangent) * inversesqrt(squared)
                         : vec3(0.0);
  vec3 withinFrame = rotateAcross(offsetPace(entry, at, lane, bindOffset), sine, cosine) +
                     d12.w / curveEnd() * vec3(0.0, -posed.offset.z, posed.offset.y);
  motion.velocity = curveSpeed() * direction + posed.frame * withinFrame +
                    posed.offset.x * tangentPace +
                    posed.offset.y * cross(across, tangentPace);
#ifndef FREE_SPLINES
  motion.velocity += paletteRow(entry, 4).xyz / curveEnd();
#endif
  return motion;
}

#endif
