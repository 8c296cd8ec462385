export type { Generator, GeneratorInput } from './generator.js';
export { inWords, problemAt, sourceProblems } from './source-problem.js';
export type { CodegenResult } from './result.js';
export { runCodegen, type CodegenOptions } from './run-codegen.js';
