import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { Type } from 'typebox';
import ts from 'typescript';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import jwt, { generateJWT, generateRefreshToken, jwtAuthMiddleware } from './index.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SECRET = 'an access secret of thirty-two bytes or more';
const REFRESH = 'a refresh secret of thirty-two bytes or more';
const Claims = Type.Object({ sub: Type.String(), tenant: Type.Integer() });
const COMPILE_MS = 240_000;

describe('the schema of claims', () => {
  test('decides about tokens, and the log says why one is refused', async () => {
    const plugins = [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(jwt), { accessSecret: SECRET, claims: Claims }),
      routesUnderTest((router) => {
        router.get('/', { roles: [] }, (ctx) => ({ user: ctx.user, isSame: ctx.user === ctx.state.user }));
        router.get('/open', { public: true }, (ctx) => ({ has: ctx.user !== undefined }));
      }),
    ];
    await using app = await bootTestApp({ plugins });
    const url = `http://127.0.0.1:${app.services.get(HttpServer).port}`;
    const ask = (token: string, at = '/') => fetch(`${url}${at}`, { headers: { Authorization: `Bearer ${token}` } });
    const good = await generateJWT(SECRET, { sub: 'a', tenant: 7, extra: true }, '1m');
    for (const answer of [await ask(good), await ask(good)]) {
      expect(await answer.json()).toEqual({
        user: { sub: 'a', tenant: 7, extra: true, exp: expect.any(Number) },
        isSame: true,
      });
    }
    expect(await (await ask(good, '/open')).json()).toEqual({ has: false });
    for (const claims of [{ sub: 'a', tenant: '7' }, { tenant: 7 }]) {
      const answer = await ask(await generateJWT(SECRET, claims, '1m'));
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      expect(await answer.text()).not.toContain('tenant');
    }
    const reasons = JSON.stringify(app.log.lines);
    expect(reasons).toContain('its claims do not fit the schema: /tenant');
    expect(reasons).not.toContain('\\"7\\"');
  });

  test('holds refresh tokens to it as well', async () => {
    const handle = jwtAuthMiddleware({
      accessSecret: SECRET,
      refreshSecret: REFRESH,
      enableRefreshToken: true,
      claims: Claims,
    });
    const app = new Koa().use(handle).use((ctx) => {
      ctx.body = { user: ctx['user'] as unknown };
    });
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const ask = (refresh: string) => fetch(`http://127.0.0.1:${port}`, { headers: { 'X-Refresh-Token': refresh } });
    const good = await ask(await generateRefreshToken(REFRESH, { sub: 'a', tenant: 7 }, '1h'));
    expect([good.status, await good.json()]).toEqual([200, { user: { sub: 'a', tenant: 7 } }]);
    const wrong = await ask(await generateRefreshToken(REFRESH, { sub: 'a' }, '1h'));
    expect([wrong.status, wrong.headers.get('x-new-access-token')]).toEqual([401, null]);
    await new Promise((resolve) => server.close(resolve));
  });

  test('that is none stops the boot', () => {
    const claims = { type: 'objekt' } as never;
    expect(() => jwtAuthMiddleware({ accessSecret: SECRET, claims })).toThrow(
      expect.objectContaining({ code: 'FW_JWT_CLAIMS' }),
    );
  });
});

describe('the example of the guide', () => {
  const guide = readFileSync(path.join(ROOT, 'docs/guides/authentication.md'), 'utf8');
  const example = /```ts\n(\/\/ app\/claims\.ts\n[\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const use = `
import { routes } from 'fw/http';
export default routes((router) => {
  router.get('/x', { roles: [] }, (ctx) => {
    const fits: (number | undefined)[] = [ctx.user?.tenant, ctx.state.user?.tenant];
    const misspelled = ctx.user?.tennant;
    const ofAnotherType: number | undefined = ctx.user?.sub;
    return [fits, misspelled, ofAnotherType];
  });
});`;

  test(
    'gives ctx.user its type',
    () => {
      expect(example).toContain('declare module');
      expect(errorsOf(example + use).map(({ code }) => code)).toEqual([2551, 2322]);
    },
    COMPILE_MS,
  );
});

// As if it stood in this repository, where `fw` is its own source.
function errorsOf(text: string): readonly ts.Diagnostic[] {
  const file = path.join(ROOT, 'docs/examples/typed-claims.ts');
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), (name) => ts.sys.readFile(name)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const made = { ...options, incremental: false, tsBuildInfoFile: undefined };
  const host = ts.createCompilerHost(made);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, text, version, true) : getSourceFile(name, version, ...rest);
  const program = ts.createProgram([file], made, host);
  const source = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
}
