import { expect, test } from '@jest/globals';
import { RecordingHandle } from '../../contract/recording-handle.js';
import { standard } from '../../contract/standard-dialect.js';
import type { OrmPlugin } from './orm-plugin.js';
import { open } from './database.js';
import { Executor } from './executor.js';

const failing: OrmPlugin = { name: () => 'failing', afterExecute: () => Promise.reject(new RangeError('after')) };

async function ran(run: () => number) {
  const seen: string[] = [];
  const watching: OrmPlugin = {
    name: () => 'watching',
    beforeExecute: () => void seen.push('before'),
    afterExecute: (_context, _sql, _nanos, error) => void seen.push(error === undefined ? 'done' : 'failed'),
  };
  const db = open(new RecordingHandle(), standard);
  const statement = { sql: 'SELECT 1', parameters: [], options: undefined };
  const outcome = await Promise.resolve(new Executor([failing, watching]).run(db, undefined, statement, run)).catch(
    (error: unknown) => error,
  );
  return { outcome, seen };
}

test('a plugin that throws after a statement keeps no other from its end', async () => {
  const { outcome, seen } = await ran(() => 1);
  expect(outcome).toMatchObject({ code: 'FW_ORM_PLUGIN', details: { plugin: 'failing', phase: 'AfterExecute' } });
  expect(seen).toEqual(['before', 'done']);
});

test('nor does it hide the error of the statement', async () => {
  const refused = new RangeError('refused');
  const { outcome, seen } = await ran(() => {
    throw refused;
  });
  expect(outcome).toBe(refused);
  expect(seen).toEqual(['before', 'failed']);
});
