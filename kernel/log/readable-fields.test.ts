import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../contracts/index.js';
import { createLogger } from './create-logger.js';
import { LogTaps, TappedLogger } from './tapped-logger.js';

/** Things that throw while a line is made of them. */
const HOSTILE: Readonly<Record<string, () => object>> = {
  'an error whose own getter throws': () => ({ err: withGetter(new Error('the stock is gone'), 'detail') }),
  'an error whose message throws': () => ({ err: withGetter(new Error(), 'message') }),
  'an error whose stack throws': () => ({ err: withGetter(new Error('the stock is gone'), 'stack') }),
  'an error whose cause throws': () => ({
    err: new Error('the stock is gone', { cause: withGetter(new Error(), 'message') }),
  }),
  'an error that is a proxy': () => ({ err: new Proxy(new Error('the stock is gone'), FORBIDDING) }),
  'a proxy': () => ({ value: new Proxy({}, FORBIDDING) }),
  'a field that throws': () => withGetter({ kept: 1 }, 'lost'),
  'a toJSON that throws': () => ({ value: { toJSON: () => fail() } }),
  'fields that are a proxy': () => new Proxy({}, FORBIDDING),
  'a value that throws what has no text': () => ({
    get value(): never {
      throw Object.create(null);
    },
  }),
};

const fail = (): never => {
  throw new TypeError('not to be read');
};
const FORBIDDING: ProxyHandler<object> = { get: fail, ownKeys: fail, getPrototypeOf: fail, has: fail };

function withGetter<Value extends object>(value: Value, name: string): Value {
  return Object.defineProperty(value, name, { enumerable: true, get: fail });
}

/** A logger with a listener, and everything that came of both. */
function recorded(format: 'json' | 'pretty') {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const heard: unknown[] = [];
  const taps = new LogTaps(systemClock);
  taps.subscribe(({ message, fields }) => heard.push([message, JSON.stringify(fields)]));
  const log = new TappedLogger(createLogger({ name: 'test', level: 'debug', format, destination }), taps);
  return { log, lines, heard };
}

describe.each(['json', 'pretty'] as const)('a line of the form %s', (format) => {
  test.each(Object.keys(HOSTILE))('is written with %s', (what) => {
    const { log, lines, heard } = recorded(format);
    for (const level of ['debug', 'info', 'warn', 'error'] as const)
      log[level]((HOSTILE[what] as () => object)() as never, 'it went wrong');
    log.child({ child: true }).error((HOSTILE[what] as () => object)() as never, 'it went wrong');
    const text = lines.join('');
    expect(text.match(/it went wrong/g)).toHaveLength(5);
    expect(heard).toHaveLength(4);
  });

  test('keeps what can be read', () => {
    const { log, lines } = recorded(format);
    log.error(HOSTILE['an error whose own getter throws']?.() as never, 'it went wrong');
    log.error(HOSTILE['a field that throws']?.() as never, 'it went wrong');
    expect(lines.join('')).toContain('the stock is gone');
    expect(lines.join('')).toContain('[unreadable: not to be read]');
  });
});

test('a listener that fails keeps neither the line nor the other listeners from it', () => {
  const { log, lines, heard } = recorded('json');
  const taps = new LogTaps(systemClock);
  taps.subscribe(() => fail());
  taps.subscribe(({ message }) => heard.push(message));
  new TappedLogger(log, taps).info('hello');
  expect(heard).toContain('hello');
  expect(lines.join('')).toMatch(/hello[\s\S]*a listener of the log failed/);
});
