import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { isFwError } from '../../../kernel/index.js';
import { FaultProxy, type Fault, type Protocol } from '../../../kernel/testing/fault-proxy.js';
import { until } from '../../../kernel/testing/until.js';
import { migrations } from '../migrations/index.js';
import { createMissingTables } from '../schema/index.js';
import { runForCall } from '../core/session/transaction.js';
import { model, open, transaction, withDefaultTimeout, type Database, type Dialect, type MaybePromise, type SqlHandle, type Transaction } from '../index.js'; // prettier-ignore
import { Tag, contractModels } from './models.js';

/** A server whose connections are to fail. */
export interface FaultyServer {
  readonly dialect: Dialect;
  readonly protocol: Protocol;
  /** A database of its own, for what is really kept. */
  readonly database: () => Promise<{
    readonly handle: SqlHandle;
    readonly address: string;
    drop(): MaybePromise<void>;
  }>;
  readonly openThrough: (url: string, port: number, connectTimeout: number) => Promise<SqlHandle>;
  /** A query that takes longer than the test waits, but not long, because the server continues it after the connection is lost. */
  readonly sleep: string;
}

/** What one call may leave: whether what it wrote is there. */
type Kept = 'written' | 'unknown' | 'not written';

interface Scenario {
  /** What is to be refused although nothing is lost. */
  readonly refusal?: string;
  run(db: Database, label: string): Promise<unknown>;
  /** What a loss of the connection means for the row. */
  readonly lost: Kept;
  /** Tables besides that of the rows that it writes to: only one of its runs at a time may do so. */
  readonly notes?: readonly string[];
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a query': { run: (db) => model(db, Tag).where({ column: 'id', op: 'gt', value: 0 }).find(), lost: 'not written' },
  'the same statement twice': { run: async (db) => [await model(db, Tag).count(), await model(db, Tag).count()], lost: 'not written' }, // prettier-ignore
  'a write by itself': { run: (db, label) => model(db, Tag).create({ label }), lost: 'unknown' },
  'a stream': {
    lost: 'not written',
    async run(db) {
      let rows = 0;
      for await (const _ of model(db, Tag).stream({ batchSize: 7 })) rows++;
      expect(rows).toBeGreaterThanOrEqual(20);
    },
  },
  'a transaction': {
    lost: 'not written',
    run: (db, label) =>
      transaction.run(db, { isolation: 'readCommitted' }, null, async (tx) => {
        await model(tx, Tag).create({ label });
        await transaction.run(tx, null, null, async (inner) => model(inner, Tag).count());
        await model(tx, Tag).count();
      }),
  },
  'a transaction that is tried again whatever happens': {
    lost: 'not written',
    run: (db, label) =>
      transaction.run(db, null, { isRetryable: () => true, baseDelay: 0 }, (tx) => model(tx, Tag).create({ label })),
  },
  'a migration under its lock': {
    lost: 'unknown',
    notes: ['schema_migrations', 'schema_migrations_steps'],
    run: (db, label) =>
      migrations
        .new(db)
        .register({ version: label, name: 'row', up: async (_, tx) => void (await model(tx, Tag).create({ label })) })
        .up(),
  },
};

const CANCELLED = (sleep: string): Readonly<Record<string, Scenario>> => ({
  'a deadline': {
    refusal: 'FW_ORM_TIMEOUT',
    lost: 'not written',
    async run(db) {
      await db.ping();
      await db.sqlDB().query(sleep, [], { timeout: 40 });
    },
  },
  'a signal': {
    refusal: 'FW_ORM_ABORTED',
    lost: 'not written',
    async run(db) {
      await db.ping();
      const aborting = new AbortController();
      void delay(40).then(() => aborting.abort());
      await db.sqlDB().query(sleep, [], { signal: aborting.signal });
    },
  },
});

/** A fault behind the message with a number, counted from 1. */
interface Case {
  readonly after: number;
  readonly fault: Fault;
}

const FAULTS: readonly Fault[] = ['reset', 'close', 'lastWords'];
// With FW_TEST_EXHAUSTIVE=1 each fault behind each message of the handshake too, in each scenario; else these are spread over the scenarios,
// which all begin with it.
const EXHAUSTIVE = process.env['FW_TEST_EXHAUSTIVE'] === '1';
// Messages behind which connections are lost side by side: most of a case is waiting.
const AT_ONCE = 4;
/** Milliseconds for what has to come to an end by itself. */
const GENEROUS_MS = 30_000;
const LOST = new Set(['FW_ORM_CONNECTION', 'FW_ORM_COMMIT_UNKNOWN', 'FW_ORM_TRANSACTION_GAVE_UP']);

