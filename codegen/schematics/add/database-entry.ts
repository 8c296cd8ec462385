import {
  clientNames,
  type DialectFacts,
  driverPackage,
  driverVersion,
  missingBuiltin,
  throughClient,
} from '../../../plugins/orm/registry/index.js';
import type { Dependencies } from '../engine/manifest.js';
import { literal } from '../engine/literal.js';
import { textVariable, type Variable } from '../environment/index.js';

/** A database as app.config.ts and package.json name it. */
export interface DatabaseEntry {
  readonly facts: DialectFacts;
  readonly variable: Variable;
  /** Members of the options of `fw/orm`, except the schema. */
  readonly options: readonly string[];
  /** The options of `fw/orm` in tests. */
  readonly optionsInTests: readonly string[];
  /** Variants of the entry, as source text. */
  readonly variants: string;
  /** Whether each test file has a database of its own. */
  readonly isOwnInTests: boolean;
  readonly dependencies: Dependencies;
  /** Releases of Node that it needs, where it is a module of Node. */
  readonly node: string | undefined;
  readonly notes: readonly string[];
}

/** Makes the error for a database that cannot be used: the wrong flag, and the reason. */
type DatabaseRefusal = (flag: 'driver' | 'client', problem: string) => Error;

/**
 * The entries of a project for a database.
 *
 * @param wanted - its dialect, and its client: empty for the dialect's own driver
 * @throws what `refuse` makes
 */
export function databaseEntry(
  { driver, client = '' }: { readonly driver: string; readonly client?: string },
  dialects: readonly DialectFacts[],
  refuse: DatabaseRefusal,
): DatabaseEntry {
  const known = dialects.find(({ name }) => name === driver);
  if (!known) throw refuse('driver', `"${driver}" is not among ${dialects.map(({ name }) => name).join(', ')}`);
  const facts = client === '' ? known : throughClient(known, client);
  if (!facts) {
    const names = clientNames(known);
    const has = names.length > 0 ? names.join(', ') : 'nothing to choose from';
    throw refuse('client', `"${client}" is not what ${known.title} can be reached through: ${has}`);
  }
  const { title, address } = facts;
  const { option, variable, example, inTests, temporary, default: fallback } = address;
  const [needed, missing] = [driverPackage(facts), missingBuiltin(facts)];
  const named = [`driver: ${literal(driver)}`, ...(facts === known ? [] : [`client: ${literal(client)}`])];
  const ofVariable = `${option}: env.${variable}`;
  const isOwnInTests = inTests !== undefined || temporary === true;
  const ownInTests = inTests === undefined ? 'temporaryDatabase: true' : `${option}: ${literal(inTests)}`;
  const tested = inTests === undefined ? [ofVariable, ...(isOwnInTests ? [ownInTests] : [])] : [ownInTests];
  return {
    facts,
    variable: textVariable(variable, `${title}, such as ${example}`, fallback),
    options: [...named, ofVariable],
    optionsInTests: [...named, ...tested],
    variants: isOwnInTests ? `{ test: { ${ownInTests} } }` : '',
    isOwnInTests,
    dependencies: needed ? { dependencies: { [needed.package]: driverVersion(needed) } } : {},
    node: facts.driver && 'builtin' in facts.driver ? facts.driver.node : undefined,
    notes: [
      ...(fallback === undefined ? [`set ${variable}`] : []),
      ...(temporary
        ? ['tests make and drop databases of their own beside that one: its login must be allowed to']
        : []),
      ...(!isOwnInTests
        ? [
            `name another database in ${variable} of .env.test: the profile test makes missing tables in the one that it is given`,
          ]
        : []),
      ...(missing ? [`${missing.builtin} needs Node ${missing.node}, and this is ${process.versions.node}`] : []),
    ],
  };
}
