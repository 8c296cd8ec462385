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
  const known = Object.keys(manifest.options.properties);
  throw fwError(CONFIG_ERRORS.FW_CONFIG_OPTIONS, {
    plugin: manifest.id,
    problems: issues.map((issue) => inWords(issue, known)).join('; '),
    issues,
  });
}

// Defaults are filled in place, and app.config.ts may share one object between entries; callbacks and class instances stay.
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copied(item)]));
}

function inWords({ path, keyword, message }: SchemaIssue, known: readonly string[]): string {
  const name = path.slice(1).replaceAll('/', '.');
  if (keyword !== 'additionalProperties' || name.includes('.')) return `${name || 'the options'} ${message}`;
  return `${name} is not an option of this plugin (known: ${known.join(', ') || 'none'})`;
}
