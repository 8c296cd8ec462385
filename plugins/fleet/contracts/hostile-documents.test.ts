import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { until } from '../../../kernel/testing/until.js';
import { type CheckedSpan, ContractChecker } from './index.js';

const open: ContractChecker[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** A document with one operation, whose response has the schema. */
function documentOf(schema: unknown, schemas: object = {}): string {
  const content = { 'application/json': { schema } };
  return JSON.stringify({ paths: { '/a': { get: { responses: { 200: { content } } } } }, components: { schemas } });
}

const FRIENDLY = documentOf({ type: 'object', required: ['id'] });

const spanOf = (callee: string, response: string): CheckedSpan => ({
  traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), caller: '', callee, method: 'GET', route: '/a', status: 200, at: 0, response,
}); // prettier-ignore

function checkerOf(texts: Readonly<Record<string, string>>, contractDeadline = 1_000): ContractChecker {
  const checker = new ContractChecker({
    maxViolations: 100,
    violationDedupeWindow: 60_000,
    contractDeadline,
    isBelow: () => false,
    clock: { now: () => 0, monotonic: () => 0 },
    fetchDocument: (url) => Promise.resolve(Buffer.from(texts[url] ?? '')),
  });
  open.push(checker);
  for (const name of Object.keys(texts)) checker.advertise(name, 'h1', name);
  return checker;
}

const settled = async (checker: ContractChecker, documents: number) => {
  await until(() => checker.stats().schemas === documents, 'the documents');
  await until(() => checker.stats().queued === 0, 'the checks');
};

/** Checks a hostile body, then a friendly one. @returns the violations of the latter, and what was not checked */
async function afterHostile(document: string, body: string) {
  const checker = checkerOf({ hostile: document, friendly: FRIENDLY });
  await settled(checker, 2);
  checker.submit(spanOf('hostile', body));
  checker.submit(spanOf('friendly', '{}'));
  await settled(checker, 2);
  const friendly = checker.violations.list().filter(({ callee }) => callee === 'friendly');
  const { not_checked: notChecked, checks_exceeded: exceeded } = checker.stats();
  return { friendly: friendly.map(({ path }) => path), notChecked, exceeded };
}

const letters = (count: number) => JSON.stringify(`${'a'.repeat(count)}!`);
const nested = (depth: number, leaf: unknown, wrap: (inner: unknown) => unknown) => {
  let at = leaf;
  for (let level = 0; level < depth; level++) at = wrap(at);
  return at;
};

/** Patterns that backtrack without end on letters with an exclamation mark behind them. */
const BACKTRACKING = [
  ...['^(a+)+$', '^(a*)*$', '^(a|a)*$', '^(a|aa)+$', '^([a-zA-Z]+)*$', '^(\\w+\\s?)*$', '^(a+)*b?$', '^(.*a){25}$'],
  ...['(a+a+)+b', '^(([a-z])+.)+[A-Z]([a-z])+$', '^(?:a?){30}a{30}$|^(a+)+$', '^((a)|(aa))*$', '^(?=(a+)+$)b'],
];

