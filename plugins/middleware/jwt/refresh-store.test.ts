import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import { FaultProxy, type Fault } from '../../../kernel/testing/fault-proxy.js';
import { until } from '../../../kernel/testing/until.js';
import { describeWith } from '../../../kernel/testing/required-service.js';
import http from '../../http/index.js';
import jwt, {
  generateRefreshToken,
  MemoryRefreshStore,
  redisRefreshStore,
  type RefreshStore,
  revokeRefreshToken,
} from './index.js';

const YEAR = 31_536_000;
const FAMILIES = ['ann', 'ben', 'cem'];

/** The rules, plainly: per login the ids in order, the newest last, and when the newest but one was used. */
interface Login {
  readonly ids: string[];
  usedAt: number;
}
interface Rules {
  readonly logins: Map<string, Login>;
  now: number;
  next: number;
}
interface Real {
  readonly store: RefreshStore;
  /** Lets time pass, where the store's clock can be set. */
  readonly pass?: (milliseconds: number) => void;
}
type Step = fc.AsyncCommand<Rules, Real>;

const always = () => true;
const LEEWAY = 10_000;

const begins = (family: string): Step => ({
  check: always,
  async run(rules, { store }) {
    const id = `t${rules.next++}`;
    rules.logins.set(family, { ids: [id], usedAt: -Infinity });
    await store.begin(family, id, 2_000_000_000 + YEAR);
  },
  toString: () => `begin(${family})`,
});

/** Brings a token: the newest (0), the one before (1), an older one, or one that never was. */
const presents = (family: string, back: number, leewayMs: number): Step => ({
  check: always,
  async run(rules, { store }) {
    const login = rules.logins.get(family);
    const id = login?.ids.at(-1 - back) ?? 'never';
    const successor = { id: `t${rules.next++}`, accessEnds: rules.next };
    const given = await store.rotate({ family, id, successor, leewayMs });
    if (login === undefined) return expect(given).toEqual({ refused: 'unknown' });
    if (id === login.ids.at(-1)) {
      login.ids.push(successor.id);
      login.usedAt = rules.now;
      return expect(given).toEqual({ successor });
    }
    if (id === login.ids.at(-2) && rules.now - login.usedAt < leewayMs) {
      expect(given).toMatchObject({ successor: { id: login.ids.at(-1) } });
      return;
    }
    rules.logins.delete(family);
    expect(given).toEqual({ refused: 'reused' });
  },
  toString: () => `present(${family}, ${back} back, leeway ${leewayMs})`,
});

const revokes = (family: string): Step => ({
  check: always,
  async run(rules, { store }) {
    expect(await store.revoke(family)).toBe(rules.logins.delete(family));
  },
  toString: () => `revoke(${family})`,
});

const passes = (milliseconds: number): Step => ({
  check: always,
  async run(rules, { pass }) {
    if (pass === undefined) return;
    pass(milliseconds);
    rules.now += milliseconds;
  },
  toString: () => `pass(${milliseconds})`,
});

const family = fc.constantFrom(...FAMILIES);
const steps = fc.commands(
  [
    family.map(begins),
    fc.tuple(family, fc.constantFrom(0, 0, 1, 1, 2, 9), fc.constantFrom(0, LEEWAY)).map((given) => presents(...given)),
    family.map(revokes),
    fc.constantFrom(1, LEEWAY - 1, LEEWAY).map(passes),
  ],
  { maxCommands: 25 },
);

/** Every store of refresh tokens keeps to the rules. */
async function keepsTheRules(make: () => Real | Promise<Real>, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(steps, (run) =>
    fc.asyncModelRun(async () => ({ model: { logins: new Map(), now: 0, next: 0 }, real: await make() }), run),
  );
  await fc.assert(property, { numRuns });
}

describe('the memory store', () => {
  test('keeps to the rules, whatever comes in whatever order', async () => {
    await keepsTheRules(() => {
      let now = 2_000_000_000_000;
      return { store: new MemoryRefreshStore(() => now), pass: (milliseconds) => void (now += milliseconds) };
    }, 300);
  });

  test('is bounded: what has ended goes first, then what was used the longest time ago, which is counted', () => {
    let now = 0;
    const store = new MemoryRefreshStore(() => now, 2);
    const uses = (family: string, id: string) =>
      'successor' in store.rotate({ family, id, successor: { id: `${id}'`, accessEnds: 1 }, leewayMs: 0 });
    store.begin('long', 'a', 100);
    store.begin('short', 'b', 10);
    now = 11_000;
    store.begin('third', 'c', 100);
    expect(store.detail()).toMatchObject({ refresh_families: 2, evicted_families: 0 });
    expect([uses('long', 'a'), uses('short', 'b')]).toEqual([true, false]);
    store.begin('fourth', 'd', 100);
    expect(store.detail()).toMatchObject({ refresh_families: 2, evicted_families: 1 });
    // Used last, so it stays; what was evicted is refused and not taken for new.
    expect([uses('third', 'c'), uses('long', "a'"), uses('fourth', 'd')]).toEqual([false, true, true]);
  });

  test('holds no more than its bound, and forgets only what it must', () => {
    const logins = fc.array(fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 20 }), fc.nat(3)), { maxLength: 40 });
    fc.assert(
      fc.property(logins, (given) => {
        let seconds = 0;
        const store = new MemoryRefreshStore(() => seconds * 1000, 4);
        const alive = new Map<string, number>();
        let evicted = 0;
        for (const [name, length, pause] of given) {
          seconds += pause;
          const key = `f${name}`;
          if (!alive.delete(key) && alive.size >= 4) {
            for (const [each, ends] of alive) if (ends <= seconds) alive.delete(each);
            if (alive.size >= 4) {
              alive.delete([...alive.keys()][0] as string);
              evicted++;
            }
          }
          alive.set(key, seconds + length);
          store.begin(key, key, seconds + length);
        }
        expect(store.detail()).toMatchObject({ refresh_families: alive.size, evicted_families: evicted });
        for (const key of alive.keys()) expect(store.revoke(key)).toBe(true);
      }),
    );
  });
});

