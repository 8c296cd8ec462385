import { describe, expect, test } from '@jest/globals';
import { BufferedLines } from './buffered-lines.js';

function recording() {
  const written: string[] = [];
  return { written, lines: new BufferedLines({ write: (text) => written.push(text) }) };
}

describe('buffered lines', () => {
  test('are written at once when the loop comes round', async () => {
    const { written, lines } = recording();
    lines.write('a\n');
    lines.write('b\n');
    expect(written).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    lines.write('c\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });

  test('do not wait when there is much to write', () => {
    const { written, lines } = recording();
    const long = `${'x'.repeat(20_000)}\n`;
    lines.write(long);
    expect(written).toEqual([long]);
    lines.flush();
    expect(written).toEqual([long]);
  });

  test('are written before the process ends', () => {
    const before = new Set(process.listeners('exit'));
    const { written, lines } = recording();
    const atExit = process.listeners('exit').filter((listener) => !before.has(listener));
    lines.write('last words\n');
    for (const listener of atExit) listener(0);
    expect(written).toEqual(['last words\n']);
  });
});
