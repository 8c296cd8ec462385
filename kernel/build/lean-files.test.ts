import { describe, expect, test } from '@jest/globals';
import type { Metafile } from 'esbuild';

// The build's own scripts run before anything is compiled, so tsc does not know them.
const { leanFiles } = (await import(new URL('lean-files.mjs', import.meta.url).href)) as {
  readonly leanFiles: (metafile: Metafile, banner: string) => (file: string, contents: Uint8Array) => Uint8Array;
};

describe('leanFiles', () => {
  const BANNER = 'const require = make();';
  const made = (inputs: readonly string[], entryPoint?: string) => ({
    bytes: 0,
    imports: [],
    exports: [],
    inputs: Object.fromEntries(inputs.map((file) => [file, { bytesInOutput: 1 }])),
    ...(entryPoint !== undefined && { entryPoint }),
  });
  const lean = leanFiles(
    {
      inputs: {},
      outputs: {
        'dist/chunks/chunk-HELPERS1.js': made([]),
        'dist/chunks/chunk-HELPERS1.js.map': made([]),
        'dist/chunks/chunk-CODE2345.js': made(['a.ts']),
        'dist/empty.js': made([], 'empty.ts'),
      },
    },
    BANNER,
  );
  const of = (code: string, file = 'dist/a.js') => Buffer.from(lean(file, Buffer.from(code))).toString();

  test('takes the banner where nothing is required, and leaves its line', () => {
    expect(of(`${BANNER}\nconst required = 1;`)).toBe('\nconst required = 1;');
  });

  test.each(["require('ajv')", "__fwOnDemand('#on-demand/typebox')"])('leaves the banner to %s', (call) => {
    expect(of(`${BANNER}\n${call};`)).toBe(`${BANNER}\n${call};`);
  });

  test('takes imports of the helpers that have no names, and leaves columns where they are', () => {
    const code = '\nimport{a}from"./chunk-CODE2345.js";import"./chunk-HELPERS1.js";a();';
    expect(of(`${BANNER}${code}`)).toBe(`\nimport{a}from"./chunk-CODE2345.js";${' '.repeat(28)}a();`);
    expect(of(`${BANNER}\nimport"../../chunks/chunk-HELPERS1.js";`).trim()).toBe('');
  });

  test('leaves other imports for their effects, and those with names', () => {
    const code = '\nimport"./chunk-CODE2345.js";import"./empty.js";import{b}from"./chunk-HELPERS1.js";b();';
    expect(of(`${BANNER}${code}`)).toBe(code);
  });

  test('leaves what is no module of the bundle', () => {
    expect(of('"use strict";')).toBe('"use strict";');
    expect(of(`${BANNER}\n1`, 'dist/a.js.map')).toBe(`${BANNER}\n1`);
  });
});
