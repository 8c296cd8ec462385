import { expect, test } from '@jest/globals';
import { textOf } from './call-result.js';

test('the text says once what the summary and a member both say', () => {
  expect(textOf('orders failed.', { trace_id: 'a', explanation: 'orders failed.', note: 'orders failed twice.' })).toBe(
    'orders failed.\ntrace_id: a\nnote: orders failed twice.',
  );
  expect(textOf('', { empty: [], name: 'x' })).toBe('\nname: x');
  expect(textOf('2 rows', [1, 2])).toBe('2 rows\n[1,2]');
});
