// What all engines take.
export type MethodName = "rigid" | "lbs" | "dqs" | "bones-blending" | "arc-spline" | "bezier-spline" | "cor" | "stbs" |
                         "ddm" | "per-joint";

/** A joint's zone, as in sinew's zones files. */
export interface Zone {
  min?: number;
  max?: number;
  source?: "weights" | "zone";
  curve?: "linear" | "smooth" | [number, number][];
  method?: MethodName;
  twist?: "zone" | "bone" | [number, number];
}

export interface UseOptions {
  /** Of the method, by name; or as text, "attachments=1,normals=exact". */
  parameters?: Record<string, number | string | boolean> | string;
  /** By the bones' names. */
  zones?: Record<string, Zone>;
  /** Joints of a vertex, 1 to 12; 8 unless stated. */
  influences?: number;
}

/** Where sinew.wasm comes from: left out, the package's own. */
export type Source = string | URL | BufferSource | Response | Promise<Response> | WebAssembly.Module;

export interface CrowdOptions extends UseOptions {
  /** Characters. */
  count: number;
  /** Poses that they can show; as many as characters unless stated. */
  poses?: number;
}
