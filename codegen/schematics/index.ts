/**
 * Generators for projects: what `fw new`, `fw generate` and `fw add` do, for the command line and for tools alike.
 * @packageDocumentation
 */
export { addFeature } from './add/index.js';
export { blocksOf } from './engine/blocks.js';
export { contextInMemory, contextOver, type GeneratorContext } from './engine/context.js';
export { ConfigSource } from './engine/edit-config.js';
export { CONFIG_FILE, requireProject } from './engine/project.js';
export type { FlagValue } from './engine/schematic.js';
export { SCHEMATICS_ERRORS } from './errors.js';
export { generate } from './generate.js';
export { SCHEMATICS } from './kinds.js';
export { featuresOf, type DocumentInput } from './new/apply-document.js';
export { dockerfileText } from './new/dockerfile-text.js';
export { compiledDrivers } from './new/compiled-drivers.js';
export { checkedName, newProject, writeProject } from './new/index.js';
export { packedAlready, packFramework, type PackedFramework } from './new/pack-framework.js';
export { packInto } from './new/pack-into.js';
export { TEMPLATES } from './new/template.js';
export { applyToProject, type AppliedChanges } from './apply-to-project.js';
export { commitAndGenerate, regenerated } from '../engine/follow-up.js';
export { projectRoot } from '../../kernel/fs/index.js';
