import type { TObject } from 'typebox';
import { fwError } from '../errors/index.js';
import type { PluginManifest } from '../plugin/define-plugin.js';
import { type SchemaIssue, validatorOf } from '../schema/index.js';
import { CONFIG_ERRORS } from './errors.js';

/**
 * A plugin's options with defaults filled in.
 * @throws FwError `FW_CONFIG_OPTIONS` naming every wrong option, where it stands and what was expected
 */
export function resolveOptions(
  manifest: PluginManifest,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (!manifest.options) return {};
  const options = copied(given) as Record<string, unknown>;
  const issues = validatorOf(manifest.options).check(options);
  if (issues.length === 0) return Object.freeze(options);
  const paths = [...new Set(issues.map(({ path }) => path))];
  const problems = paths.map((path) => {
    const there = issues.filter((issue) => issue.path === path);
    return inWords(there, manifest.options as TObject);
  });
  throw fwError(CONFIG_ERRORS.FW_CONFIG_OPTIONS, { plugin: manifest.id, problems: problems.join('; '), issues });
}

// Defaults are filled in place, and app.config.ts may share one object between entries; callbacks and class instances stay.
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copied(item)]));
}

/** One sentence for all issues of one option. */
function inWords(issues: readonly SchemaIssue[], options: TObject): string {
  const [{ path }] = issues as readonly [SchemaIssue];
  const keys = path.split('/').slice(1);
  const name = keys.join('.');
  const has = (keyword: string) => issues.some((issue) => issue.keyword === keyword);
  if (has('additionalProperties') && keys.length === 1) {
    return `${name} is not an option of this plugin (known: ${Object.keys(options.properties).join(', ') || 'none'})`;
  }
  // Where a schema allows several forms, the sentence lists what each form asks for, without the message of `anyOf` itself.
  const asked = issues.filter(({ keyword }) => keyword !== 'anyOf').map(({ message }) => message);
  const said = has('anyOf') && asked.length > 0 ? asked.join(', or ') : issues.map(({ message }) => message).join('; ');
  const meaning = UNTOLD.some(has) ? descriptionOf(options, keys) : undefined;
  return `${name || 'the options'} ${said}${meaning === undefined ? '' : ` (${meaning})`}`;
}

/** Keywords whose message does not explain the option, so that its description is added. */
const UNTOLD = ['pattern', 'anyOf', 'oneOf', 'duration'];

/** The description of an option, or of the nearest object around it. */
function descriptionOf(options: TObject, keys: readonly string[]): string | undefined {
  let schema: Described = options;
  let found: string | undefined;
  for (const key of keys) {
    const below: Described | undefined = schema.properties?.[key] ?? (/^\d+$/.test(key) ? schema.items : undefined);
    if (below === undefined) return found;
    schema = below;
    found = below.description ?? found;
  }
  return found;
}

interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
}
