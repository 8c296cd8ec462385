import { afterEach, describe, expect } from '@jest/globals';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/boot-test-app.js';
import { routesUnderTest } from '../../../kernel/testing/http-app.js';
import { EventBus, HttpServer, Logger, plugin } from '../../../kernel/index.js';
import http from '../../http/index.js';
import { anyOptions, test } from '../../orm/contract/any-database.js';
import orm, { Database, db, type Int, model, OpEq, table, transaction } from '../../orm/index.js';
import { createMissingTables } from '../../orm/schema/index.js';
import aggregatorPlugin, { FleetAggregator, type SpanNode } from '../aggregator/index.js';
import tracerPlugin, { FleetTracer } from './index.js';

@table('things')
class Thing {
  @db('id,pk,autoincrement') id!: Int;
  @db('name') name!: string;
}

const apps: BootedTestApp[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
});

async function traceOf(path: string): Promise<readonly SpanNode[]> {
  const app: BootedTestApp = await bootTestApp({
    name: 'shop',
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(aggregatorPlugin), {}),
      plugin(() => Promise.resolve(tracerPlugin), { enabled: true, serviceToken: 'logs' }),
      plugin(() => Promise.resolve(orm), await anyOptions()),
      routesUnderTest((router) => {
        router.get('/query', async () => {
          await model(app.services.get(Database), Thing).where({ column: 'name', op: OpEq, value: 'hush' }).find();
          return 'done';
        });
        router.get('/raw', async () => {
          const database = app.services.get(Database);
          await createMissingTables(database, [Thing]);
          await database.sqlDB().query('SELECT name FROM things', []);
          await transaction.run(database, null, null, async (tx) => {
            await tx.execute("UPDATE things SET name = 'hush'", []);
            await model(tx, Thing).count();
          });
          const own = await database.sqlDB().begin({});
          for await (const _ of own.stream('SELECT id FROM things', [], { batchSize: 10 }));
          await own.rollback();
          await Promise.resolve()
            .then(() => database.sqlDB().script('DELETE FROM nowhere'))
            .catch(() => undefined);
          return 'done';
        });
        const filled = async () => {
          const database = app.services.get(Database);
          await createMissingTables(database, [Thing]);
          await model(database, Thing).createBatch(
            Array.from({ length: 3_000 }, (_, at) => ({ name: `hush ${at}`.padEnd(200) })),
          );
          return database;
        };
        router.get('/streams', async () => model(await filled(), Thing).stream());
        router.get('/leaves', async () => {
          for await (const { name } of model(await filled(), Thing).stream({ batchSize: 10 })) return name;
          return 'none';
        });
        router.get('/own', () => {
          throw new TypeError('about hush');
        });
        router.get('/wrapped', () => {
          throw new Error('no rates', { cause: new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }) });
        });
        router.get('/event', async () => {
          const bus = app.services.get(EventBus) as unknown as {
            on(name: string, run: () => void): void;
            emit(name: string, payload: unknown): Promise<unknown>;
          };
          bus.on('test.happened', () => undefined);
          await bus.emit('test.happened', {});
          return 'done';
        });
        router.get('/log', async () => {
          await Promise.resolve();
          app.services.get(Logger).info('paid with token=hush');
          return 'done';
        });
      }),
    ],
  });
  apps.push(app);
  await (await fetch(app.services.get(HttpServer).url + path)).text();
  await app.services.get(FleetTracer).close();
  const aggregator = app.services.get(FleetAggregator);
  const [summary] = aggregator.traces({}).traces;
  return aggregator.trace(summary?.trace_id ?? '')?.roots ?? [];
}

describe('inside a traced request', () => {
  test('a statement is a child of the request, without its values', async () => {
    const [root] = await traceOf('/query');
    expect(root?.children).toMatchObject([
      { kind: 'query', method: 'SELECT', route: expect.stringMatching(/FROM .things. WHERE .*\?/) },
    ]);
    expect(JSON.stringify(root)).not.toContain('hush');
  });

  test('a statement of the raw handle or of a transaction is one too, once', async () => {
    const [root] = await traceOf('/raw');
    const seen = root?.children?.map(({ method, error }) => `${method} ${error !== undefined}`);
    expect(seen).toEqual(['SELECT false', 'UPDATE false', 'SELECT false', 'SELECT false', 'DELETE true']);
    expect(JSON.stringify(root)).not.toContain('hush');
  });

  // Sent long after the handler has returned, whenever the client is ready for more.
  test.each(['/streams', '/leaves'])('rows that are read one by one are one statement of it (%s)', async (path) => {
    const [root] = await traceOf(path);
    const read = root?.children?.filter(({ method, route }) => method === 'SELECT' && /FROM .things./.test(route));
    expect(read).toMatchObject([{ kind: 'query' }]);
    expect(read?.[0]).not.toHaveProperty('error');
  });

  test.each([
    ['/own', 'TypeError'],
    ['/wrapped', 'ECONNREFUSED'],
  ])('what %s threw is told by its type, %s', async (path, type) => {
    const [root] = await traceOf(path);
    expect(root).toMatchObject({ status: 500, attributes: { 'error.type': type } });
    expect(JSON.stringify(root)).not.toContain('hush');
  });

  test('the handling of an event is a child of the request', async () => {
    expect(await traceOf('/event')).toMatchObject([
      { route: '/event', children: [{ kind: 'event', route: 'test.happened', method: 'HANDLE' }] },
    ]);
  });

  test('a log line carries the trace id, and the service gives it to whoever has the service token [FLEET-RULE-LOG-01]', async () => {
    const [root] = await traceOf('/log');
    const url = `${apps[0]?.services.get(HttpServer).url}/_fleet/logs?trace_id=${root?.trace_id}`;
    expect((await fetch(url)).status).toBe(401);
    const lines = await (await fetch(url, { headers: { 'x-fleet-token': 'logs' } })).json();
    expect(lines).toMatchObject([{ level: 'app', message: 'paid with token=••••••', trace_id: root?.trace_id }]);
  });
});
