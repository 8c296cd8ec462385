/**
 * Generators for projects: what `fw new`, `fw generate` and `fw add` do, for the command line and for tools alike.
 * @packageDocumentation
 */
export { addFeature, type AddResult } from './add/index.js';
export { blocksOf, type Block } from './engine/blocks.js';
export { contextInMemory, contextOver, type GeneratorContext } from './engine/context.js';
export { ConfigSource, type ConfigEntry } from './engine/edit-config.js';
export { CONFIG_FILE } from './engine/project.js';
export type { FlagValue } from './engine/schematic.js';
export { SCHEMATICS_ERRORS } from './errors.js';
export { generate, type GenerateRequest } from './generate.js';
export { REFUSED_KINDS, SCHEMATICS } from './kinds.js';
export { applyDocument, featuresOf, type DocumentInput, type FeatureCall } from './new/apply-document.js';
export { dockerfileText } from './new/dockerfile-text.js';
export { type CompiledDriver, compiledDrivers } from './new/compiled-drivers.js';
export { checkedName, newProject, writeProject, type NewProject, type NewProjectResult } from './new/index.js';
export { packFramework, type PackedFramework } from './new/pack-framework.js';
export { TEMPLATES } from './new/template.js';
export { applyToProject, type AppliedChanges } from './apply-to-project.js';
export { commitAndGenerate, regenerated } from '../engine/follow-up.js';
export { projectRoot } from '../../kernel/fs/index.js';
