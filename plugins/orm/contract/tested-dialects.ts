import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rooms } from '#rooms';
import { describe } from '@jest/globals';
import { describeWith, type RequiredService } from '../../../kernel/testing/required-service.js';
import type { Dialect } from '../index.js';
import { builtInDialects, type DialectFacts } from '../registry/index.js';
import { DIALECTS } from './framework-dialects.js';
import type { TestDatabase, TestedDialect } from './suite.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** A database for tests, by the address that an application would be given. */
export interface AddressedDatabase extends TestDatabase {
  readonly address: string;
}

/** What a dialect gives to tests of others: the default export of `testing/index.ts` in its folder. */
export interface DialectTesting {
  /** The server that its databases are made on; none where each needs only a file. */
  readonly server?: RequiredService;
  /** A database that nobody else uses, where it outlives its handle. */
  create(server: string): Promise<AddressedDatabase>;
  /** The quickest of its databases; default what `create` makes. */
  createQuickly?(): Promise<TestDatabase>;
  /** The dialect as the suite of dialects tests it. */
  tested(server: string): TestedDialect;
  /** Statements that make a schema of the usual kind, as somebody without the framework writes them. */
  readonly existing: string;
}

/** A dialect of the framework whose databases tests can have. */
export interface TestableDialect extends DialectTesting {
  readonly facts: DialectFacts;
  readonly dialect: Dialect;
}

/** The default export of a file in a dialect's folder; undefined where there is none. */
export async function fromRoomOf<T>(facts: DialectFacts, name: string): Promise<T | undefined> {
  const brings = ({ manifest }: (typeof rooms)[number]) =>
    (manifest.dialects as readonly unknown[] | undefined)?.includes(facts);
  const file = path.join(ROOT, rooms.find(brings)?.room ?? '', name);
  if (!existsSync(file)) return undefined;
  return ((await import(pathToFileURL(file).href)) as { default: T }).default;
}

const found: TestableDialect[] = [];
// One after the other, as in framework-dialects.ts.
for (const [at, facts] of builtInDialects.entries()) {
  const testing = await fromRoomOf<DialectTesting>(facts, 'testing/index.ts');
  if (testing !== undefined) found.push({ ...testing, facts, dialect: DIALECTS[at] as Dialect });
}

/**
 * The dialects of the framework that tests can have databases of, those without a server first. Found by reading the folders, so that tests
 * of the ORM that name no dialect work without any of them.
 */
export const testableDialects: readonly TestableDialect[] = found;

/** Declares tests for each of {@link testableDialects}; of one whose server is not there, they are skipped as `describeWith` does. */
export function describeDialects(title: string, tests: (dialect: TestableDialect, server: string) => void): void {
  for (const dialect of testableDialects) {
    const name = `${title} on ${dialect.facts.title}`;
    if (dialect.server === undefined) describe(name, () => tests(dialect, ''));
    else describeWith(dialect.server, name, (server) => tests(dialect, server));
  }
}
