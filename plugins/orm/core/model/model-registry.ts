import { ModelInfo } from './model-info.js';
import type { ModelClass, ModelDefinition } from './model-definition.js';
import { reflectedDefinition } from './reflected-definition.js';

const known = new WeakMap<ModelClass, ModelInfo>();
const generated = new Map<ModelClass, ModelInfo>();

/**
 * Makes a generated model known. Called by generated code; a later call for the same class replaces the earlier, which
 * happens when a watcher reloads it.
 */
export function registerModel<Model extends object>(
  target: ModelClass<Model>,
  definition: ModelDefinition<Model>,
): ModelInfo<Model> {
  const info = new ModelInfo(target, definition);
  known.set(target, info as unknown as ModelInfo);
  generated.set(target, info as unknown as ModelInfo);
  return info;
}

/** Makes a model known that no code declares, so that queries can be made on it; it is not among {@link registeredModels}. */
export function keepModel(target: ModelClass, definition: ModelDefinition): ModelInfo {
  const info = new ModelInfo(target, definition);
  known.set(target, info);
  return info;
}

/**
 * What is known about a class: its generated model, else what its decorators say.
 *
 * @throws FwError `FW_ORM_MODEL`, `FW_ORM_TAG`
 */
export function modelInfoOf<Model extends object>(target: ModelClass<Model>): ModelInfo<Model> {
  const found = known.get(target);
  if (found !== undefined) return found as unknown as ModelInfo<Model>;
  const made = new ModelInfo(target as ModelClass, reflectedDefinition(target as ModelClass));
  known.set(target, made);
  return made as unknown as ModelInfo<Model>;
}

/**
 * What is known about models, each given as its class or as that already.
 *
 * @throws FwError `FW_ORM_MODEL`, `FW_ORM_TAG`
 */
export function modelInfosOf(models: readonly (ModelClass | ModelInfo)[]): readonly ModelInfo[] {
  return models.map((model) => (model instanceof ModelInfo ? model : modelInfoOf(model)));
}

/** Every model that generated code has registered, in that order. */
export const registeredModels = (): readonly ModelInfo[] => [...generated.values()];
