import { expect } from '@jest/globals';
import fc from 'fast-check';

/** What a splitter of SQL scripts may meet within a statement: each form with its semicolons, which end nothing. */
export interface ScriptForms {
  /** Writes a text as a literal, a quoted name or a comment. */
  readonly quoted: Readonly<Record<string, (text: string) => string>>;
  /** Characters and words that mean something to the splitter. */
  readonly pieces: readonly string[];
}

const join = (parts: readonly string[]) => parts.join('');

/**
 * Splits scripts of planted statements, which have to come back as they were, and texts that are no SQL at all, of which nothing may
 * get lost.
 *
 * @param textsOf - the splitter
 */
export function splitsHostileScripts(
  textsOf: (sql: string) => readonly string[],
  { quoted, pieces }: ScriptForms,
): void {
  const inner = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 5 }).map(join); // prettier-ignore
  const form = fc.tuple(fc.constantFrom(...Object.values(quoted)), inner).map(([write, text]) => write(text));
  const statement = fc.array(form, { minLength: 1, maxLength: 5 }).map((forms) => `SELECT ${forms.join(' , ')} FROM t`);
  const between = fc.constantFrom(';', ';\n', '\n;\n', ' ;; ');
  fc.assert(
    fc.property(fc.array(fc.tuple(statement, between), { maxLength: 6 }), (script) => {
      expect(textsOf(script.flat().join(''))).toEqual(script.map(([sql]) => sql));
    }),
    { numRuns: 300 },
  );
  const anything = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 20 })
    .map(join);
  fc.assert(
    fc.property(anything, (sql) => {
      let from = 0;
      for (const text of textsOf(sql)) {
        const at = sql.indexOf(text, from);
        expect(at).toBeGreaterThanOrEqual(from);
        from = at + text.length;
      }
    }),
    { numRuns: 300 },
  );
}
