import { defineErrors } from '../../../kernel/index.js';

export const VERIFICATION_ERRORS = defineErrors('plugins/tools/verification', {
  FW_TOOLS_NO_PACKAGE: {
    message:
      'There is neither a package.json nor a go.mod in {path}. Expected the root of a TypeScript project or of a Go module: pass its path.',
    status: 404,
    cause: 'The folder is not the root of a project.',
    remedy: 'Pass the folder that has the package.json or the go.mod.',
  },
  FW_TOOLS_PACKAGE: {
    message: '{path} cannot be read: {problem}. Expected a JSON object.',
    status: 422,
    cause: 'The package.json of the project is damaged.',
    remedy: 'Repair the file; npm pkg get name says when it can be read.',
  },
  FW_TOOLS_TEST_FILTER: {
    message:
      'The filter "{filter}" cannot be used: expected at most 256 letters, digits, blanks and the signs of regular expressions but quotes and backslashes, not starting with a dash.',
    status: 422,
    cause: 'The filter becomes an argument of the test runner.',
    remedy: 'Use a simpler pattern.',
  },
  FW_TOOLS_BENCH_TIME: {
    message:
      'The benchtime "{value}" cannot be used: expected a number of iterations such as 100x, from 1x to 100000000x, or a duration such as 500ms, 2s or 1m, of at most five minutes.',
    status: 422,
    cause: 'The time for one benchmark is neither a count nor a duration, or is too long.',
    remedy: 'Give one of the forms that the message shows.',
  },
  FW_TOOLS_NO_GO: {
    message:
      '{path} is a Go module, but the command go is not on PATH. Install Go (https://go.dev/doc/install), or start fw-mcp with a PATH that contains it.',
    status: 424,
    cause: 'Go modules are built, tested and measured by the go command, which is not installed here.',
    remedy: 'Install Go, or put its bin folder on PATH.',
  },
  FW_TOOLS_NO_RUNNER: {
    message: '{path} has no tests that can be run: {expected}.',
    status: 422,
    cause: 'No test runner is installed or named by the test script, or the one that is cannot measure coverage.',
    remedy: 'Do what the message says.',
  },
  FW_TOOLS_NO_BENCHMARKS: {
    message:
      '{path} has no benchmarks. Expected a script bench or bench:<name> in package.json, or files named *.bench.ts, .mts, .js or .mjs.',
    status: 404,
    cause: 'Neither the scripts nor the files of the project name a benchmark.',
    remedy: 'Add one: a file sum.bench.js that vitest bench or node can run.',
  },
  FW_TOOLS_SCRIPT: {
    message: 'The script "{script}" cannot be run without a shell: {problem}. Expected {expected}.',
    status: 422,
    cause: 'Scripts are split into programs and arguments and started directly; no shell is ever run.',
    remedy: 'Write the script as plain programs with arguments, joined by && where there are several.',
  },
  FW_TOOLS_COVERAGE: {
    message: 'There is no coverage to read in {path}: {problem}.',
    status: 422,
    cause: 'The test runner wrote no coverage report, or the one that is there cannot be read.',
    remedy: 'Do what the message says; fw_verify_project shows what the test runner prints.',
  },
});
