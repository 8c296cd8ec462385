import { createInterface } from 'node:readline';

/**
 * Reads a stream of one JSON value a line.
 *
 * @param {import('node:stream').Readable} stream
 * @returns {() => Promise<any>} the next value; throws when the stream ended
 */
export function jsonLines(stream) {
  const lines = createInterface(stream)[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('The stream ended before it said what was waited for.');
    return JSON.parse(value);
  };
}
