import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { takeValues } from '../core/index.js';
import { builtInDialects } from '../registry/index.js';
import type { ErrorsWithValues } from './errors-with-values.js';
import { fromRoomOf } from './tested-dialects.js';

const found: (readonly [title: string, errors: ErrorsWithValues])[] = [];
// One after the other, as in framework-dialects.ts. Errors of an embedded database may quote nothing.
for (const facts of builtInDialects) {
  const errors = await fromRoomOf<ErrorsWithValues>(facts, 'testing/errors-with-values.ts');
  if (errors) found.push([facts.title, errors]);
}

const MARKER = 's3cret-marker';

describe.each(found)('errors of drivers of %s', (_title, { where, messages, members }) => {
  test('say nothing of the value, whatever is in it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...messages), fc.string(), fc.string(), (message, before, after) => {
        const error = new Error(message(`${before}${MARKER}${after}`));
        takeValues(error, where);
        expect(`${error.message}${error.stack}`).not.toContain(MARKER);
      }),
    );
  });

  test('keep everything else', () => {
    for (const message of messages) {
      const error = Object.assign(new Error(message('abc')), members(MARKER));
      takeValues(error, where);
      expect(error.message.split('***')[0]).toBe(message('abc').split(/["'(]?abc/)[0]);
      expect(error.stack).toContain('errors-without-values.test');
      expect(JSON.stringify(error)).not.toContain(MARKER);
      expect(error).toHaveProperty('code');
    }
    const other = new Error('relation "users" does not exist');
    takeValues(other, where);
    expect(other.message).toBe('relation "users" does not exist');
  });
});
