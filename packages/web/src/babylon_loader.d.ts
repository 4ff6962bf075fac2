/** Has Babylon's loader of glTF keep what `sinew export --method` has bound. Call it before a model is loaded. */
export function registerSkinningData(): void;
