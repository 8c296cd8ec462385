import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DoctorContext } from '../../../kernel/contracts/index.js';
import drivers from './drivers.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'fw-drivers-'));
  for (const name of ['pg', 'mysql2']) {
    mkdirSync(path.join(root, 'node_modules', name), { recursive: true });
    writeFileSync(path.join(root, 'node_modules', name, 'package.json'), JSON.stringify({ name, version: '1.2.3' }));
  }
});
afterEach(() => rmSync(root, { recursive: true }));

const found = async (plugins: object[]) => {
  const config = () => Promise.resolve({ config: { plugins }, root, file: '' });
  const context = { root, profile: undefined, config, signal: new AbortController().signal };
  return (await drivers(context as unknown as DoctorContext)).map(({ code, details }) => [code, details?.['driver']]);
};

test('a driver that no database is reached through, in any profile, is told of', async () => {
  expect(await found([{ options: { driver: 'postgres' }, variants: {} }])).toEqual([
    ['FW_DOCTOR_DRIVER_UNUSED', 'mysql2'],
    ['FW_DOCTOR_DRIVER', 'pg'],
  ]);
  expect(await found([{ options: { driver: 'mysql' }, variants: { test: { driver: 'postgres' } } }])).toEqual([
    ['FW_DOCTOR_DRIVER', 'mysql2'],
    ['FW_DOCTOR_DRIVER', 'pg'],
  ]);
  expect((await found([])).map(([code]) => code)).toEqual(['FW_DOCTOR_DRIVER', 'FW_DOCTOR_DRIVER']);
});