describe('a document that wants more time or memory than it is worth', () => {
  test.each(BACKTRACKING.slice(0, 4))(
    'the pattern %s is given up and named, and others are checked',
    async (pattern) => {
      const { friendly, notChecked, exceeded } = await afterHostile(
        documentOf({ type: 'string', pattern }),
        letters(60),
      );
      expect(friendly).toEqual(['/id']);
      expect(exceeded).toBe(1);
      expect(notChecked).toMatchObject([
      { service: 'hostile', method: 'GET', route: '/a', direction: 'response', count: 1,
        reason: 'a pattern of its schema takes longer than 1000 ms to match' },
    ]); // prettier-ignore
    },
  );

  const doubling = Object.fromEntries(
    Array.from({ length: 26 }, (_, level) => {
      const next = { $ref: `#/components/schemas/L${level + 1}` };
      return [`L${level}`, level === 25 ? { type: 'integer' } : { anyOf: [next, next] }];
    }),
  );

  test.each<[string, string, string]>([
    ['anyOf that doubles on every level', documentOf({ $ref: '#/components/schemas/L0' }, doubling), '"x"'],
    [
      'oneOf that doubles on every level',
      documentOf(
        { $ref: '#/components/schemas/L0' },
        JSON.parse(JSON.stringify(doubling).replaceAll('anyOf', 'oneOf')) as object,
      ),
      '"x"',
    ],
    [
      'thousands of properties with alternatives',
      documentOf({
        properties: Object.fromEntries(
          Array.from({ length: 3_000 }, (_, at) => [
            `p${at}`,
            {
              oneOf: Array.from({ length: 20 }, (_, kind) => ({
                type: 'object',
                required: [`k${kind}`],
                properties: { [`k${kind}`]: { type: 'string' } },
              })),
            },
          ]),
        ),
      }),
      '{"p1":{}}',
    ],
    [
      'a pattern among the names of properties',
      documentOf({ patternProperties: { '^(a+)+$': {} } }),
      `{${letters(60)}:1}`,
    ],
    ['a pattern of names', documentOf({ propertyNames: { pattern: '^(a+)+$' } }), `{${letters(60)}:1}`],
    [
      'a pattern within an alternative',
      documentOf({ anyOf: [{ pattern: '^(a+)+$' }, { type: 'string' }] }),
      letters(60),
    ],
    [
      'a reference to itself',
      documentOf({ $ref: '#/components/schemas/A' }, { A: { $ref: '#/components/schemas/A' } }),
      '{}',
    ],
    [
      'references in a circle',
      documentOf(
        { $ref: '#/components/schemas/A' },
        { A: { allOf: [{ $ref: '#/components/schemas/B' }] }, B: { allOf: [{ $ref: '#/components/schemas/A' }] } },
      ),
      '{}',
    ],
    [
      'an allOf of itself',
      documentOf(
        { $ref: '#/components/schemas/A' },
        { A: { allOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/A' }] } },
      ),
      '{}',
    ],
  ])('%s is given up and named, and others are checked', async (_, document, body) => {
    const { friendly, notChecked } = await afterHostile(document, body);
    expect(friendly).toEqual(['/id']);
    // The largest may be given up when the document is read already.
    expect(notChecked).toMatchObject([{ service: 'hostile' }]);
    expect(notChecked[0]?.reason).toMatch(/longer than 1000 ms|MiB of memory|characters|call stack|circular|infinite/i);
  });

  test.each<[string, string, string]>([
    ['an enormous enumeration', documentOf({ enum: Array.from({ length: 100_000 }, (_, at) => `value ${at}`) }), '"x"'],
    ['items that have to differ', documentOf({ uniqueItems: true }), `[${Array.from({ length: 10_000 }, (_, at) => `{"a":${at}}`).join()}]`],
    ['contains with bounds', documentOf({ contains: { contains: { type: 'integer' }, minContains: 2 }, minContains: 5_000, maxContains: 9_000 }), `[${'[1,2],'.repeat(8_000)}[]]`],
    ['a body as deep as it can be', documentOf({ $ref: '#/components/schemas/A' }, { A: { items: { $ref: '#/components/schemas/A' } } }), '['.repeat(30_000) + ']'.repeat(30_000)],
    ['a schema nested thousands deep', documentOf(nested(4_000, { type: 'string' }, (inner) => ({ items: inner }))), '[[[[1]]]]'],
    ['thousands of patterns of properties', documentOf({ patternProperties: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`^a*${at}$`, {}])) }), `{${letters(40)}:1}`],
    ['formats on long texts', documentOf({ allOf: ['email', 'uri', 'date-time', 'hostname', 'ipv6', 'uri-template', 'regex', 'json-pointer'].map((format) => ({ format })) }), letters(60_000)],
    ['a pattern of another language', documentOf({ pattern: '(?i)a++' }), letters(60)],
    ['names of prototypes', documentOf(JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{}},"required":["toString"]}')), '{"__proto__":1}'],
  ])('%s costs others nothing', async (_, document, body) => {
    expect((await afterHostile(document, body)).friendly).toEqual(['/id']);
  }); // prettier-ignore

  test.each([
    ['no JSON', '{', /JSON/],
    ['a list', '[]', /no JSON object/],
    ['nothing', '', /JSON/],
    ['millions of brackets', '['.repeat(2_000_000), /JSON/],
  ])('%s in place of a document is named', async (_, text, reason) => {
    // Nothing is given up for its time here, on a busy machine either.
    const checker = checkerOf({ hostile: text, friendly: FRIENDLY }, 30_000);
    checker.submit(spanOf('hostile', '{}'));
    checker.submit(spanOf('friendly', '{}'));
    await settled(checker, 2);
    expect(checker.stats()).toMatchObject({ schema_failures: 1, unchecked: 1, violations: 1 });
    expect(checker.stats().not_checked).toMatchObject([
      { service: 'hostile', route: '', reason: expect.stringMatching(reason) },
    ]);
  });

  test('a path of millions of slashes is read like any other', async () => {
    const text = JSON.stringify({
      paths: { [`/a${'/'.repeat(2_000_000)}b`]: { get: {} }, [`/c${'/'.repeat(1_000_000)}`]: { get: {} } },
    });
    // Matching the slashes by a pattern that backtracks would take days.
    const checker = checkerOf({ hostile: text, friendly: FRIENDLY }, 60_000);
    await settled(checker, 2);
    expect(checker.stats().not_checked).toEqual([]);
    expect(checker.describes('hostile', 'get', '/c')).toBe(true);
  });

  test('a service whose check was given up waits before the next one; others do not', async () => {
    const checker = checkerOf({ hostile: documentOf({ pattern: '^(a+)+$' }), friendly: FRIENDLY });
    await settled(checker, 2);
    for (let times = 0; times < 50; times++) checker.submit(spanOf('hostile', letters(60)));
    await settled(checker, 2);
    checker.submit(spanOf('hostile', letters(60)));
    checker.submit(spanOf('friendly', '{}'));
    await settled(checker, 2);
    const { checks_exceeded: exceeded, unchecked, violations, not_checked: named } = checker.stats();
    expect([exceeded, unchecked]).toEqual([1, 50]);
    expect(violations).toBe(1);
    expect(named.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^paused/),
      expect.stringMatching(/pattern/),
    ]);
  });

  test('a service that sends many bodies does not keep others from being checked', async () => {
    const checker = checkerOf({ busy: documentOf({ type: 'string' }), friendly: FRIENDLY });
    await settled(checker, 2);
    for (let times = 0; times < 20_000; times++) checker.submit(spanOf('busy', '1'));
    checker.submit(spanOf('friendly', '{}'));
    await settled(checker, 2);
    expect(
      checker.violations
        .list()
        .map(({ callee }) => callee)
        .sort(),
    ).toEqual(['busy', 'friendly']);
    expect(checker.stats().unchecked).toBeGreaterThan(0);
  });
});

