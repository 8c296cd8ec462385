import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

// What every project writes with the contracts. An unresolved schema that the compiler infers through Static costs it a million
// instantiations, some seconds in each check of each project.
const ROOT = path.resolve(import.meta.dirname, '../..');
const FILES = [
  'docs/examples/shop/routes/orders.ts',
  'docs/examples/shop/routes/customers.ts',
  'docs/examples/environment/environment.ts',
  'plugins/tools/verification/fw-check-idioms.ts',
].map((file) => path.join(ROOT, file));

test('routes, tools and environments are checked without a search through all types of schemas', () => {
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), (file) => readFileSync(file, 'utf8')) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram(FILES, options) as ts.Program & { getInstantiationCount(): number };
  for (const file of FILES) {
    const source = program.getSourceFile(file) as ts.SourceFile;
    expect(program.getSemanticDiagnostics(source)).toEqual([]);
  }
  expect(program.getInstantiationCount()).toBeLessThan(200_000);
});
