import { expect } from '@jest/globals';
import { createRequire } from 'node:module';

interface Parser {
  parse(sql: string, format: string): unknown;
}

/** Fails unless a parser of T-SQL accepts statements and they hold no word of another dialect. */
export function expectTsql(sql: string): void {
  const { Parser } = createRequire(import.meta.url)('@dbml/core') as { Parser: new () => Parser };
  expect(() => new Parser().parse(sql, 'mssql')).not.toThrow();
  expect(sql).not.toMatch(/`|\?|\$\d|\bLIMIT\b|\b(TRUE|FALSE)\b|RETURNING|ON CONFLICT/);
}
