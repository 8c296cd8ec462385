import { describe, expect, test } from '@jest/globals';
import { Project, type ts } from 'ts-morph';
import { Type } from 'typebox';
import { withDefault } from '../../kernel/config/index.js';
import { ClassValue, Evaluator, ForeignValue, FunctionValue, unresolvedOf } from './index.js';
import { moduleResolverOf } from '../program/index.js';

/** Evaluates `export default` of /app/main.ts, with other files beside it. */
function evaluate(text: string, files: Readonly<Record<string, string>> = {}) {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  for (const [name, content] of Object.entries(files)) project.getFileSystem().writeFileSync(`/app/${name}`, content);
  const main = project.createSourceFile('/app/main.ts', text);
  const evaluator = new Evaluator(moduleResolverOf(project));
  const value = () => evaluator.exported(main.compilerNode, 'default', main.compilerNode as ts.Node);
  return { value, evaluator };
}

const valueOf = (text: string, files?: Readonly<Record<string, string>>) => evaluate(text, files).value();

function refusalOf(text: string, files?: Readonly<Record<string, string>>) {
  try {
    return { value: valueOf(text, files) };
  } catch (error) {
    const unresolved = unresolvedOf(error);
    if (!unresolved) throw error;
    return unresolved;
  }
}

describe('Evaluator', () => {
  test.each<[string, unknown]>([
    ["'text'", 'text'],
    ['`plain`', 'plain'],
    ['-1.5e3', -1500],
    ['0xff', 255],
    ['1_000', 1000],
    ['12n', 12n],
    ['[true, false, null, undefined]', [true, false, null, undefined]],
    ['8 * 1024 * 1024', 8 * 1024 * 1024],
    ["'a' + 1", 'a1'],
    ['(({ a: [1, { b: 2 }] }) as const)', { a: [1, { b: 2 }] }],
    ['{ ...{ a: 1 }, "b-c": 2, [`d`]: 3 } satisfies object', { a: 1, 'b-c': 2, d: 3 }],
    ['[...[1, 2], 3][1]!', 2],
    ['{ a: { b: 1 } }.a.b', 1],
    ['undefined?.a', undefined],
    ["null ?? 'x'", 'x'],
    ["['x' ?? process.env.A, 1 || process.env.A, 0 && process.env.A]", ['x', 1, 0]],
    ["[0 ?? 'x', '' || 'y', 1 && 'z']", [0, 'y', 'z']],
    ['1 === 1 ? 2 : 3', 2],
    ['!0', true],
    ['Number.MAX_SAFE_INTEGER', Number.MAX_SAFE_INTEGER],
    ['/^a/i', /^a/i],
  ])('reads %s', (expression, expected) => {
    expect(valueOf(`export default (${expression});`)).toEqual(expected);
  });

  test('follows constants, patterns and template texts', () => {
    const text = "const names = { api: 'api' }; const { api: base } = names; export default `/${base}/v${1 + 1}`;";
    expect(valueOf(text)).toBe('/api/v2');
  });

  test('follows imports by name, by default, renamed, as a whole, and handed on', () => {
    const text = `
      import base, { a, b as c } from './one.js';
      import * as all from './one.js';
      import { d, e, three } from './two.js';
      export default [base, a, c, all.a, d, e, three.d];`;
    const files = {
      'one.ts': "const hidden = 'b'; export const a = 'a'; export { hidden as b }; export default 'base';",
      'two.ts':
        "export * from './three/index.js'; export * as three from './three/index.js'; export { a as e } from './one.js';",
      'three/index.ts': "export const d = 'd';",
    };
    expect(valueOf(text, files)).toEqual(['base', 'a', 'b', 'a', 'd', 'a', 'd']);
  });

  test('knows which files it read', () => {
    const { value, evaluator } = evaluate("import { a } from './one.js'; export default a;", {
      'one.ts': 'export const a = 1;',
      'other.ts': '',
    });
    value();
    expect([...evaluator.takeFiles()].sort()).toEqual(['/app/main.ts', '/app/one.ts']);
    expect([...evaluator.takeFiles()]).toEqual([]);
  });

  test('reads enums, with numbers that count on and their reverse members', () => {
    const text =
      "enum Level { Low, High = 5, Higher } enum Kind { A = 'a' } export default [Level.Higher, Level[5], Kind.A];";
    expect(valueOf(text)).toEqual([6, 'High', 'a']);
  });

  test('calls small functions of the project with their parameters', () => {
    const text = `
      const page = (item: unknown, size = 20) => { const bounds = { size }; return { item, ...bounds }; };
      function twice(n: number) { return n * 2; }
      export default [page('x'), page('y', twice(5))];`;
    expect(valueOf(text)).toEqual([
      { item: 'x', size: 20 },
      { item: 'y', size: 10 },
    ]);
  });

  test('finds the declaration that is nearest', () => {
    const text = "const a = 'outer'; const f = () => { const a = 'inner'; return a; }; export default [a, f()];";
    expect(valueOf(text)).toEqual(['outer', 'inner']);
  });

  test('calls TypeBox builders for real', () => {
    const text = `
      import { Type as T } from 'typebox';
      import * as all from 'typebox';
      import { Type, withDefault } from 'fw';
      const Id = T.Integer({ minimum: 1 });
      const User = all.Object({ id: Id, name: T.Optional(T.String({ maxLength: 10 })), tags: T.Array(T.String()) });
      export default [T.Partial(User), T.Union([T.Literal('a'), T.Null()]), withDefault(Type.Number(), 3)];`;
    const Id = Type.Integer({ minimum: 1 });
    const User = Type.Object({
      id: Id,
      name: Type.Optional(Type.String({ maxLength: 10 })),
      tags: Type.Array(Type.String()),
    });
    const expected = [Type.Partial(User), Type.Union([Type.Literal('a'), Type.Null()]), withDefault(Type.Number(), 3)];
    expect(JSON.stringify(valueOf(text))).toBe(JSON.stringify(expected));
    expect(
      '~optional' in (valueOf("import { Type } from 'typebox'; export default Type.Optional(Type.Null());") as object),
    ).toBe(true);
  });

  test('knows classes, functions and foreign exports without running them', () => {
    const values = valueOf(
      "import { jwt } from 'fw/middleware/jwt'; class A {} export default [A, () => 1, jwt];",
    ) as unknown[];
    expect(values[0]).toBeInstanceOf(ClassValue);
    expect(values[1]).toBeInstanceOf(FunctionValue);
    expect(values[2]).toBeInstanceOf(ForeignValue);
  });

  test.each([
    ['process.env.PORT', 'process is not a const'],
    ['Math.random()', 'Math is not a const'],
    ['await load()', 'await load() is only known at run time'],
    ['new Map()', 'new Map() is only known at run time'],
    ['changing', 'changing can change at run time; expected a const'],
    ['two(1)', 'two does more than return an expression'],
    ['[1].map(String)', 'only known at run time'],
    ['self', 'it refers to itself'],
    ['Type.Object({ a: Model })', 'Type.Object is given the class Model'],
    ['Type.Refine(Type.String(), () => true)', 'Type.Refine is given a function'],
    ['Type.Nonsense()', 'has no value before run time'],
    ["missing + ''", 'the module ./missing.js was not found'],
    ['absent', 'exports no absent'],
    ['({ get a() { return 1; } })', 'a getter or setter'],
    ['x++', 'only known at run time'],
    ['1n + 1', '1n + 1 failed: Cannot mix BigInt'],
    ['1n / 0n', '1n / 0n failed: Division by zero'],
    ['+1n', '+1n failed: Cannot convert a BigInt'],
    ['/(/', '/(/ failed: Invalid regular expression'],
    ['toString()', 'toString is not a const'],
  ])('says of %s why it is unresolved, and where', (expression, reason) => {
    const text = `import { Type } from 'typebox'; import { missing } from './missing.js'; import { absent } from './one.js';
      let changing = 1; let x = 1; class Model {}
      const self: unknown = [self];
      function two(n: number) { console.log(n); return n; }
      export default [
        ${expression},
      ];`;
    const refusal = refusalOf(text, { 'one.ts': 'export const a = 1;' });
    expect(refusal).toMatchObject({ file: '/app/main.ts', reason: expect.stringContaining(reason) });
    expect((refusal as { line: number }).line).toBe(expression === 'self' ? 3 : 6);
  });

  test('says which parameter it does not know', () => {
    const text = 'export default (() => 1)();\nexport const f = (a) => a;';
    expect(valueOf(text)).toBe(1);
    expect(refusalOf('const f = ({ a }) => a;\nexport default f({ a: 1 });')).toMatchObject({
      line: 1,
      reason: 'a parameter that is a pattern or a rest is not followed',
    });
  });

  test('reads nothing out of generated/ but what this run made', () => {
    const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
    project.getFileSystem().writeFileSync('/app/generated/old.ts', 'export const a = 1;');
    const modules = moduleResolverOf(project);
    modules.beginRun('/app/generated');
    expect(modules.resolve('/app/main.ts', './generated/old.js')).toBeUndefined();
    modules.addFresh('/app/generated/new.ts', { content: 'export const a = 2;', sources: ['/app/model.ts'] });
    expect(modules.resolve('/app/main.ts', './generated/new.js')?.text).toBe('export const a = 2;');
    expect(modules.sourcesOf('/app/generated/new.ts')).toEqual(['/app/model.ts']);
  });
});
