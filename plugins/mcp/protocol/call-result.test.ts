import { expect, test } from '@jest/globals';
import { callResult, textOf } from './call-result.js';

test('the text says once what the summary and a member both say', () => {
  expect(textOf('orders failed.', { trace_id: 'a', explanation: 'orders failed.', note: 'orders failed twice.' })).toBe(
    'orders failed.\ntrace_id: a\nnote: orders failed twice.',
  );
  expect(textOf('', { empty: [], name: 'x' })).toBe('\nname: x');
  expect(textOf('2 rows', [1, 2])).toBe('2 rows\n[1,2]');
});

test('the cap on answers counts bytes, of which a character may have several', () => {
  const long = 3 * 1024 * 1024;
  expect(callResult('t', { summary: 'a'.repeat(long), structured: {} }).content).toHaveLength(1);
  expect(() => callResult('t', { summary: 'ä'.repeat(long), structured: {} })).toThrow(/larger than 4194304 bytes/);
});
