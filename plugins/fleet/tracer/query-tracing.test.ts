import { expect, test } from '@jest/globals';
import type { SpanRecorder } from '../../../kernel/contracts/fleet.js';
import { queryTracing } from './query-tracing.js';

const spanOf = (dialect: object | undefined, error?: unknown) => {
  const spans: Parameters<SpanRecorder['record']>[1][] = [];
  const recorder = { enabled: true, record: (_context: unknown, span: (typeof spans)[0]) => void spans.push(span) };
  const context = dialect && { session: { database: { dialect } } };
  queryTracing(recorder as unknown as SpanRecorder).afterExecute?.(
    context,
    'SELECT a FROM t WHERE b = "hush 1"',
    1n,
    error,
  );
  return spans[0];
};

test('a database is called what its dialect says, else by the name of the dialect', () => {
  const telemetry = { system: 'acme.db' };
  expect(spanOf({ name: 'acme', telemetry })?.attributes).toMatchObject({ 'db.system.name': 'acme.db' });
  expect(spanOf({ name: 'acme' })?.attributes).toMatchObject({ 'db.system.name': 'acme' });
  expect(spanOf(undefined)?.attributes).not.toHaveProperty('db.system.name');
});

test('what stands in double quotes is masked where the dialect says that it may be a text', () => {
  expect(spanOf({ name: 'acme', telemetry: { doubleQuotedTexts: true } })?.name).toBe('SELECT a FROM t WHERE b = ?');
  expect(spanOf({ name: 'acme' })?.name).toBe('SELECT a FROM t WHERE b = "hush 1"');
});

test.each([
  ['FW_ORM_CONNECTION', 'ECONNREFUSED', 'query failed: FW_ORM_CONNECTION (ECONNREFUSED)'],
  ['FW_ORM_DATABASE', 1205, 'query failed: FW_ORM_DATABASE (1205)'],
  ['FW_ORM_DATABASE', 'what somebody wrote: hush', 'query failed: FW_ORM_DATABASE'],
  ['FW_ORM_TIMEOUT', undefined, 'query failed: FW_ORM_TIMEOUT'],
])('a failure has the code of the ORM and that of the driver: %s, %s', (code, driverCode, error) => {
  const span = spanOf({ name: 'acme' }, Object.assign(new Error('hush'), { code, details: { driverCode } }));
  expect(span).toMatchObject({ error, attributes: { 'error.type': code } });
});
