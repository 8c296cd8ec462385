import { jest } from '@jest/globals';

/**
 * Makes what the tested code waits for pass when the test says so (`jest.advanceTimersByTime`), however slow the machine is. Timers of Node
 * itself, intervals, clocks and `until` go on. `jest.useRealTimers` ends it.
 */
export function holdTimers(): void {
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
      ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
    ],
  });
}
