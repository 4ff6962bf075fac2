import type {Entity, MeshInstance} from "playcanvas";
import type {MethodName, Source, UseOptions} from "./module.js";

export type {MethodName, Source, UseOptions, Zone} from "./module.js";

export interface Handle {
  readonly method: MethodName;
  readonly meshes: MeshInstance[];
  /** What `positions` are relative to, in the world. */
  readonly origin: number[];
  /** Positions of all vertices on the CPU, three floats each, relative to `origin`. */
  positions(): Float32Array;
  /** Leaves the meshes as they were. */
  dispose(): void;
}

export class Sinew {
  static load(source?: Source): Promise<Sinew>;
  readonly methods: {name: MethodName, title: string, summary: string}[];
  /** The loader keeps no extras, so the method of a file is not read. */
  use(target: Entity | MeshInstance | (Entity | MeshInstance)[], method: MethodName, options?: UseOptions): Handle;
}
