import { describe, expect, test } from '@jest/globals';
import { citationsIn } from './test-titles.js';

const cited = (text: string) => citationsIn({ path: 'kernel/a.test.ts', text });
const running = (...ids: string[]) => ids.map((id) => ({ id, isSkipped: false }));
const skipped = (...ids: string[]) => ids.map((id) => ({ id, isSkipped: true }));

describe('ids in titles', () => {
  test.each([
    "test('a [MW-RATE-03]', run);",
    "it('a [MW-RATE-03]', run);",
    "describe('a [MW-RATE-03]', run);",
    'test("a [MW-RATE-03]", run);',
    'test(`a [MW-RATE-03]`, run);',
    'test(`a ${name} [MW-RATE-03] ${value}`, run);',
    "test('a ' + name + ' [MW-RATE-03]', run);",
    "test.only('a [MW-RATE-03]', run);",
    "test.concurrent('a [MW-RATE-03]', run);",
    "test.each([1, 2])('a %d [MW-RATE-03]', run);",
    "describe.each([1, 2])('a %d [MW-RATE-03]', run);",
    "test.each`a | b`('a [MW-RATE-03]', run);",
    "describe('outer', () => { if (x) { test('a [MW-RATE-03]', run); } });",
    "(ready ? describe : describe.skip)('a [MW-RATE-03]', run);",
    "(ready ? describe.skip : describe)('a [MW-RATE-03]', run);",
    "const onPostgres = ready ? describe : describe.skip; onPostgres('a [MW-RATE-03]', run);",
    "const onPostgres = ready ? test : test.skip; onPostgres.each([1])('a [MW-RATE-03]', run);",
  ])('are found in %s', (text) => {
    expect(cited(text)).toEqual(running('MW-RATE-03'));
  });

  test('may be several, in one pair of brackets or in several', () => {
    expect(cited("test('a [MW-RATE-01, MW-RATE-02] [MW-RATE-03]', run);")).toEqual(
      running('MW-RATE-01', 'MW-RATE-02', 'MW-RATE-03'),
    );
  });

  test.each([
    "test('a MW-RATE-03', run);",
    "test('a [see MW-RATE-03]', run);",
    "test('a [MW-RATE] [UTF-8]', run);",
    "test('a', () => log('[MW-RATE-03]'));",
    "// test('a [MW-RATE-03]', run);",
    'const text = "test(\'a [MW-RATE-03]\', run)";',
    "log('a [MW-RATE-03]', run);",
    "/a/.test('a [MW-RATE-03]');",
    "pattern.test('a [MW-RATE-03]');",
    "const a = b; const b = a; a('a [MW-RATE-03]', run);",
    'test(`a ${"[MW-RATE-03]"}`, run);',
  ])('are not seen in %s', (text) => {
    expect(cited(text)).toEqual([]);
  });
});

describe('ids in the table of each', () => {
  test.each([
    "test.each([{ id: 'ORM-OP-EQ', n: 1 }, { id: 'ORM-OP-LT', n: 2 }])('compiles $n [$id]', run);",
    "test.each([{ id: 'ORM-OP-EQ' }, { id: 'ORM-OP-LT' }] as const)('[$id]', run);",
    "const cases = [{ 'id': 'ORM-OP-EQ' }, { id: 'ORM-OP-LT' }] satisfies Case[]; test.each(cases)('[$id]', run);",
    "const eq = { id: 'ORM-OP-EQ' }; test.each([eq, { id: 'ORM-OP-LT' }])('[$id]', run);",
  ])('are found in %s', (text) => {
    expect(cited(text)).toEqual(running('ORM-OP-EQ', 'ORM-OP-LT'));
  });

  test.each([
    "test.each([{ id: 'ORM-OP-EQ' }])('compiles $id', run);",
    "test.each([{ other: 'ORM-OP-EQ' }])('[$id]', run);",
    "test.each([['ORM-OP-EQ']])('[%s]', run);",
    "test.each(elsewhere)('[$id] ORM-OP-EQ', run);",
    "const a = (b); const b = (a); test.each(a)('[$id] ORM-OP-EQ', run);",
  ])('are not seen in %s', (text) => {
    expect(cited(text)).toEqual([]);
  });
});

describe('tests that do not run', () => {
  test.each([
    "test.skip('a [MW-RATE-03]', run);",
    "test.todo('a [MW-RATE-03]');",
    "test.failing('a [MW-RATE-03]', run);",
    "test.skip.each([1])('a [MW-RATE-03]', run);",
    "test.concurrent.skip('a [MW-RATE-03]', run);",
    "xtest('a [MW-RATE-03]', run);",
    "xit('a [MW-RATE-03]', run);",
    "xdescribe('a [MW-RATE-03]', run);",
    "describe.skip('outer', () => { describe('inner', () => { test('a [MW-RATE-03]', run); }); });",
    "const later = test.skip; later('a [MW-RATE-03]', run);",
  ])('are marked in %s', (text) => {
    expect(cited(text)).toEqual(skipped('MW-RATE-03'));
  });

  test('are not made by a method of another object that is called skip', () => {
    expect(cited("reader.skip(() => { test('a [MW-RATE-03]', run); });")).toEqual(running('MW-RATE-03'));
  });

  test('leave their neighbours alone', () => {
    expect(cited("describe.skip('x', run); test('a [MW-RATE-03]', run);")).toEqual(running('MW-RATE-03'));
  });
});
