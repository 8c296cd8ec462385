export type { GeneratedFile, Generator, GeneratorInput } from './generator.js';
export { inWords, problemAt, problemsOf, sourceProblems, type SourceProblem } from './source-problem.js';
export type { CodegenResult } from './result.js';
export { runCodegen, type CodegenOptions } from './run-codegen.js';
