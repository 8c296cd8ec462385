import path from 'node:path';
import type { TSchema } from 'typebox';
import { isFwError } from '../../kernel/errors/index.js';
import { SchemaIds } from '../../kernel/schema/index.js';
import type { Generator } from '../engine/generator.js';
import { type SourceProblem, sourceProblems } from '../engine/source-problem.js';
import { readRoutes } from '../routes/read-routes.js';
import type { RouteEntry } from '../routes/route-entry.js';
import { TABLE, validatorTable, type ValidatorRequest, type ValidatorTable } from './validator-table.js';
import { standaloneCode } from './standalone-code.js';

/** Name of the module in `generated/`. */
const VALIDATORS_MODULE = 'validators.ts';

// Cached, because a watch generates repeatedly for schemas that mostly stay the same.
let last: { readonly key: string; readonly table: ValidatorTable } | undefined;

/** Writes `validators.ts`: Ajv standalone code for the inputs of all routes, registered when it is imported. */
export const validatorsGenerator: Generator = {
  name: 'validators',
  generate: (input) => {
    const { entries, sources } = readRoutes(input);
    refuseForeignNames(entries, input.root);
    const requests = entries.flatMap(requestsOf);
    if (requests.length === 0) return [];
    const { code } = tableOf(requests, () => refuseBroken(entries, input.root));
    return [{ path: VALIDATORS_MODULE, content: moduleText(code), sources }];
  },
};

function requestsOf({ method, path: pattern, input }: RouteEntry): ValidatorRequest[] {
  return Object.entries(input).map(([source, schema]) => ({
    schema: schema as TSchema,
    subject: `input.${source} of ${method} ${pattern}`,
  }));
}

// The same check as at boot, for routes that are known before run time.
function refuseForeignNames(entries: readonly RouteEntry[], root: string): void {
  const ids = new SchemaIds();
  const problems = entries.flatMap((entry) =>
    problemsOf(entry, root, () => {
      for (const { schema, subject } of requestsOf(entry)) ids.add(schema, placeOf(subject, entry));
      ids.add(entry.output, placeOf(`output of ${entry.method} ${entry.path}`, entry));
    }),
  );
  if (problems.length > 0) throw sourceProblems(problems);
}

const placeOf = (subject: string, { file, line }: RouteEntry): string => `${subject} (${file}:${line})`;

function tableOf(requests: readonly ValidatorRequest[], onBroken: () => void): ValidatorTable {
  const key = JSON.stringify(requests.map(({ schema }) => schema));
  if (last?.key === key) return last.table;
  try {
    last = { key, table: validatorTable(requests) };
    return last.table;
  } catch (error) {
    onBroken();
    throw error;
  }
}

// One schema failed: checks each, so that the error names all that fail.
function refuseBroken(entries: readonly RouteEntry[], root: string): void {
  const problems = entries.flatMap((entry) =>
    requestsOf(entry).flatMap(({ schema, subject }) =>
      problemsOf(entry, root, () => void standaloneCode(schema, subject)),
    ),
  );
  if (problems.length > 0) throw sourceProblems(problems);
}

function problemsOf(entry: RouteEntry, root: string, attempt: () => void): SourceProblem[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (!isFwError(error)) throw error;
    return [{ file: path.resolve(root, entry.file), line: entry.line, column: 1, message: error.message }];
  }
}

function moduleText(code: string): string {
  return [
    // Ajv's code does not follow the style rules, and its types are not checked.
    '/* eslint-disable */',
    '// @ts-nocheck',
    "import { registerPrecompiled } from 'fw';",
    '// prettier-ignore',
    code.trimEnd(),
    '/** Validators by digest of their schema; see registerPrecompiled. */',
    `export const validators: Readonly<Record<string, (value: unknown) => boolean>> = ${TABLE};`,
    'registerPrecompiled(validators);',
    '',
  ].join('\n');
}
