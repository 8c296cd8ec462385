export { type Compiler, compilerAbove } from './compiler.js';
