// The package for Babylon.js, with a smaller program: dual quaternions, bones blending and centres of rotation.
import {Sinew as Engine} from "../engines/babylon.js";

export class Sinew extends Engine {
  static program = () => import("../few.wasm.js");
}
