// The package for PlayCanvas, with all methods.
import {Sinew as Engine} from "./engines/playcanvas.js";
import {bindStored} from "./stored.js";

export class Sinew extends Engine {
  static program = () => import("./sinew.wasm.js");
  static bindStored = bindStored;
}
