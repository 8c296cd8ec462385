import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rooms } from '#rooms';
import { expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';
import { globSync } from 'tinyglobby';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Facts {
  readonly name: string;
  readonly title: string;
  readonly driver?: { readonly package?: string };
}

const dialectRooms = rooms.filter(({ manifest }) => manifest.dialects !== undefined);
const facts = dialectRooms.flatMap(({ manifest }) => manifest.dialects as readonly Facts[]);
const words = facts.flatMap(({ name, title, driver }) => [name, ...title.split(', '), driver?.package ?? name]);

// `sqlite_sequence` is a word of SQLite, `pgrep` none of pg.
const escape = (word: string) => word.replace(/[^\w\s]/g, '\\$&');
const escaped = [...new Set(words)].map((word) => (word.length > 3 ? escape(word) : `\\b${escape(word)}\\b`));
const NAME = new RegExp(escaped.join('|'), 'i');

// What belongs to no room: scenarios install drivers, tools are packages that tests need, corpora are data. Spans of other people's
// services name their databases by OpenTelemetry's words, whichever dialects there are here.
const files = globSync(['{kernel,plugins,codegen}/**/*.{ts,mjs,cjs}', '{kernel,plugins,codegen}/**/fw.json'], {
  cwd: ROOT,
  ignore: [
    ...dialectRooms.map(({ room }) => `${room}/**`),
    'plugins/fleet/otlp/**',
    ...[
      '**/*.test.ts',
      '**/node_modules/**',
      '**/testing/**',
      '**/corpus/**',
      'kernel/e2e/**',
      'plugins/dashboard/ui/**',
    ],
  ],
});

/** The code of a file, with its texts and without its comments, which may say which database a rule comes from. */
function codeOf(file: string, text: string): string {
  if (file.endsWith('.json')) return text;
  return transformSync(text, { loader: 'ts', legalComments: 'none', minifyWhitespace: true, charset: 'utf8' }).code;
}

test('code that dialects share names none of them: what one is like is a trait of its own', () => {
  const naming = files.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const found = NAME.test(text) ? NAME.exec(codeOf(file, text))?.[0] : undefined;
    return found === undefined ? [] : [`${file} names ${found}`];
  });
  expect(naming).toEqual([]);
});

test('names and comments are told apart, and dialects are looked for by their facts', () => {
  expect(facts.length).toBeGreaterThan(0);
  expect(files.length).toBeGreaterThan(500);
  for (const { name } of facts) {
    expect(NAME.test(codeOf('x.ts', `const table = '${name}_master'; // ${name}`))).toBe(true);
    expect(NAME.test(codeOf('x.ts', `// As ${name} has it.\nconst table = 1;`))).toBe(false);
  }
});
