import { assertParses } from '../engine/canonical.js';
import type { GeneratorContext } from '../engine/context.js';
import { laidOut } from '../engine/lay-out.js';
import { withKeptOptions } from './kept-options.js';

const FILE = 'tests/test-app.ts';
/** The last entry of the plugin list in the tests' application, as `fw new` writes it. */
const LAST = /^([ \t]*)plugin\(\(\) => import\('\.\.\/app\/index\.js'\)\)/m;

/** An entry of a list of plugins. */
export interface ListedPlugin {
  readonly module: string;
  readonly call: string;
  /** Options that the call is about; undefined for all. */
  readonly replaces: readonly string[] | undefined;
}

/**
 * Lists a plugin in the application that the tests of the routes boot, before the application itself.
 *
 * @param replaced - whether app.config.ts had it with other options, so that the entry of the tests is replaced too
 */
export async function addToTests(context: GeneratorContext, plugin: ListedPlugin, replaced: boolean): Promise<void> {
  const text = await context.read(FILE);
  if (text === undefined) return;
  const { module, call, replaces } = plugin;
  const isListed = text.includes(`import('${module}')`);
  if (isListed && !replaced) return;
  const place = isListed ? ownEntry(module) : LAST;
  const edited = text.replace(place, (found, indent: string) => {
    const kept = isListed && replaces ? withKeptOptions(found.trim(), call, replaces) : call;
    const laid = `${indent}${laidOut(kept, indent)}`;
    return isListed ? laid : `${laid},\n${found}`;
  });
  if (edited === text) {
    if (!text.includes(laidOut(call, '')))
      context.log(`note: list ${module} in ${FILE} like this, so that tests have it: ${call}`);
    return;
  }
  assertParses(FILE, edited);
  await context.write(FILE, edited);
  context.log(`edited ${FILE}: ${isListed ? 'replaced' : 'added'} ${module}`);
}

// Matches an entry only as generators write it, so that one that a person edited is kept.
const ownEntry = (module: string): RegExp =>
  new RegExp(`^([ \\t]*)plugin\\(\\s*\\(\\) => import\\('${module}'\\),\\s*\\{[^{}()]*\\},?\\s*\\)`, 'm');
