import { fwError, suggestion } from '../../../kernel/errors/index.js';
import { knownDialects } from '../../../plugins/orm/registry/index.js';
import { type Feature, FEATURES, findFeature } from '../../../plugins/tools/introspection/feature-catalogue.js';
import type { GeneratorContext } from '../engine/context.js';
import { ConfigSource } from '../engine/edit-config.js';
import { priorityOf } from '../engine/install-plugin.js';
import { addDependencies, addScripts } from '../engine/manifest.js';
import { withImports } from '../engine/imports.js';
import { CONFIG_FILE, readConfig } from '../engine/project.js';
import type { FlagValue } from '../engine/schematic.js';
import { declareVariables, readsEnvironment, withoutEnvironment } from '../environment/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { addElementToTests, addToTests } from './add-to-tests.js';
import { withKeptOptions } from './kept-options.js';
import { leftBehind } from './left-behind.js';
import { addColumn } from './add-column.js';
import { checkOptions } from './checked-options.js';
import { entryOf, FeatureFlags, type ListElement, type Setting } from './feature-entries.js';

/** Result of adding a feature. */
interface AddResult {
  readonly feature: string;
  readonly result: 'created' | 'updated' | 'unchanged';
  readonly notes: readonly string[];
}

/** Features of other toolchains that fw does not have, and what replaces them. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    templates: 'Views are not part of the framework. ',
    workflow: 'Workflows are not part of the framework. ',
    jsonrpc: 'JSON-RPC is not part of the framework. ',
    oauth2: 'OAuth 2 is not part of the framework; jwt checks tokens of any issuer with a shared secret. ',
    video: 'Video streaming is not part of the framework. ',
    tuning: 'Timeouts are options of fw/http in app.config.ts. ',
    observability: 'The diagnostics and the dashboard show what it would. ',
  }),
);

/**
 * Wires a feature into app.config.ts, at its place in the required order.
 *
 * @param name - name or alias
 * @throws FwError `FW_SCHEMATIC_FEATURE`, `FW_SCHEMATIC_FLAG`, `FW_SCHEMATIC_FEATURE_DIFFERS`, `FW_SCHEMATIC_CONFIG`,
 *   `FW_CONFIG_OPTIONS` for a value that the plugin does not take
 */
export async function addFeature(
  {
    feature: name,
    flags = {},
  }: { readonly feature: string; readonly flags?: Readonly<Record<string, FlagValue | undefined>> },
  context: GeneratorContext,
): Promise<AddResult> {
  const feature = known(name.trim().toLowerCase());
  const { force = false, ...given } = flags;
  const config = new ConfigSource(await readConfig(context));
  const isListed = (module: string) => config.find(module) !== undefined;
  const dialects = await knownDialects(context.root);
  const entry = entryOf(new FeatureFlags(feature, checkedFlags(feature, given), isListed, dialects));
  const inProcess = (text: string) => withoutEnvironment(text, entry.variables);
  for (const { module, options } of entry.plugins) await checkOptions(module, inProcess(options));
  const declares = await readsEnvironment(context);
  const outcomes: AddResult['result'][] = [];
  for (const { module, options, variants } of entry.plugins) {
    const call = callText(module, declares ? options : inProcess(options), variants);
    const chosen = Object.keys(given).length > 0;
    outcomes.push(await place(context, { module, call, force: force === true, chosen, replaces: entry.replaces }));
  }
  // An entry that was listed already, with other options, does not need the variables.
  if (declares && outcomes.some((each) => each !== 'unchanged')) await declareVariables(context, entry.variables);
  if (await applySettings(context, entry.settings)) outcomes.push('updated');
  for (const element of entry.elements) if (await addElement(context, element)) outcomes.push('updated');
  for (const column of entry.columns) if (await addColumn(context, column)) outcomes.push('updated');
  for (const plugin of entry.inTests)
    await addToTests(
      context,
      { ...plugin, call: declares ? plugin.call : inProcess(plugin.call), replaces: entry.replaces },
      outcomes.includes('updated'),
    );
  for (const element of entry.elements) await addElementToTests(context, element);
  await addDependencies(context, entry.dependencies);
  if (await addScripts(context, entry.scripts)) outcomes.push('updated');
  for (const [file, text] of Object.entries(entry.files)) {
    if ((await context.read(file)) !== undefined) context.log(`kept ${file}`);
    else {
      await context.write(file, text);
      context.log(`wrote ${file}`);
    }
  }
  const notes = [...entry.notes, ...(await leftBehind(context, config.text, await readConfig(context), dialects))];
  for (const note of notes) context.log(`note: ${note}`);
  const result = (['created', 'updated'] as const).find((each) => outcomes.includes(each)) ?? 'unchanged';
  return { feature: feature.name, result, notes };
}

