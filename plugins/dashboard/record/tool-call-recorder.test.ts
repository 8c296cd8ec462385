import { beforeEach, expect, test } from '@jest/globals';
import type { ToolCall } from '../../../kernel/contracts/tool-calls.js';
import { HandClock } from './testing/hand-clock.js';
import { ToolCallRecorder } from './tool-call-recorder.js';

let recorder: ToolCallRecorder;
beforeEach(() => {
  recorder = new ToolCallRecorder(new HandClock());
});

const call = (given: Partial<ToolCall> = {}): ToolCall => ({
  tool: 'fw_features',
  outcome: 'ok',
  durationMs: 3,
  argumentNames: [],
  ...given,
});

test('keeps the newest five hundred calls', () => {
  for (let nth = 1; nth <= 520; nth++) recorder.observe(call());
  expect([recorder.calls.size, recorder.calls.dropped, recorder.calls.newest(1)[0]?.id]).toEqual([500, 20, '520']);
});

test('knows at most two hundred tools, and none that there is not', () => {
  for (let nth = 0; nth < 250; nth++) recorder.observe(call({ tool: `tool_${nth}` }));
  expect(recorder.tools()).toHaveLength(200);
  recorder.observe(call({ tool: 'made_up', outcome: 'unknown' }));
  expect(recorder.tools().map(({ tool }) => tool)).not.toContain('made_up');
  expect(recorder.calls.newest(1)).toMatchObject([{ tool: 'made_up', outcome: 'unknown' }]);
});

test('keeps names of arguments and nothing else of them, each cut, and not too many', () => {
  const names = Array.from({ length: 30 }, (_, at) => `${at}`.padEnd(200, 'x'));
  recorder.observe({ ...call({ argumentNames: names }), arguments: { path: 'hunter2' } } as ToolCall);
  const [record] = recorder.calls.newest(1);
  expect(record?.argument_names).toEqual(names.slice(0, 20).map((name) => name.slice(0, 100)));
  expect(JSON.stringify([record, recorder.tools()])).not.toContain('hunter2');
});

test('tells failed calls from refused ones, which took no time', () => {
  for (const outcome of ['ok', 'error', 'crash', 'cancelled'] as const) recorder.observe(call({ outcome }));
  recorder.observe(call({ outcome: 'refused', durationMs: 0, requires: 'fleet' }));
  expect(recorder.tools()).toMatchObject([{ calls: 5, failed: 3, refused: 1, avg_ms: 3, max_ms: 3 }]);
  expect(recorder.calls.newest(1)).toMatchObject([{ outcome: 'refused', requires: 'fleet' }]);
});
