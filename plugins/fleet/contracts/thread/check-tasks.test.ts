import { expect, test } from '@jest/globals';
import { CheckTasks } from './check-tasks.js';

function shared(text: string): SharedArrayBuffer {
  const bytes = Buffer.from(text);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

const DOCUMENT = JSON.stringify({
  paths: {
    '/a/{id}': { get: { responses: { 200: { content: { 'application/json': { schema: { type: 'string' } } } } } } },
  },
});
const body = (document: number, text: string) =>
  ({ document, direction: 'response', operation: 'GET /a/{}', status: 200, mediaType: undefined, text }) as const;
const noted = () => undefined;

test('documents are known by number until they are gone; each task is announced', () => {
  const tasks = new CheckTasks();
  let begun = 0;
  const documents = [[1, shared(DOCUMENT)], [2, shared(DOCUMENT)]] as const; // prettier-ignore
  const first = tasks.run({ documents, gone: [], tasks: [{ read: 1 }, body(1, '1'), body(2, '"x"')] }, () => begun++);
  expect(first).toEqual([
    { operations: [{ method: 'GET', paths: ['/a/{}'], statuses: ['200'] }] },
    { problems: [{ path: '', rule: 'type', expected: 'string', observed: 'integer', severity: 'error' }] },
    { problems: [] },
  ]);
  expect(begun).toBe(3);
  const [gone, kept] = tasks.run({ documents: [], gone: [1], tasks: [body(1, '1'), body(2, '"x"')] }, noted);
  expect(gone).toEqual({ failure: expect.stringMatching(/JSON/) });
  expect(kept).toEqual({ problems: [] });
});

test('a reference to what is no schema of the components is followed, and examples with names of schemas harm nothing', () => {
  const schema = { $ref: '#/paths/~1b/post/requestBody/content/application~1json/schema' };
  const content = (inner: object) => ({ content: { 'application/json': inner } });
  const document = {
    paths: {
      '/a/{id}': { get: { responses: { 200: content({ schema }) } } },
      '/b': { post: { requestBody: content({ schema: { type: 'integer' }, example: { $id: 'http://[' } }) } },
    },
    components: { examples: { one: { $id: 'same' }, two: { $id: 'same' } } },
  };
  const documents = [[1, shared(JSON.stringify(document))]] as const;
  const [outcome] = new CheckTasks().run({ documents, gone: [], tasks: [body(1, '"x"')] }, noted);
  expect(outcome).toMatchObject({ problems: [{ rule: 'type', expected: 'integer' }] });
});

test.each([
  [{ type: 'string', nullable: true }, 'null', []],
  [{ allOf: [{ type: 'string' }], nullable: true }, 'null', []],
  [{ enum: ['a'], nullable: false }, '"a"', []],
  [{ type: 'string', enum: ['a'], nullable: true }, 'null', []],
  [{ type: 'string', enum: ['a'], nullable: true }, '"b"', ['enum']],
  [{ nullable: true, description: 'anything' }, '{"any":{"thing":1}}', []],
  [{ type: 'integer', minimum: 3, exclusiveMinimum: true }, '3', ['exclusiveMinimum']],
  [{ type: 'integer', minimum: 3, exclusiveMinimum: false }, '3', []],
  [{ type: 'integer', maximum: 3, exclusiveMaximum: true }, '2', []],
])('keywords of OpenAPI 3.0 mean what they say there: %j', (schema, text, rules) => {
  const document = {
    paths: { '/a/{x}': { get: { responses: { default: { content: { 'application/json': { schema } } } } } } },
  };
  const documents = [[1, shared(JSON.stringify(document))]] as const;
  const [outcome] = new CheckTasks().run({ documents, gone: [], tasks: [body(1, text)] }, noted);
  expect(outcome).toMatchObject({ problems: rules.map((rule) => ({ rule })) });
});