function known(name: string): Feature {
  const feature = findFeature(name);
  if (feature) return feature;
  const names = FEATURES.flatMap((each) => [each.name, ...each.aliases]);
  const close = ELSEWHERE.get(name) ?? suggestion(name, names);
  const listed = FEATURES.map((each) => each.name);
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FEATURE, { name, hint: close, known: listed });
}

function callText(module: string, options: string, variants: string): string {
  const rest = [options || (variants ? '{}' : ''), variants].filter(Boolean);
  return [`plugin(() => import('${module}')`, ...rest].join(', ').concat(')');
}

interface Placing {
  readonly module: string;
  readonly call: string;
  readonly force: boolean;
  /** Whether the caller chose options. */
  readonly chosen: boolean;
  readonly replaces: readonly string[] | undefined;
}

async function place(
  context: GeneratorContext,
  { module, call: own, force, chosen, replaces }: Placing,
): Promise<AddResult['result']> {
  const config = new ConfigSource(await readConfig(context));
  const present = config.find(module);
  if (!present) {
    await context.write(CONFIG_FILE, config.inserted(own, priorityOf(module) ?? 0, priorityOf));
    context.log(`edited ${CONFIG_FILE}: added ${module}`);
    return 'created';
  }
  const call = replaces ? withKeptOptions(present.text, own, replaces) : own;
  if (config.says(present, call) || (!chosen && !force)) {
    context.log(`${CONFIG_FILE} lists ${module} already`);
    return 'unchanged';
  }
  if (!force) throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FEATURE_DIFFERS, { plugin: module, entry: call });
  await context.write(CONFIG_FILE, config.replaced(present, call));
  context.log(`edited ${CONFIG_FILE}: replaced ${module}`);
  return 'updated';
}

/** Sets options of plugins that are listed. @returns whether anything changed */
async function applySettings(context: GeneratorContext, settings: readonly Setting[]): Promise<boolean> {
  let changed = false;
  for (const { module, profile, option, value } of settings) {
    const config = new ConfigSource(await readConfig(context));
    const entry = config.find(module);
    const edited = entry && config.withOption(entry, { profile, option, value });
    if (edited === undefined || edited === config.text) continue;
    await context.write(CONFIG_FILE, edited);
    context.log(
      `edited ${CONFIG_FILE}: ${option}: ${value} of ${module}${profile ? ` in the profile ${profile}` : ''}`,
    );
    changed = true;
  }
  return changed;
}

/** Adds to an option that is a list. @returns whether anything changed */
async function addElement(
  context: GeneratorContext,
  { module, option, value, imports }: ListElement,
): Promise<boolean> {
  const config = new ConfigSource(await readConfig(context));
  const entry = config.find(module);
  const edited = entry && config.withElement(entry, option, value);
  if (edited === undefined || edited === config.text) return false;
  await context.write(CONFIG_FILE, withImports(edited, imports));
  context.log(`edited ${CONFIG_FILE}: ${value} among the ${option} of ${module}`);
  return true;
}

function checkedFlags(
  feature: Feature,
  given: Readonly<Record<string, FlagValue | undefined>>,
): Readonly<Record<string, FlagValue>> {
  const refuse = (flag: string, problem: string) =>
    fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FLAG, { flag: `--${flag}`, what: `feature ${feature.name}`, problem });
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const spec = feature.flags.find((flag) => flag.name === name);
      if (!spec)
        throw refuse(
          name,
          `there is no such flag; flags: ${feature.flags.map((flag) => flag.name).join(', ') || 'none'}`,
        );
      // Omitted, as for false and null in a tool call.
      if (value === undefined) return [];
      const read = typed(spec.type, value);
      if (read === undefined)
        throw refuse(
          name,
          value === true
            ? 'it needs a value'
            : `${JSON.stringify(value)} is not ${spec.type === 'integer' ? 'a whole number' : `a ${spec.type}`}`,
        );
      if (spec.minimum !== undefined && (read as number) < spec.minimum)
        throw refuse(name, `${read} is less than ${spec.minimum}`);
      return [[name, read]];
    }),
  );
}

// The command line gives texts, a tool call JSON values.
function typed(type: string, value: FlagValue): FlagValue | undefined {
  if (type === 'string') return typeof value === 'boolean' ? undefined : String(value);
  if (type === 'boolean')
    return typeof value === 'boolean'
      ? value
      : ({ true: true, false: false } as Record<string, boolean>)[String(value)];
  const number = typeof value === 'number' ? value : /^-?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : NaN;
  if (Number.isNaN(number)) return undefined;
  return type === 'integer' && !Number.isInteger(number) ? undefined : number;
}
