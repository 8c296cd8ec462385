import { describe, expect, test } from '@jest/globals';
import type { LogLine } from '../contracts/log-tap.js';
import { RecordingLogger } from '../testing/recording-logger.js';
import { LogTaps, TappedLogger } from './tapped-logger.js';

describe('TappedLogger', () => {
  test('hands lines on and shows them to who reads along, with the fields of its parents', () => {
    const inner = new RecordingLogger();
    const taps = new LogTaps({ now: () => 42 });
    const seen: LogLine[] = [];
    const stop = taps.subscribe((line) => seen.push(line));
    const log = new TappedLogger(inner, taps).child({ plugin: 'http' });
    log.info('up');
    log.error({ port: 1 }, 'down');
    log.debug('not shown');
    stop();
    log.warn('after');
    expect(inner.lines.map(({ message }) => message)).toEqual(['up', 'down', 'not shown', 'after']);
    expect(inner.lines[1]?.fields).toEqual({ plugin: 'http', port: 1 });
    expect(seen).toEqual([
      { time: 42, level: 'info', message: 'up', fields: { plugin: 'http' } },
      { time: 42, level: 'error', message: 'down', fields: { plugin: 'http', port: 1 } },
    ]);
  });
});
