import { isFwError } from '../../../kernel/errors/index.js';
import { assertParses } from '../engine/canonical.js';
import type { GeneratorContext } from '../engine/context.js';
import { ConfigSource } from '../engine/edit-config.js';
import { withImports } from '../engine/imports.js';
import { laidOut } from '../engine/lay-out.js';
import type { ListElement } from './feature-entries.js';
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
      context.log(`note: list ${module} in ${FILE} like this, so that tests have it: ${keptIn(text, plugin)}`);
    return;
  }
  const whole = withEnvironment(edited);
  assertParses(FILE, whole);
  await context.write(FILE, whole);
  context.log(`edited ${FILE}: ${isListed ? 'replaced' : 'added'} ${module}`);
}

// The entry of another database may have read the environment, or be the first that does.
function withEnvironment(text: string): string {
  return /\benv\./.test(text.replaceAll('process.env', ''))
    ? withImports(text, [{ module: '../app/environment.js', name: 'env', text: 'env' }])
    : text.replace("import { env } from '../app/environment.js';\n", '');
}

/**
 * Adds to a list option of a plugin in that application, so that routes behave in tests as they do behind app.config.ts: without the
 * soft delete a test would see rows deleted that the application keeps.
 */
export async function addElementToTests(
  context: GeneratorContext,
  { module, option, value, imports }: ListElement,
): Promise<void> {
  const text = await context.read(FILE);
  if (text === undefined) return;
  const edited = ifWritten(() => {
    const source = new ConfigSource(text, 'bootTestApp');
    const entry = source.find(module);
    return entry && source.withElement(entry, option, value);
  });
  if (edited === text) return;
  if (edited === undefined) {
    context.log(`note: give ${module} in ${FILE} ${value} among its ${option}, so that tests have it`);
    return;
  }
  await context.write(FILE, withImports(edited, imports));
  context.log(`edited ${FILE}: ${value} among the ${option} of ${module}`);
}

// The entry that a person edited, with its other options kept.
function keptIn(text: string, { module, call, replaces }: ListedPlugin): string {
  const found = ifWritten(() => new ConfigSource(text, 'bootTestApp').find(module));
  return found && replaces ? withKeptOptions(found.text, call, replaces) : call;
}

// Undefined where a person has written the application in another form.
function ifWritten<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (isFwError(error) && error.code === 'FW_SCHEMATIC_CONFIG') return undefined;
    throw error;
  }
}

// Matches an entry only as generators write it, so that one that a person edited is kept.
const ownEntry = (module: string): RegExp =>
  new RegExp(
    `^([ \\t]*)plugin\\(\\s*\\(\\) => import\\('${module}'\\),\\s*\\{(?:[^{}()]|softDelete\\('\\w+'\\))*\\},?\\s*\\)`,
    'm',
  );
