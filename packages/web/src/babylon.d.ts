import type {Matrix} from "@babylonjs/core/Maths/math.vector.js";
import type {AbstractMesh} from "@babylonjs/core/Meshes/abstractMesh.js";
import type {TransformNode} from "@babylonjs/core/Meshes/transformNode.js";
import type {CrowdOptions, MethodName, Source, UseOptions} from "./module.js";

export type {CrowdOptions, MethodName, Source, UseOptions, Zone} from "./module.js";

export interface Handle {
  readonly method: MethodName;
  readonly meshes: AbstractMesh[];
  /** Positions of all vertices on the CPU, three floats each, in the meshes' own space. */
  positions(): Float32Array;
  /** Leaves the meshes as they were. */
  dispose(): void;
}

/** Many characters of one model: thin instances of a copy of each of its meshes. */
export interface Crowd {
  readonly method: MethodName;
  readonly count: number;
  readonly poses: number;
  /** Their parent. */
  readonly object: TransformNode;
  /** Where a character is, relative to `object`; at first all are where the model is. */
  setMatrixAt(character: number, matrix: Matrix): void;
  /** Which pose a character shows; at first the one of its own number. */
  setPoseAt(character: number, pose: number): void;
  /** Writes the pose that the model's skeletons have now. */
  writePose(pose: number): void;
  dispose(): void;
}

export class Sinew {
  static load(source?: Source): Promise<Sinew>;
  readonly methods: {name: MethodName, title: string, summary: string}[];
  /** Has the browser compile what a method needs, for while a model is loading: the first `use` by it then takes less. */
  prepare(method: MethodName): void;
  /** Without a method: that of the file, from `extras.sinew.skinning` of the mesh's node. */
  use(target: TransformNode | TransformNode[], method?: MethodName, options?: UseOptions): Handle;
  crowd(target: TransformNode | TransformNode[], method: MethodName | undefined, options: CrowdOptions): Crowd;
}
