import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createLogger } from './create-logger.js';

function driver(): never {
  throw new Error('no such column: "phone"');
}

function database(): never {
  try {
    driver();
  } catch (cause) {
    throw new Error('SQLite refused it: no such column: "phone"', { cause });
  }
}

function logged(value: unknown): { readonly message: string; readonly stack: string } {
  const written: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      done();
    },
  });
  createLogger({ name: 'shop', destination, format: 'json', level: 'info' }).error({ err: value }, 'failed');
  return (JSON.parse(written.join('')) as { err: { message: string; stack: string } }).err;
}

function thrown(): Error {
  try {
    return database();
  } catch (error) {
    return error as Error;
  }
}

test('an error with a cause is told by one stack, and what the cause alone has', () => {
  const { message, stack } = logged(thrown());
  expect(message).toBe('SQLite refused it: no such column: "phone"');
  const [own = '', cause = ''] = stack.split('caused by: ');
  expect(own).toMatch(/^Error: SQLite refused it.*\n {4}at database /);
  expect(own).toMatch(/ at thrown /);
  expect(cause).toMatch(/^Error: no such column: "phone"\n {4}at driver /);
  expect(cause).not.toMatch(/ at thrown /);
});

test('what only the cause says stays in the message, and causes that go round end', () => {
  const inner = new Error('inner');
  const outer = new Error('outer', { cause: inner });
  inner.cause = outer;
  const { message, stack } = logged(outer);
  expect(message).toContain('inner');
  expect(stack.match(/caused by: /g)).toHaveLength(1);
});
