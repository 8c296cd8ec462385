import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LineSplitter, MAX_LINE_LENGTH } from './line-splitter.js';

function split(chunks: readonly Buffer[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

describe('LineSplitter', () => {
  test('ends lines at LF and CRLF and keeps empty ones', () => {
    expect(split([Buffer.from('a\r\n\nb\n')])).toEqual(['a', '', 'b']);
  });

  test('hands on what has no line break at the end', () => {
    expect(split([Buffer.from('a\nb')])).toEqual(['a', 'b']);
  });

  test('gives the same lines however the bytes are cut, also within a character', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '€', '😀', '\n', 'line'), { maxLength: 30 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 5 }), (parts, size) => {
        const bytes = Buffer.from(parts.join(''));
        const cut = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        expect(split(cut)).toEqual(split([bytes]));
      }),
    );
  });

  test('hands a line that does not end on in pieces, so that it is not kept in memory', () => {
    const pieces = split([Buffer.alloc(MAX_LINE_LENGTH, 'x'), Buffer.from('yz')]);
    expect(pieces.map((each) => each.length)).toEqual([MAX_LINE_LENGTH, 2]);
    const whole = split([Buffer.from(`${'x'.repeat(2 * MAX_LINE_LENGTH + 3)}\nnext\n`)]);
    expect(whole.map((each) => each.length)).toEqual([MAX_LINE_LENGTH, MAX_LINE_LENGTH, 3, 4]);
  });
});
