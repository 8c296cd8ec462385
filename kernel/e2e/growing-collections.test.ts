import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { globSync } from 'tinyglobby';

const ROOT = path.resolve(import.meta.dirname, '../..');
const groups = JSON.parse(readFileSync(path.join(ROOT, 'docs/trust/collections.json'), 'utf8')) as readonly {
  readonly files: Readonly<Record<string, string>>;
}[];

/** A map, set or list that a class or a module keeps. */
const KEPT =
  /^(?: {2}(?:(?:static|private|protected|readonly|override) )*(#?\w+)|(?:export )?(?:const|let) (\w+))(?::[^\n]*?)? =\s+(?:new (?:Map|Set|Array)\b|\[)/gm;

/** Names of what a source keeps and adds to. */
function growingIn(text: string): readonly string[] {
  const kept = [...text.matchAll(KEPT)].map(([, field, variable]) => (field ?? variable) as string);
  return kept.filter((name) => {
    const added = `\\??\\.(?:set|add|push|unshift|splice)\\(`;
    const assigned = `\\[[^\\]]+\\]\\s*(?:\\?\\?)?=(?!=)`;
    return new RegExp(`(?<![\\w#])${name}(?:${added}|${assigned})`).test(text);
  });
}

test('each source of a running server that keeps what grows is listed in docs/trust/collections.json with its bound', () => {
  const sources = globSync(['kernel/**/*.ts', 'plugins/**/*.ts'], {
    cwd: ROOT,
    ignore: [
      '**/*.{test,d}.ts',
      '**/{testing,fixtures,projects,node_modules}/**',
      // Run once, or in a browser.
      'kernel/{bin,build,cli,doctor,e2e,knowledge,lint}/**',
      'plugins/dashboard/ui/**',
      'plugins/orm/{commands,contract,db-check,db-pull,migrations,schema}/**',
    ],
  });
  const growing = sources.filter((file) => growingIn(readFileSync(path.join(ROOT, file), 'utf8')).length > 0);
  const listed = groups.flatMap(({ files }) => Object.keys(files));
  expect(growing.sort()).toEqual(listed.sort());
});

test.each([
  ['class A {\n  readonly #seen = new Map<string, A>();\n  f() {\n    this.#seen.set("a", this);\n  }\n}', ['#seen']],
  ['class A {\n  #on: (() => void)[] = [];\n  f() {\n    this.#on.push(f);\n  }\n}', ['#on']],
  ['const known = new Set<string>();\nexport const note = (a: string) => known.add(a);', ['known']],
  ['class A {\n  readonly #ring = new Array<number>(3);\n  f() {\n    this.#ring[this.#at] = 1;\n  }\n}', ['#ring']],
  ['const NAMES = new Set(["a"]);\nexport const has = (a: string) => NAMES.has(a);', []],
  ['const made = new WeakMap<object, string>();\nmade.set({}, "");', []],
  ['function f() {\n  const local = new Map();\n  local.set(1, 1);\n}', []],
])('%j', (text, names) => {
  expect(growingIn(text)).toEqual(names);
});
