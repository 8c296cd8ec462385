export { type CompilerSettings, readCompilerSettings } from './compiler-options.js';
export { FRAMEWORK_FOLDER, frameworkFile, isFramework, ORM_FILE } from './framework-declarations.js';
export { ModuleResolver, moduleResolverOf } from './module-resolver.js';
export { relationImports } from './relation-imports.js';
export { type ProjectTypes, typeProgramOf } from './type-program.js';
