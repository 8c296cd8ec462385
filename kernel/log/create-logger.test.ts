import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from './create-logger.js';

describe('createLogger', () => {
  let before: string | undefined;
  beforeEach(() => void (before = process.env['FW_LOG_LEVEL']));
  afterEach(() => {
    if (before === undefined) delete process.env['FW_LOG_LEVEL'];
    else process.env['FW_LOG_LEVEL'] = before;
  });

  function written(options: { readonly level?: string; readonly profile?: string } = {}): readonly string[] {
    const destination = new PassThrough();
    const log = createLogger({ name: 'shop', format: 'json', destination, ...options });
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level);
    let text = '';
    // One chunk at a time, or all of them, by the release of Node.
    for (let chunk = destination.read() as unknown; chunk !== null; chunk = destination.read()) text += String(chunk);
    return text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { msg: string }).msg]));
  }

  test.each([
    ['', {}, ['info', 'warn', 'error']],
    ['', { profile: 'test' }, ['warn', 'error']],
    ['debug', { profile: 'test' }, ['debug', 'info', 'warn', 'error']],
    ['debug', { level: 'error' }, ['error']],
    ['silent', {}, []],
  ])('with FW_LOG_LEVEL=%s and %j writes %j: an empty variable is one that is not set', (variable, options, lines) => {
    process.env['FW_LOG_LEVEL'] = variable;
    expect(written(options)).toEqual(lines);
  });

  test('names a level that is none', () => {
    process.env['FW_LOG_LEVEL'] = 'INFO';
    const message = expect.stringMatching(/"INFO" is no level.*one of: trace, debug, info, warn, error, fatal, silent/);
    expect(() => written()).toThrow(expect.objectContaining({ code: 'FW_LOG_LEVEL', message }) as unknown as Error);
  });
});
