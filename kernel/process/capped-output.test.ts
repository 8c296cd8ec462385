import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CappedOutput } from './capped-output.js';

const fed = (maxBytes: number, chunks: readonly (string | Uint8Array)[]): CappedOutput => {
  const output = new CappedOutput(maxBytes);
  for (const chunk of chunks) output.push(Buffer.from(chunk as string));
  return output;
};

describe('CappedOutput', () => {
  test('keeps everything up to the cap', () => {
    expect(fed(10, ['12345', '67', '890']).text()).toBe('1234567890');
  });

  test('keeps the first and the last half and counts the rest', () => {
    const output = fed(10, ['abcde', 'f', 'ghi', 'jklmno', 'pq']);
    expect(output.text()).toBe('abcde\n[... 7 bytes left out ...]\nmnopq');
    expect(output.leftOut).toBe(7);
  });

  test('does not show half a character where it cuts', () => {
    expect(fed(6, ['aéé', '----', '€b']).text()).toBe('aé\n[... 7 bytes left out ...]\nb');
    expect(fed(4, ['😀😀😀']).text()).toBe('\n[... 8 bytes left out ...]\n');
  });

  test.each([0, 1])('bears a cap of %d', (cap) => {
    const output = fed(cap, ['abc', 'def']);
    expect(output.text()).toBe(`${'a'.repeat(cap)}\n[... ${6 - cap} bytes left out ...]\n`);
  });

  test('keeps exactly the first and last bytes, however the output is cut into chunks', () => {
    const chunk = fc.string({ unit: 'grapheme-ascii', maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), fc.array(chunk, { maxLength: 12 }), (cap, chunks) => {
        const whole = chunks.join('');
        const [head, tail] = [Math.ceil(cap / 2), Math.floor(cap / 2)];
        const left = whole.length - cap;
        const expected =
          left <= 0
            ? whole
            : `${whole.slice(0, head)}\n[... ${left} bytes left out ...]\n${whole.slice(whole.length - tail)}`;
        expect(fed(cap, chunks).text()).toBe(expected);
      }),
    );
  });
});
