import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { SLOW_FIRST } from './jest-sequencer.cjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('the files that run first are there', () => {
  expect(SLOW_FIRST.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});
