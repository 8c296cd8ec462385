import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import prettier from 'prettier';
import { laidOut } from './lay-out.js';

const STYLE = { printWidth: 120, singleQuote: true, trailingComma: 'all', parser: 'typescript' } as const;

const word = fc.stringMatching(/^[a-z]{1,14}$/);
const text = fc.stringMatching(/^[a-zA-Z0-9 /*:.-]{0,50}$/).map((value) => `'${value}'`);
const value = fc.oneof(
  text,
  fc.nat(99_999).map(String),
  fc.constantFrom('true', `process.env.SOME_NAME ?? ''`, `['/api/**', '/admin/**']`),
);
const member = (inner: fc.Arbitrary<string>) => fc.tuple(word, inner).map(([name, given]) => `${name}: ${given}`);
const objectOf = (inner: fc.Arbitrary<string>) =>
  fc.array(member(inner), { minLength: 1, maxLength: 7 }).map((members) => `{ ${members.join(', ')} }`);
const options = objectOf(value);
const variants = fc.tuple(fc.constantFrom('test', 'dev'), fc.oneof(options, fc.constant('false'))).map(([name, of]) => `{ ${name}: ${of} }`); // prettier-ignore
const entry = fc
  .tuple(word, fc.oneof(fc.tuple(), fc.tuple(options), fc.tuple(options, variants)))
  .map(([name, rest]) => [`plugin(() => import('fw/${name}')`, ...rest].join(', ').concat(')'));

test('an entry of app.config.ts stands there as Prettier would have it', async () => {
  await fc.assert(
    fc.asyncProperty(entry, async (call) => {
      const config = `export default defineApp({\n  plugins: [\n    // Outermost first.\n    ${laidOut(call, '    ')},\n    plugin(() => import('./app/index.js')),\n  ],\n});\n`;
      expect(config).toBe(await prettier.format(config, STYLE));
    }),
    { numRuns: 300 },
  );
});
