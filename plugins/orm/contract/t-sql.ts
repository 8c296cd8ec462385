import { expect } from '@jest/globals';
import { createRequire } from 'node:module';

interface Parser {
  parse(sql: string, format: string): unknown;
}

// Generated values are parameters of a few texts, and reading one takes longer than making it.
const accepted = new Set<string>();

/** Fails unless a parser of T-SQL accepts statements and they hold no word of another dialect. */
export function expectTsql(sql: string): void {
  if (accepted.has(sql)) return;
  const { Parser } = createRequire(import.meta.url)('@dbml/core') as { Parser: new () => Parser };
  expect(() => new Parser().parse(sql, 'mssql')).not.toThrow();
  expect(sql).not.toMatch(/`|\?|\$\d|\bLIMIT\b|\b(TRUE|FALSE)\b|RETURNING|ON CONFLICT/);
  accepted.add(sql);
}
