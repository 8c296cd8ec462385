import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Type } from 'typebox';
import { UploadedFile } from '../../../kernel/index.js';
import { documentedRoute } from '../registry/index.js';
import { bodyDigest, readStamp, renderFull, renderIndex, shapeText, stamped, type LLMSDoc } from './index.js';

const route = (facts: object) => documentedRoute({ method: 'GET', pattern: '/x', ...facts }, () => undefined);
const empty: LLMSDoc = { title: 'T', version: '1.0.0', description: '', package: '', routes: [], models: [] };

describe('the freshness stamp', () => {
  test('is read back as digest and whether there is one [DOCS-STAMP-02]', () => {
    expect(readStamp('a\n<!-- fw-llms-stamp: sha256=00ff -->\n')).toEqual(['00ff', true]);
    expect(readStamp('a\nb\n')).toEqual(['', false]);
    expect(readStamp('')).toEqual(['', false]);
  });

  test('is skipped where its value is no digest, and the first one counts', () => {
    expect(
      readStamp('<!-- fw-llms-stamp: md5=00 -->\n<!-- fw-llms-stamp: sha256=aa -->\n<!-- fw-llms-stamp: sha256=bb -->'),
    ).toEqual(['aa', true]);
  });

  test('is a line of the form that the specification gives, at the end [DOCS-STAMP-01]', () => {
    expect(stamped('text').split('\n').slice(-3)).toEqual([
      '',
      expect.stringMatching(/^<!-- fw-llms-stamp: sha256=[0-9a-f]{64} -->$/),
      '',
    ]);
  });

  test('is of the body without the stamp line [DOCS-STAMP-03]', () => {
    expect(bodyDigest('a\n<!-- fw-llms-stamp: sha256=aa -->')).toBe(bodyDigest('a'));
    // SHA-256 of "a".
    expect(bodyDigest('a')).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb');
  });

  test('does not see white space at the ends of lines, nor empty lines at the end [DOCS-STAMP-04]', () => {
    const line = fc.string().filter((text) => !/[\r\n]/.test(text) && !text.trim().startsWith('<!-- fw-llms-stamp'));
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('', ' ', '\t ', '\r'), (lines, space) => {
        const spaced = lines.map((each) => each + space).join('\n');
        expect(bodyDigest(`${spaced}\n\n`)).toBe(bodyDigest(lines.join('\n')));
        const text = stamped(lines.join('\n'));
        expect(readStamp(text)).toEqual([bodyDigest(text), true]);
      }),
    );
  });

  test('changes with the text', () => {
    expect(bodyDigest('a')).not.toBe(bodyDigest('b'));
  });
});

describe('shapeText', () => {
  const Deep = Type.Object({
    a: Type.Object({
      b: Type.Object({
        named: Type.Object({ x: Type.Null() }, { title: 'Fourth' }),
        unnamed: Type.Object({ x: Type.Null() }),
        list: Type.Array(Type.Object({ x: Type.Null() }, { $id: 'Fifth' })),
      }),
    }),
  });
  const Tree = Type.Cyclic({ Node: Type.Object({ kids: Type.Array(Type.Ref('Node')) }) }, 'Node');
  const JsonValue = Type.Cyclic({ Value: Type.Array(Type.Ref('Value')) }, 'Value');

  test.each([
    [
      'sorted members, required marked',
      Type.Object({ b: Type.Optional(Type.Integer()), a: Type.String() }),
      '{a!: string, b: integer}',
    ],
    ['formats', Type.String({ format: 'email' }), 'string(email)'],
    ['any', Type.Any(), 'any'],
    ['never', Type.Never(), 'never'],
    ['lists', Type.Array(Type.Array(Type.Number())), '[[number]]'],
    ['literals', Type.Union([Type.Literal('a'), Type.Literal(2)]), '"a"|2'],
    ['one literal', Type.Literal('a'), '"a"'],
    ['unions', Type.Union([Type.String(), Type.Null()]), 'string | null'],
    [
      'intersections',
      Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]),
      '{a!: string} & {b!: string}',
    ],
    ['several types', { type: ['string', 'null'] }, 'string | null'],
    ['tuples', Type.Tuple([Type.String(), Type.Integer()]), '[string, integer]'],
    ['maps', Type.Record(Type.String(), Type.Integer()), '{[name]: integer}'],
    ['an object without members', Type.Object({}), 'object'],
    ['bigints', Type.BigInt(), 'string'],
    ['uploaded files', Type.Object({ photos: Type.Array(UploadedFile()) }), '{photos!: [file]}'],
    ['three levels, deeper ones by name', Deep, '{a!: {b!: {list!: [Fifth], named!: Fourth, unnamed!: {…}}}}'],
    ['a type that contains itself', Tree, '{kids!: [{kids!: [{kids!: [Node]}]}]}'],
    ['a list of lists of itself', JsonValue, '[[[Value]]]'],
  ])('writes %s', (_, schema, text) => {
    expect(shapeText(schema as never)).toBe(text);
  });
});

describe('the llms files', () => {
  const doc: LLMSDoc = {
    ...empty,
    title: 'Shop',
    description: 'All of it.\n',
    package: 'shop',
    routes: [
      route({
        title: 'One\nmore',
        description: 'Long.',
        tags: ['a', 'b'],
        deprecated: true,
        blocking: true,
        status: 201,
        outputDescription: 'Made',
        output: { id: 1 },
      }),
      route({
        method: 'POST',
        input: [
          { source: 'body', required: true, shape: Type.String(), description: 'What' },
          { source: 'query', shape: { q: 'x' } },
        ],
      }),
      route({ pattern: '/ws', websocket: true }),
    ],
    features: ['docs'],
    sections: [{ title: 'Conventions', body: 'Be brief.', items: ['one', 'two'] }],
    notes: ['A note.'],
  };

  test('index: what the service is, one line per route, where the rest is', () => {
    expect(renderIndex(doc).split('\n<!--')[0]).toBe(`# Shop

> Version 1.0.0
> Package: \`shop\`

All of it.

This is the index of the service, generated from its own route registry.

## Endpoints (3)

- \`GET /x\` — One
- \`POST /x\`
- \`GET /ws\`

## Enabled features

- docs

Payload shapes and model definitions are in llms-full.txt.

## Notes

- A note.
`);
  });

  test('full reference: everything that is known of a route', () => {
    expect(renderFull(doc).split('\n<!--')[0]).toBe(`# Shop

> Version 1.0.0
> Package: \`shop\`

All of it.

This is the full reference of the service, generated from its own route registry.

## Endpoints (3)

### \`GET /x\`

One
more

Long.

Tags: a, b
Deprecated.
Blocking: the handler keeps the event loop busy.
- response 201 Made: {id!: integer}

### \`POST /x\`

- query: {q!: string}
- body (required): string
  What
- response 200 OK

### \`GET /ws\`

Accepts WebSocket connections.
- response 101 Switching Protocols

## Enabled features

- docs

## Conventions

Be brief.

- one
- two

## Notes

- A note.
`);
  });

  test('of an empty service have a title all the same', () => {
    expect(renderIndex({ ...empty, title: '' })).toMatch(/^# fw API\n\n> Version 1\.0\.0\n\nThis is the index/);
    expect(renderFull(empty)).toContain('## Endpoints (0)\n');
  });
});