/**
 * Loses the connection after every single message of the protocol, from the first of the handshake on: the call succeeds or fails with a
 * coded error, the next call succeeds, and nothing is stored twice or reported as stored when that is unknown.
 */
export function faultsContract(server: FaultyServer): void {
  describe('behind every message', () => {
    let own: Awaited<ReturnType<FaultyServer['database']>>;
    let admin: Database;
    let proxy: FaultProxy;
    let labels = 0;
    let handshake = 0;
    beforeAll(async () => {
      own = await server.database();
      admin = open(own.handle, server.dialect);
      await createMissingTables(admin, contractModels);
      await migrations.new(admin).up();
      await model(admin, Tag).createBatch(Array.from({ length: 20 }, (_, at) => ({ label: `row ${at}` })));
      proxy = await FaultProxy.to(own.address, server.protocol);
      handshake = await messagesOfHandshake();
    });
    afterAll(async () => {
      await proxy.close();
      await own.drop();
    });

    const rows = (label: string) => model(admin, Tag).where({ column: 'label', op: 'eq', value: label }).count();

    async function messagesOfHandshake(): Promise<number> {
      const db = open(await server.openThrough(own.address, proxy.port, GENEROUS_MS), server.dialect);
      proxy.plan(Infinity, 'reset');
      await db.ping();
      const first = proxy.seen;
      await db.ping();
      proxy.unplan();
      await db.close();
      return first - (proxy.seen - first);
    }

    /** What is left would make the next run longer by a message, and so without end. */
    async function forget(scenario: Scenario, label: string): Promise<void> {
      if (!writes(scenario)) return;
      const { notes = [] } = scenario;
      await model(admin, Tag).where({ column: 'label', op: 'eq', value: label }).delete();
      if (notes.length === 0) return;
      const there = await admin.sqlDB().query(server.dialect.schema.listTables, []);
      for (const table of notes)
        if (there.some(([name]) => name === table)) await admin.sqlDB().script(`DELETE FROM ${table}`);
    }

    /** Whether the fault has happened. */
    async function survives(scenario: Scenario, { after, fault }: Case): Promise<boolean> {
      const proxy = await FaultProxy.to(own.address, server.protocol);
      const label = `label ${String(++labels).padStart(6, '0')}`;
      const db = open(await server.openThrough(own.address, proxy.port, GENEROUS_MS), server.dialect);
      const on = `${fault} behind message ${after}`;
      const attempt = () => scenario.run(db, label).then(() => undefined, (error: unknown) => error); // prettier-ignore
      proxy.plan(after, fault);
      try {
        const error = await attempt();
        const code = codeOf(error);
        expect([on, code]).toEqual([on, scenario.refusal === undefined ? oneOf(LOST, code) : oneOf(new Set([scenario.refusal, ...LOST]), code)]); // prettier-ignore
        const kept = await rows(label);
        if (code === undefined) expect([on, kept]).toEqual([on, writes(scenario) ? 1 : 0]);
        else if (code === 'FW_ORM_COMMIT_UNKNOWN' || scenario.lost === 'unknown') expect(kept).toBeLessThanOrEqual(1);
        else expect([on, code, kept]).toEqual([on, code, 0]);
        const hasHappened = !proxy.isPlanned;
        // A connection that was lost while idle is noticed at the next call at the latest.
        if (hasHappened) await usableAgain(db, on, code !== undefined && code !== scenario.refusal);
        return hasHappened;
      } finally {
        proxy.unplan();
        await db.close();
        // The server goes on with what it has received, and what it still writes has to be forgotten, too.
        await until(() => proxy.openSides === 0, 'end of its connections');
        await proxy.close();
        await forget(scenario, label);
      }
    }

    async function usableAgain(db: Database, on: string, hasFailed: boolean): Promise<void> {
      const first = await db.ping().then(() => undefined, (error: unknown) => error); // prettier-ignore
      if (first === undefined) return;
      expect([on, hasFailed, codeOf(first)]).toEqual([on, false, 'FW_ORM_CONNECTION']);
      await db.ping();
    }

    for (const [at, [name, scenario]] of Object.entries({ ...SCENARIOS, ...CANCELLED(server.sleep) }).entries()) {
      const faultsBehind = (message: number): readonly Fault[] =>
        message > handshake || EXHAUSTIVE ? FAULTS : [FAULTS[(message + at) % FAULTS.length] as Fault];
      const casesBehind = (after: number): readonly Case[] => faultsBehind(after).map((fault) => ({ after, fault }));
      test(`${name} is refused by code or passes, and the next call passes`, async () => {
        let beyond: Case | undefined;
        for (let after = 1; beyond === undefined; after += AT_ONCE) {
          const cases = Array.from({ length: AT_ONCE }, (_, at) => casesBehind(after + at)).flat();
          const happened = await (scenario.notes ? inTurn : sideBySide)(cases, (each) => survives(scenario, each));
          beyond = cases.find((_, at) => !happened[at]);
        }
        expect(beyond.after).toBeGreaterThan(handshake);
      });
    }

    test('a connection whose server has taken its leave is given to nobody, also while it is open', async () => {
      const db = open(await server.openThrough(own.address, proxy.port, GENEROUS_MS), server.dialect);
      await model(db, Tag).count();
      proxy.plan(1, 'leaving');
      await expect(model(db, Tag).count()).rejects.toMatchObject({ code: 'FW_ORM_CONNECTION' });
      expect(db.stats().handle.connections).toEqual({ open: 0, idle: 0, waiting: 0 });
      expect(await model(db, Tag).count()).toBeGreaterThanOrEqual(20);
      await db.close();
    });

    // The statements before have time: only the answer that does not come is not waited for.
    const LIMITS: Readonly<Record<string, () => { readonly timeout?: number; readonly signal?: AbortSignal }>> = {
      'its timeout': () => ({
        get timeout() {
          return proxy.isPlanned ? 300 : GENEROUS_MS;
        },
      }),
      'the grace of a signal': () => {
        const aborting = new AbortController();
        void until(() => proxy.seen > 0 && !proxy.isPlanned, 'silence').then(() => aborting.abort());
        return { signal: aborting.signal };
      },
    };
    describe.each(Object.entries(LIMITS))('an answer that does not come within %s', (_, limits) => {
      async function silenced(run: (db: Database) => Promise<unknown>): Promise<readonly [unknown, object]> {
        const db = open(await server.openThrough(own.address, proxy.port, GENEROUS_MS), server.dialect);
        await db.ping();
        // Nothing has come through since a fault was planned last.
        proxy.plan(Infinity, 'silence');
        const error = await run(db).then(() => undefined, (failure: unknown) => failure); // prettier-ignore
        proxy.unplan();
        const { connections } = db.stats().handle;
        await db.ping();
        await db.close();
        return [error, connections];
      }

      test('leaves open whether COMMIT was done, is not tried again, and costs the connection', async () => {
        const label = `committed ${String(++labels)}`;
        let runs = 0;
        const [error, connections] = await silenced((db) =>
          transaction.run(db, limits(), { isRetryable: () => true, baseDelay: 0 }, async (tx) => {
            runs++;
            await model(tx, Tag).create({ label });
            // COMMIT itself still comes through.
            proxy.plan(1, 'silence');
          }),
        );
        expect([codeOf(error), runs]).toEqual(['FW_ORM_COMMIT_UNKNOWN', 1]);
        expect(connections).toEqual({ open: 0, idle: 0, waiting: 0 });
        // The server may be at it still.
        await until(async () => (await rows(label)) === 1, 'row');
        await model(admin, Tag).where({ column: 'label', op: 'eq', value: label }).delete();
      });

      test('to ROLLBACK is not waited for, and the error of the function is told', async () => {
        const label = `rolled back ${String(++labels)}`;
        const [error, connections] = await silenced((db) =>
          transaction.run(db, limits(), null, async (tx) => {
            await model(tx, Tag).create({ label });
            proxy.plan(1, 'silence');
            throw new RangeError('the error of the function');
          }),
        );
        expect(error).toEqual(new RangeError('the error of the function'));
        expect(connections).toEqual({ open: 0, idle: 0, waiting: 0 });
        expect(await rows(label)).toBe(0);
      });

      test('to BEGIN ends the attempt', async () => {
        const [error, connections] = await silenced((db) => {
          proxy.plan(1, 'silence');
          return transaction.run(db, limits(), { maxAttempts: 1 }, async () => undefined);
        });
        expect(['FW_ORM_TIMEOUT', 'FW_ORM_ABORTED']).toContain(codeOf(error));
        expect(connections).toEqual({ open: 0, idle: 0, waiting: 0 });
      });
    });

    test.each<[string, (db: Database, fn: (tx: Transaction) => Promise<void>) => Promise<void>]>([
      ['a call that is a transaction by itself', (db, fn) => runForCall(db, { timeout: 200 }, null, fn)],
      ['a database with a default', (db, fn) => transaction.run(db, null, null, fn)],
    ])('%s gives COMMIT the timeout of its statements', async (_, run) => {
      const handle = await server.openThrough(own.address, proxy.port, GENEROUS_MS);
      const db = open(handle, server.dialect, { executor: withDefaultTimeout(300) });
      await db.ping({ timeout: 0 });
      let isAsked = false;
      const silenced = () =>
        run(db, async (tx) => {
          await model(tx, Tag).count({ timeout: GENEROUS_MS });
          isAsked = true;
          proxy.plan(1, 'silence');
        }).then(() => 'passed', codeOf); // prettier-ignore
      // BEGIN has the same timeout, which is all that ends a try on a busy machine.
      const code = await until(async () => {
        const told = await silenced();
        if (!isAsked) expect(told).toBe('FW_ORM_TIMEOUT');
        return isAsked && told;
      }, 'COMMIT');
      expect(code).toBe('FW_ORM_COMMIT_UNKNOWN');
      expect(db.stats().handle.connections).toEqual({ open: 0, idle: 0, waiting: 0 });
      proxy.unplan();
      await db.close();
    });

    // Side by side, because each of them waits until the connection that is silent is given up.
    test('silence ends with the deadline of the call, wherever it begins', async () => {
      const silentBehind = async (after: number, deadline = 60): Promise<boolean> => {
        const other = await FaultProxy.to(own.address, server.protocol);
        const db = open(await server.openThrough(own.address, other.port, 3_000), server.dialect);
        const ask = (timeout: number) =>
          model(db, Tag).first({ timeout }).then(() => 'passed', (error: unknown) => codeOf(error)); // prettier-ignore
        other.plan(after, 'silence');
        const first = await ask(deadline);
        const hasBegun = !other.isPlanned;
        other.unplan();
        // Longer than a connection may take that is being made and is silent.
        const answers = [first, await ask(6_000), await ask(GENEROUS_MS)];
        // A silent connection is given up, and so is one that is being made: the last call uses another.
        for (const answer of answers) expect(['passed', 'FW_ORM_TIMEOUT', 'FW_ORM_CONNECTION']).toContain(answer);
        expect([after, answers.at(-1)]).toEqual([after, 'passed']);
        await db.close();
        await other.close();
        if (hasBegun || first === 'passed') return hasBegun;
        // A busy machine let the deadline pass before there was silence, which says nothing.
        return silentBehind(after, deadline * 2);
      };
      const messages = 4 * AT_ONCE;
      for (let after = 1, goesOn = true; goesOn; after += messages) {
        const begun = await Promise.all(Array.from({ length: messages }, (_, at) => silentBehind(after + at)));
        goesOn = begun.every(Boolean);
      }
    });
  });
}

type Survives = (each: Case) => Promise<boolean>;

const sideBySide = (cases: readonly Case[], survives: Survives): Promise<readonly boolean[]> =>
  Promise.all(cases.map(survives));

async function inTurn(cases: readonly Case[], survives: Survives): Promise<readonly boolean[]> {
  const outcomes: boolean[] = [];
  for (const each of cases) outcomes.push(await survives(each));
  return outcomes;
}

const writes = ({ run }: Scenario): boolean => run.toString().includes('label }');

function codeOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (!isFwError(error)) throw error;
  // What a migration says is why it failed.
  return error.code === 'FW_MIGRATE_FAILED' ? codeOf(error.cause) : error.code;
}

// The code itself where it is one of those expected, or nothing is wrong.
const oneOf = (codes: ReadonlySet<string>, code: string | undefined): string | undefined =>
  code === undefined || codes.has(code) ? code : `one of ${[...codes].join(', ')}`;
