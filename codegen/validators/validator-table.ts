import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Esbuild from 'esbuild';
import type { TSchema } from 'typebox';
import { validatorDigest } from '../../kernel/schema/index.js';
import { standaloneCode } from './standalone-code.js';

const require = createRequire(import.meta.url);

/** A schema that values are checked against. */
export interface ValidatorRequest {
  readonly schema: TSchema;
  /** What the schema belongs to, for errors: `input.query of GET /products`. */
  readonly subject: string;
}

/** Generated validators, as JavaScript. */
export interface ValidatorTable {
  /** Digests in the table, sorted. */
  readonly digests: readonly string[];
  /** Statements that declare {@link TABLE}. They import nothing and touch no global. */
  readonly code: string;
}

/** Expression that gives the object of digest to function, after the code of a {@link ValidatorTable}. */
export const TABLE = 'bundle.validators';

// The code of the last table, because a watch generates repeatedly for schemas that mostly stay the same.
let kept: ReadonlyMap<string, string> = new Map();

/** When the validators of a table are made: all when the table is loaded, or each when it is first read. */
type WhenMade = 'loaded' | 'read';

/**
 * Generates validators, one per different schema, with everything from Ajv that they need at run time inside.
 * @throws FwError `FW_CODEGEN_SCHEMA`
 */
export function validatorTable(requests: readonly ValidatorRequest[], made: WhenMade = 'loaded'): ValidatorTable {
  const codes = new Map<string, string>();
  for (const { schema, subject } of requests) {
    const digest = validatorDigest(schema);
    codes.set(digest, codes.get(digest) ?? kept.get(digest) ?? standaloneCode(schema, subject));
  }
  kept = codes;
  const sorted = [...codes].sort(([a], [b]) => (a < b ? -1 : 1));
  return { digests: sorted.map(([digest]) => digest), code: bundled(sorted, made) };
}

// Ajv's code calls `require` for its run-time parts (lengths of strings, deep equality, formats): the bundler inserts one copy of each.
function bundled(codes: readonly (readonly [digest: string, code: string])[], made: WhenMade): string {
  const members = codes.map(([digest, code]) => {
    const body = `{ const module = { exports: {} };\n${code}\nreturn module.exports; }`;
    const name = JSON.stringify(digest);
    return made === 'read' ? `  get ${name}() ${body},\n` : `  ${name}: (() => ${body})(),\n`;
  });
  const { buildSync } = require('esbuild') as typeof Esbuild;
  const { outputFiles } = buildSync({
    stdin: { contents: `export const validators = {\n${members.join('')}};\n`, resolveDir: packageFolder() },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'bundle',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'node20',
    // Not minified, so that reviews see small differences; bundling the application can minify it.
    minify: false,
    legalComments: 'none',
    charset: 'ascii',
  });
  return (outputFiles[0]?.text ?? '').replace(INSTALLED, '$1');
}

// The bundler writes the paths of files, which depend on how the packages were installed.
const INSTALLED = /(\/\/ |")[^"\n]*node_modules\/(?=[^"\n]+\.js\b)/g;

// Folder from which the framework's own dependencies are resolved, wherever this file was bundled.
function packageFolder(): string {
  return path.dirname(fileURLToPath(import.meta.url));
}