describeWith({ variable: 'FW_TEST_REDIS', hint: 'a Redis server' }, 'the Redis store', (address) => {
  test('keeps to the same rules', async () => {
    const client = new Redis(address);
    const prefixes: string[] = [];
    try {
      await keepsTheRules(() => {
        const prefix = `fw_test_${randomUUID()}:`;
        prefixes.push(prefix);
        return { store: redisRefreshStore(client, prefix) };
      }, 60);
    } finally {
      const keys = prefixes.flatMap((prefix) => FAMILIES.map((name) => prefix + name));
      await client.del(...keys);
      client.disconnect();
    }
  });

  const SECRETS = {
    accessSecret: 'an access secret of thirty-two bytes or more',
    refreshSecret: `a refresh secret of thirty-two bytes or more ${randomUUID()}`,
  };
  const boot = (url: string, prefix: string) =>
    bootTestApp({
      plugins: [
        plugin(() => Promise.resolve(http), { port: 0 }),
        plugin(() => Promise.resolve(jwt), { ...SECRETS, enableRefreshToken: true, redis: { url, prefix } }),
        routesUnderTest((router) => router.get('/', () => 'here')),
      ],
    });
  const ask = async (app: Awaited<ReturnType<typeof boot>>, refresh: string) => {
    const { status, headers } = await fetch(app.services.get(HttpServer).url, { headers: { 'X-Refresh-Token': refresh } });
    return { status, next: headers.get('x-new-refresh-token') as string };
  }; // prettier-ignore

  const made = () =>
    generateRefreshToken(SECRETS.refreshSecret, {}, '1h').catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'FW_JWT_STORE_AWAY' });
      return undefined;
    });
  /** A token, as soon as Redis is there. */
  const madeOnceThere = async () => {
    let token: string | undefined;
    await until(async () => (token = await made()) !== undefined, 'token');
    return token as string;
  };

  test('serves requests in parallel at two applications with one successor, and ends a login for both', async () => {
    const prefix = `fw_test_${randomUUID()}:`;
    await using one = await boot(address, prefix);
    await using two = await boot(address, prefix);
    const token = await generateRefreshToken(SECRETS.refreshSecret, { sub: 'ann' }, '1h');
    const answers = await Promise.all([one, two, one, two, one].map((app) => ask(app, token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ next }) => next)).size).toBe(1);
    const next = answers[0]?.next as string;
    expect(await revokeRefreshToken(SECRETS.refreshSecret, token)).toBe(true);
    expect([(await ask(one, next)).status, (await ask(two, token)).status]).toEqual([401, 401]);
  });

  test('refuses what a Redis that was flushed does not know, and asks to come again while it hangs or is away', async () => {
    const prefix = `fw_test_${randomUUID()}:`;
    const way = await FaultProxy.to(address);
    const client = new Redis(address);
    try {
      await using app = await boot(`redis://127.0.0.1:${way.port}`, prefix);
      const first = await madeOnceThere();
      way.isSilent = true;
      expect((await ask(app, first)).status).toBe(503);
      await expect(generateRefreshToken(SECRETS.refreshSecret, {}, '1h')).rejects.toMatchObject({ code: 'FW_JWT_STORE_AWAY' });
      way.isSilent = false;
      way.cut();
      expect((await ask(app, first)).status).toBe(503);
      let answer = { status: 503, next: '' };
      await until(async () => (answer = await ask(app, first)).status !== 503, 'an answer of Redis');
      // What Redis did while nobody heard of it is within the leeway.
      expect(answer.status).toBe(200);
      await client.del(...(await client.keys(`${prefix}*`)));
      expect((await ask(app, answer.next)).status).toBe(401);
    } finally {
      client.disconnect();
      await way.close();
    }
  }); // prettier-ignore

  test('a connection that is lost behind any message is a 503 at most, and comes back', async () => {
    const prefix = `fw_test_${randomUUID()}:`;
    const way = await FaultProxy.to(address);
    const client = new Redis(address);
    const faults: readonly Fault[] = ['reset', 'close'];
    let messages = 0;
    try {
      for (let goesOn = true; goesOn;) {
        way.plan(++messages, faults[messages % 2] as Fault);
        await using app = await boot(`redis://127.0.0.1:${way.port}`, prefix);
        const first = await made();
        if (first !== undefined) expect([200, 503]).toContain((await ask(app, first)).status);
        goesOn = !way.isPlanned;
        way.unplan();
        expect((await ask(app, await madeOnceThere())).status).toBe(200);
      }
      expect(messages).toBeGreaterThan(4);
    } finally {
      await client.del(...(await client.keys(`${prefix}*`)));
      client.disconnect();
      await way.close();
    }
  });
});
