import path from 'node:path';
import type { TSchema } from 'typebox';
import { isFwError } from '../../kernel/errors/index.js';
import type { Generator } from '../engine/generator.js';
import { type SourceProblem, sourceProblems } from '../engine/source-problem.js';
import { readRoutes } from '../routes/read-routes.js';
import type { RouteEntry } from '../routes/route-entry.js';
import { TABLE, validatorTable, type ValidatorRequest, type ValidatorTable } from './validator-table.js';
import { standaloneCode } from './standalone-code.js';

/** Name of the module in `generated/`. */
export const VALIDATORS_MODULE = 'validators.ts';

// A watch generates again and again for schemas that mostly stay the same.
let last: { readonly key: string; readonly table: ValidatorTable } | undefined;

/** Writes `validators.ts`: Ajv standalone code for the inputs of all routes, registered when it is imported. */
export const validatorsGenerator: Generator = {
  name: 'validators',
  generate: (input) => {
    const { entries, sources } = readRoutes(input);
    const requests = entries.flatMap(requestsOf);
    if (requests.length === 0) return [];
    const { code } = tableOf(requests, () => refuseBroken(entries, input.root));
    return [{ path: VALIDATORS_MODULE, content: moduleText(code), sources }];
  },
};

// JSON bodies have types; query, path and headers are text, of which the schema decides what it becomes.
function requestsOf({ method, path: pattern, input }: RouteEntry): ValidatorRequest[] {
  return Object.entries(input).map(([source, schema]) => ({
    schema: schema as TSchema,
    coerce: source !== 'body',
    subject: `input.${source} of ${method} ${pattern}`,
  }));
}

function tableOf(requests: readonly ValidatorRequest[], onBroken: () => void): ValidatorTable {
  const key = JSON.stringify(requests.map(({ schema, coerce }) => [coerce, schema]));
  if (last?.key === key) return last.table;
  try {
    last = { key, table: validatorTable(requests) };
    return last.table;
  } catch (error) {
    onBroken();
    throw error;
  }
}

// One schema failed: look at each, so that all that fail are named at once.
function refuseBroken(entries: readonly RouteEntry[], root: string): void {
  const problems = entries.flatMap((entry) => requestsOf(entry).flatMap((request) => problemOf(request, entry, root)));
  if (problems.length > 0) throw sourceProblems(problems);
}

function problemOf({ schema, coerce, subject }: ValidatorRequest, entry: RouteEntry, root: string): SourceProblem[] {
  try {
    standaloneCode(schema, coerce, subject);
    return [];
  } catch (error) {
    if (!isFwError(error)) throw error;
    return [{ file: path.resolve(root, entry.file), line: entry.line, column: 1, message: error.message }];
  }
}

function moduleText(code: string): string {
  return [
    '// @ts-nocheck',
    "import { registerPrecompiled } from 'fw';",
    code.trimEnd(),
    '/** Validators by digest of their schema; see registerPrecompiled. */',
    `export const validators: Readonly<Record<string, (value: unknown) => boolean>> = ${TABLE};`,
    'registerPrecompiled(validators);',
    '',
  ].join('\n');
}
