import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { createLogger } from './create-logger.js';
import { prettyLine } from './pretty-stream.js';

const collect = () => {
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
  return { lines, destination };
};

describe('createLogger', () => {
  test('writes JSON lines with the name, the fields and the message', () => {
    const { lines, destination } = collect();
    createLogger({ name: 'shop', format: 'json', level: 'info', destination })
      .child({ plugin: 'http' })
      .info({ port: 1 }, 'up');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, name: 'shop', plugin: 'http', port: 1, msg: 'up' });
  });

  test('leaves out what is below its level', () => {
    const { lines, destination } = collect();
    const log = createLogger({ name: 'shop', format: 'json', level: 'warn', destination });
    log.info('quiet');
    log.warn('loud');
    expect(lines).toHaveLength(1);
  });

  test('writes lines for a person where asked to', () => {
    const { lines, destination } = collect();
    createLogger({ name: 'shop', format: 'pretty', level: 'info', destination }).warn(
      { plugin: 'http', path: '/a b' },
      'slow',
    );
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} warn {2}\[http\] slow path="\/a b"\n$/);
  });
});

describe('prettyLine', () => {
  test('passes on what is not JSON, and shows the stack of an error', () => {
    expect(prettyLine('plain\n', false)).toBe('plain\n');
    const line = JSON.stringify({ level: 50, time: 0, msg: 'm', err: { stack: 'Error: x\n    at y' } });
    expect(prettyLine(line, false)).toBe('00:00:00.000 error m\nError: x\n    at y\n');
  });

  test('lets nothing that was logged steer the terminal', () => {
    const sent = '\u001b[2J\u0007\u009b31m';
    const fields = { level: 40, time: 0, plugin: sent, agent: sent, err: { stack: `Error: ${sent}\n    at y` } };
    const told = String.raw`\u001b[2J\u0007\u009b31m`;
    expect(prettyLine(JSON.stringify({ ...fields, msg: `${sent}\r\n` }), false)).toBe(
      `00:00:00.000 warn  [${told}] ${told}${String.raw`\u000d`}\n agent=${told}\nError: ${told}\n    at y\n`,
    );
  });
});
