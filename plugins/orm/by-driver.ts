import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fwError } from '../../kernel/index.js';
import { resolveOptions } from '../../kernel/config/index.js';
import { driverMissing, ORM_ERRORS } from './core/index.js';
import { type DatabaseSource, DEFAULT_DATABASE, type DialectPlugin, isDialectPlugin } from './dialect/index.js';
import { builtInDialects, chosenDialect, type DialectFacts, knownDialects, missingBuiltin } from './registry/index.js';

/** Options of the plugin `orm` that name a database. */
export interface DriverSettings {
  readonly driver?: string;
  readonly client?: string;
  readonly url?: string;
  readonly file?: string;
}

/**
 * The database of an application that lists no dialect plugin: the one that the options of `fw/orm` name. Only its dialect is imported.
 *
 * @param root - folder of the application, where a third party's dialect is found
 * @throws FwError `FW_ORM_DIALECT`, `FW_ORM_DIALECT_FACTS`, `FW_CONFIG_OPTIONS`
 */
export async function sourceByDriver(settings: DriverSettings, root: string): Promise<DatabaseSource> {
  const { facts, plugin } = await dialectFor(settings, root);
  // A profile may change the driver and keep the address options of the other one, so options that the dialect does not have are ignored.
  const names = Object.keys(plugin.manifest.options?.properties ?? {});
  const own = Object.entries(settings).filter(([name, value]) => names.includes(name) && value !== undefined);
  const given = Object.fromEntries(own);
  if (given[facts.address.option] === undefined) {
    const expected = `the address of a database, e.g. ${facts.address.example}`;
    throw fwError(ORM_ERRORS.FW_ORM_OPTIONS, { option: facts.address.option, expected, got: 'nothing' });
  }
  return plugin.source(DEFAULT_DATABASE, resolveOptions(plugin.manifest, given), root);
}

async function dialectFor(settings: DriverSettings, root: string) {
  // Packages are searched only if no dialect of the framework fits.
  const isOwn = settings.driver === undefined || builtInDialects.some(({ name }) => name === settings.driver);
  const facts = chosenDialect(settings, isOwn ? builtInDialects : await knownDialects(root));
  return { facts, plugin: await pluginOf(facts, root) };
}

async function pluginOf(facts: DialectFacts, root: string): Promise<DialectPlugin> {
  const specifier = builtInDialects.includes(facts)
    ? facts.module
    : pathToFileURL(createRequire(path.join(root, 'package.json')).resolve(facts.module)).href;
  const missing = missingBuiltin(facts);
  if (missing) throw driverMissing(facts.title, missing.builtin, undefined, missing.node);
  const { default: plugin } = (await import(specifier)) as { readonly default?: unknown };
  if (isDialectPlugin(plugin)) return plugin;
  const problem = `the default export of ${facts.module} is not made by defineDialect`;
  throw fwError(ORM_ERRORS.FW_ORM_DIALECT_FACTS, { package: facts.module, problem });
}
