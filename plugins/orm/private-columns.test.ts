import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { Type } from 'typebox';
import { createLogger, HttpServer, plugin, type Router } from '../../kernel/index.js';
import { isDeclaredSecret } from '../../kernel/contracts/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import dashboard from '../dashboard/index.js';
import docs from '../docs/index.js';
import { scrubbedJson } from '../fleet/recorded/index.js';
import http from '../http/index.js';
import logging from '../middleware/logging/index.js';
import recovery from '../middleware/recovery/index.js';
import { anyOptions, test } from './contract/any-database.js';
import orm, { db as column, Database, hasMany, json, model, modelInfoOf, registerModel, table } from './index.js';
import type { HasMany } from './index.js';

const MARKER = 's3cret-marker';

@table('private_owners')
class Owner {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('name,type=string') @json('fullName') name!: string;
  @column('recovery_word,unique,type=string') @json('-') recoveryWord!: string;
  @column('passcode,type=string') @json('passcode,writeonly') passcode?: string;
  @hasMany(() => Pet, { fk: 'owner_id' }) pets?: HasMany<Pet>;
}

@table('private_pets')
class Pet {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('owner_id,type=int') ownerId!: number;
  @column('chip,type=string') @json('-') chip!: string;
}

/** What `useDefineForClassFields` makes of a class: its fields are properties of each instance. */
@table('private_defined')
class Defined {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('word,type=string') @json('-') word!: string;

  constructor() {
    for (const name of ['id', 'word'])
      Object.defineProperty(this, name, { value: undefined, enumerable: true, writable: true, configurable: true });
  }
}

const Body = Type.Object({
  name: Type.String(),
  recoveryWord: Type.String(),
  passcode: Type.String({ writeOnly: true }),
});

function register(router: Router, db: () => Database): void {
  const owners = () => model(db(), Owner);
  router.on('POST', '/owners', { input: { body: Body }, output: Owner, status: 201 }, (ctx) =>
    owners().create((ctx as unknown as { input: { body: Owner } }).input.body),
  );
  router.get('/plain', async () => ({ rows: await owners().preload('pets').find() }));
  router.get('/spread', async () => (await owners().preload('pets').find()).map((row) => ({ ...row, extra: 1 })));
  router.get('/rest', async () => (await owners().find()).map(({ name: _name, ...rest }) => rest));
  router.get('/selected', () => owners().select('id', 'recoveryWord', 'passcode').find());
  router.on('GET', '/model', { output: [Owner] }, () => owners().preload('pets').find());
  router.on('GET', '/object', { output: Type.Object({ owner: Type.Unknown() }) }, async () => ({
    owner: await owners().first(),
  }));
  router.get('/thrown', async () => {
    throw Object.assign(new Error('broken'), { row: await owners().first() });
  });
}

describe('private columns of an application', () => {
  let app: BootedTestApp;
  let url: string;
  const text = async (path: string, init?: RequestInit) => (await fetch(`${url}${path}`, init)).text();
  const post = (body: object) =>
    text('/owners', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const body = { name: 'Ada', recoveryWord: `${MARKER}-1`, passcode: `${MARKER}-2` };

  beforeAll(async () => {
    // Tables are made for models with generated code.
    for (const target of [Owner, Pet, Defined]) registerModel(target as never, modelInfoOf(target as never).definition);
    app = await bootTestApp({
      profile: 'dev',
      plugins: [
        plugin(async () => http, { port: 0 }),
        plugin(async () => dashboard),
        recovery,
        logging,
        docs,
        plugin(async () => orm, { ...(await anyOptions()), schema: 'create-missing' }),
        routesUnderTest((router) => register(router, () => app.services.get(Database))),
      ],
    });
    url = app.services.get(HttpServer).url;
  });

  afterAll(() => app.stop());

  test('leave in no answer, however rows are wrapped', async () => {
    expect(JSON.parse(await post(body))).toEqual({ id: 1, fullName: 'Ada' });
    await model(app.services.get(Database), Pet).create({ ownerId: 1, chip: `${MARKER}-3` });
    const sent = { id: 1, fullName: 'Ada', pets: [{ id: 1, ownerId: 1 }] };
    expect(JSON.parse(await text('/plain'))).toEqual({ rows: [sent] });
    expect(JSON.parse(await text('/model'))).toEqual([sent]);
    expect(JSON.parse(await text('/object'))).toEqual({ owner: { id: 1, fullName: 'Ada' } });
    for (const path of ['/spread', '/rest', '/selected']) {
      const answer = await text(path);
      expect(answer).toContain('"id":1');
      expect(answer).not.toMatch(/s3cret|recoveryWord|passcode|chip/);
    }
  });

  test('are in no document, record or log', async () => {
    // Twice the same: the database refuses it, and says so.
    expect(JSON.parse(await post(body))).toMatchObject({ status: 409 });
    await text('/thrown');
    const document = JSON.parse(await text('/openapi.json')) as {
      components?: unknown;
      paths: Record<string, unknown>;
    };
    expect(JSON.stringify({ ...document, paths: { ...document.paths, '/owners': undefined } })).not.toMatch(
      /recoveryWord|recovery_word|passcode|chip/,
    );
    expect(await text('/llms-full.txt')).not.toMatch(/recovery_word|chip|: passcode/);
    for (const part of ['overview', 'requests', 'queries', 'errors', 'logs', 'events', 'mcp', 'configuration'])
      expect(await text(`/dashboard/api/${part}`)).toMatch(/^(?!.*(?:s3cret-marker|"status":404))[{[]/s);
    expect(JSON.stringify(app.log.lines, errorsToo)).not.toContain(MARKER);
  });

  test('of a class whose fields are own properties are hidden by the ORM', async () => {
    const rows = model(app.services.get(Database), Defined);
    const made = await rows.create({ word: MARKER });
    const given = Object.assign(new Defined(), { word: MARKER });
    expect(JSON.stringify(given)).toBe('{}');
    for (const row of [made, await rows.first(), await rows.create(given)]) {
      expect(row.word).toBe(MARKER);
      expect(Object.keys({ ...row })).toEqual(['id']);
    }
    const changed = await rows.first();
    changed.word = `${MARKER}-4`;
    await rows.update(changed);
    expect((await rows.first()).word).toBe(`${MARKER}-4`);
  });

  test('are masked by their names where payloads are recorded', () => {
    expect(scrubbedJson({ user: [{ ...body, recovery_word: MARKER }] })).not.toContain(MARKER);
    for (const name of ['recoveryWord', 'recovery_word', 'passcode']) expect(isDeclaredSecret(name)).toBe(true);
    expect(isDeclaredSecret('name')).toBe(false);
  });

  test('are in no line of the logger', async () => {
    const lines: string[] = [];
    const destination = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
    const log = createLogger({ name: 'test', level: 'info', destination, format: 'json' });
    const row = await model(app.services.get(Database), Owner).first();
    log.info({ row, rows: [row], copy: { ...row } }, 'a row');
    log.error({ err: Object.assign(new Error('broken'), { row }) }, 'failed');
    expect(lines.join('')).toContain('Ada');
    expect(lines.join('')).not.toMatch(/s3cret|recoveryWord/);
  });
});

const errorsToo = (_key: string, value: unknown): unknown =>
  value instanceof Error ? { ...value, message: value.message, stack: value.stack, cause: value.cause } : value;