/** Schemas of any shape, with what is dear in JSON Schema among their keywords. */
const { schema: anySchema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    fc.constantFrom<object>({ type: 'integer' }, {}, { type: 'string', minLength: 3 }, { format: 'email' }),
    fc.constantFrom(...BACKTRACKING).map((pattern) => ({ pattern })),
    fc.nat(3).map((name) => ({ $ref: `#/components/schemas/S${name}` })),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 4 }), not: tie('schema') }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ items: tie('schema'), contains: tie('schema'), uniqueItems: fc.boolean() }, { requiredKeys: [] }),
    fc.record({ properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', '$id'), tie('schema')) }),
    fc.record({ patternProperties: fc.dictionary(fc.constantFrom('^(a+)+$', '.', '['), tie('schema')) }),
    fc.record({ $id: fc.constantFrom('x', '#', 'http://a/b'), $anchor: fc.constantFrom('y', '1'), if: tie('schema'), then: tie('schema') }, { requiredKeys: [] }),
    fc.record({ enum: fc.array(fc.jsonValue()), const: fc.jsonValue(), type: fc.jsonValue() }, { requiredKeys: [] }),
  ),
})); // prettier-ignore

const anyBody = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    letters(60),
    `[${letters(60)}]`,
    `{"a":${letters(60)}}`,
    '{"a":{"a":{"a":{}}}}',
    '[[[[[1]]]]]',
    '{',
    '',
  ),
);

test('whatever documents and bodies say, each check ends: done, or given up and named', async () => {
  await fc.assert(
    fc.asyncProperty(anySchema, fc.tuple(anySchema, anySchema, anySchema, anySchema), anyBody, async (schema, parts, body) => {
      const schemas = Object.fromEntries(parts.map((part, at) => [`S${at}`, part]));
      const checker = checkerOf({ any: documentOf(schema, schemas), friendly: FRIENDLY }, 150);
      try {
        await settled(checker, 2);
        checker.submit(spanOf('any', body));
        checker.submit(spanOf('friendly', '{}'));
        await settled(checker, 2);
        const { checks_exceeded: exceeded, schema_failures: failures, not_checked: named } = checker.stats();
        expect(named).toHaveLength(exceeded + failures);
        const isNamed = (service: string) => named.some((each) => each.service === service);
        // On a busy machine a friendly document may take as long as a hostile one: then that is said.
        expect(isNamed('friendly') || checker.violations.list().some(({ callee }) => callee === 'friendly')).toBe(true);
      } finally {
        await checker.close();
      }
    }),
    { numRuns: 30 },
  ); // prettier-ignore
});
