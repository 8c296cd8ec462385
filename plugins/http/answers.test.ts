import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { HttpServer, plugin, type RouteOptions, type Router } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import docs from '../docs/index.js';
import http, { answer } from './index.js';

const Job = Type.Object({ id: Type.BigInt(), at: Type.String({ format: 'date-time' }) });
const Ticket = Type.Object({ ticket: Type.String() });
const at = new Date(0);
const hidden = { id: 2n ** 60n, at, secret: 'x', ticket: 't' };

const register = (router: Router) => {
  router.post(
    '/jobs/:way',
    {
      output: Job,
      status: 201,
      responses: {
        200: { content: { 'application/json': Ticket, 'text/csv': Type.String(), 'application/vnd.x+json': Job } },
        202: {
          output: Ticket,
          headers: Type.Object({ 'retry-after': Type.Integer(), link: Type.Optional(Type.Array(Type.String())) }),
        },
        303: { headers: Type.Object({ location: Type.String() }) },
        204: {},
        404: {},
        409: { output: Ticket },
        410: { content: { 'text/html': Type.String() } },
      },
    },
    (ctx) => {
      switch (ctx.params.way) {
        case 'plain':
          return hidden;
        case 'set':
          ctx.status = 202;
          ctx.body = hidden;
          return;
        case 'json':
          return answer(200, hidden);
        case 'csv':
          return answer(200, Readable.from(['id\n', '1\n']), { type: 'text/csv' });
        case 'vendor':
          return answer(200, hidden, { type: 'application/vnd.x+json' });
        case 'accepted':
          return answer(202, hidden, { headers: { 'retry-after': 5, link: ['<a>', '<b>'] } });
        case 'see':
          return answer(303, undefined, { headers: { location: '/jobs/1' } });
        case 'nothing':
          return answer(204);
        case 'missing':
          return answer(404);
        case 'conflict':
          return answer(409, hidden);
        case 'gone':
          return answer(410, '<p>gone</p>');
        case 'undeclared':
          return answer(418 as never, hidden as never);
        default:
          return answer(200, '<b>', { type: 'text/html' as never });
      }
    },
  );
  router.get('/first', { responses: { 404: {}, 202: { output: Ticket } } }, () => hidden as never);
};

let app: BootedTestApp;
beforeAll(async () => {
  const plugins = [plugin(async () => http, { port: 0 }), plugin(async () => docs), routesUnderTest(register)];
  app = await bootTestApp({ plugins });
});
afterAll(() => app.stop());

const ID = '1152921504606846976';
const JOB = `{"id":"${ID}","at":"1970-01-01T00:00:00.000Z"}`;
const TICKET = '{"ticket":"t"}';

describe('an answer', () => {
  test.each([
    ['plain', 201, 'application/json; charset=utf-8', JOB],
    ['set', 202, 'application/json; charset=utf-8', TICKET],
    ['json', 200, 'application/json; charset=utf-8', TICKET],
    ['csv', 200, 'text/csv; charset=utf-8', 'id\n1\n'],
    ['vendor', 200, 'application/vnd.x+json', JOB],
    ['accepted', 202, 'application/json; charset=utf-8', TICKET],
    ['see', 303, null, ''],
    ['nothing', 204, null, ''],
    ['conflict', 409, 'application/json; charset=utf-8', TICKET],
    ['gone', 410, 'text/html; charset=utf-8', '<p>gone</p>'],
    ['missing', 404, 'application/problem+json', expect.stringContaining('"status":404')],
    ['undeclared', 500, 'application/problem+json', expect.not.stringContaining('secret')],
    ['wrong-type', 500, 'application/problem+json', expect.not.stringContaining('<b>')],
  ])('of %s is sent with its status and type, and holds what is declared of them', async (way, status, type, body) => {
    const { url } = app.services.get(HttpServer);
    const got = await fetch(`${url}/jobs/${way}`, { method: 'POST', redirect: 'manual' });
    expect([got.status, got.headers.get('content-type'), await got.text()]).toEqual([status, type, body]);
    if (way === 'accepted')
      expect([got.headers.get('retry-after'), got.headers.get('link')]).toEqual(['5', '<a>, <b>']);
    if (way === 'see') expect(got.headers.get('location')).toBe('/jobs/1');
  });

  test('without a status of its own has the first success that is declared', async () => {
    const got = await fetch(`${app.services.get(HttpServer).url}/first`);
    expect([got.status, await got.text()]).toEqual([202, TICKET]);
  });

  test('that is not declared is named in the log, with what is', () => {
    const lines = [...app.log.lines]
      .map((line) => `${line.message} ${(line.fields['err'] as Error | undefined)?.message ?? ''}`)
      .join('\n');
    expect(lines).toContain('answers 418, which its route does not declare. Declared: 200 (application/json, text/csv');
    expect(lines).toContain('answers 200 with text/html');
  });
});

describe('a route whose responses cannot be answered', () => {
  test.each<[string, RouteOptions]>([
    ['no status of HTTP', { responses: { 99: {} } }],
    ['no status of HTTP', { responses: { 100: {} } }],
    ['no object', { responses: { 200: 'x' as never } }],
    ['no member "outputs". Did you mean "output"?', { responses: { 200: { outputs: 1 } as never } }],
    ['both `output` and `content`', { responses: { 200: { output: Job, content: { 'text/csv': Job } } } }],
    ['can have no body', { responses: { 204: { output: Job } } }],
    ['`headers` that are no schema', { responses: { 200: { headers: { a: 1 } as never } } }],
    ['expected a media type', { responses: { 200: { content: { csv: Job } } } }],
    ['no object of shapes', { responses: { 200: { content: {} } } }],
    ['both say what 201 holds', { output: Job, status: 201, responses: { 201: { output: Job } } }],
    ['`operationId` is no text', { operationId: '' }],
  ])('is refused at boot: %s', async (problem, options) => {
    const plugins = [
      plugin(async () => http, { port: 0 }),
      routesUnderTest((router) => router.get('/x', options, () => 1)),
    ];
    await expect(bootTestApp({ plugins })).rejects.toThrow(problem);
  });

  test('is refused at boot: two of one operationId', async () => {
    const two = (router: Router) => {
      router.get('/a', { operationId: 'same' }, () => 1);
      router.get('/b', { operationId: 'same' }, () => 1);
    };
    const plugins = [plugin(async () => http, { port: 0 }), routesUnderTest(two)];
    await expect(bootTestApp({ plugins })).rejects.toThrow('its `operationId` "same" is that of GET /a');
  });
});
