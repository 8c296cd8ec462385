import { isObject } from '../values/index.js';
import { PLUGIN_CATEGORIES } from '../contracts/category.js';
import { LONGEST_TIMER_MS } from '../contracts/clock.js';
import { fwError } from '../errors/index.js';
import { PLUGIN_ERRORS } from './errors.js';
import { isFrameworkRange, refuseOtherFramework } from './framework-range.js';
import { frameworkVersion } from './framework-version.js';

/** Checks of the keys that a manifest may have; each returns the problem, or undefined. */
const CHECKS: Readonly<Record<string, (value: unknown, manifest: Readonly<Record<string, unknown>>) => string[]>> = {
  id: (id) => (isId(id) ? [] : [`its id is ${shown(id)}; expected ${ID_FORM}`]),
  category: (category) =>
    (PLUGIN_CATEGORIES as readonly unknown[]).includes(category)
      ? []
      : [`its category is ${shown(category)}; expected one of: ${PLUGIN_CATEGORIES.join(', ')}`],
  description: (text) => (isSentence(text) ? [] : ['it has no description; expected one sentence for the boot report']),
  fw: (range) =>
    range === undefined || isFrameworkRange(range)
      ? []
      : [`its fw is ${shown(range)}; expected a range of releases of fw, e.g. "^${frameworkVersion()}"`],
  options: (options) => (options === undefined ? [] : optionsProblems(options)),
  needs: (ids, { id }) => idListProblems('needs', ids, id),
  optionalNeeds: (ids, { id }) => idListProblems('optionalNeeds', ids, id),
  uses: (tokens) => tokenListProblems('uses', tokens),
  provides: (tokens) => tokenListProblems('provides', tokens),
  brings: (hook) => hookProblems('brings', hook),
  oneWorker: (hook) => hookProblems('oneWorker', hook),
  otherWorkers: (part) => (part === undefined ? [] : otherWorkersProblems(part)),
  order: (order, { id }) => (order === undefined ? [] : orderProblems(order, id)),
  failure: (word) => oneOf('failure', word, ['fatal', 'degrade']),
  requestContext: (value) =>
    value === undefined || typeof value === 'boolean' || typeof value === 'function'
      ? []
      : [`its requestContext is ${shown(value)}; expected true, false or a function of the options`],
  startDeadlineMs: (value) => deadlineProblems('startDeadlineMs', value),
  stopDeadlineMs: (value) => deadlineProblems('stopDeadlineMs', value),
  register: (hook) => hookProblems('register', hook),
  start: (hook) => hookProblems('start', hook),
  ready: (hook) => hookProblems('ready', hook),
  drain: (hook) => hookProblems('drain', hook),
  stop: (hook) => hookProblems('stop', hook),
};

function otherWorkersProblems(part: unknown): string[] {
  const { provides, register } = (part ?? {}) as { readonly provides?: unknown; readonly register?: unknown };
  if (typeof register !== 'function') return ['its otherWorkers has no register'];
  return tokenListProblems('otherWorkers.provides', provides);
}

const REQUIRED = ['id', 'category', 'description'];
const ORDER_KEYS = ['after', 'before', 'because'];
const ID_FORM = 'lower-case words joined by dashes and slashes, e.g. middleware/cors, or the name of an npm package';

/**
 * Refuses an invalid manifest, and one that does not support this framework.
 * @throws FwError `FW_PLUGIN_FRAMEWORK`, `FW_PLUGIN_MANIFEST` with all that is wrong
 */
export function refuseWrongManifest(manifest: unknown): void {
  const { id, fw } = isObject(manifest) ? manifest : {};
  const plugin = typeof id === 'string' ? id : shown(id);
  // Checked first, because a plugin for a later release may have keys that this release does not know.
  refuseOtherFramework(plugin, fw);
  const problems = manifestProblems(manifest);
  if (problems.length > 0) throw fwError(PLUGIN_ERRORS.FW_PLUGIN_MANIFEST, { plugin, problem: problems.join('; ') });
}

/** The problems of a value that should be a manifest, each as the end of a sentence; empty when there are none. */
function manifestProblems(manifest: unknown): readonly string[] {
  if (!isObject(manifest)) return [`it is ${shown(manifest)}; expected an object with ${REQUIRED.join(', ')}`];
  const keys = new Set([...REQUIRED, ...Object.keys(manifest)]);
  return [...keys].flatMap((key) =>
    Object.hasOwn(CHECKS, key)
      ? (CHECKS[key]?.(manifest[key], manifest) ?? [])
      : [`it has the unknown key "${key}"; known keys: ${Object.keys(CHECKS).join(', ')}`],
  );
}

function optionsProblems(options: unknown): string[] {
  return isObject(options) && options['type'] === 'object' && isObject(options['properties'])
    ? []
    : ['its options are no schema of an object; expected Type.Object({ ... })'];
}

function idListProblems(key: string, ids: unknown, own: unknown): string[] {
  if (ids === undefined) return [];
  if (!Array.isArray(ids)) return [`its ${key} is ${shown(ids)}; expected a list of ids of plugins`];
  const odd = (ids as unknown[]).filter((id) => !isId(id));
  return [
    ...odd.map((id) => `its ${key} names ${shown(id)}; expected an id: ${ID_FORM}`),
    ...(ids.includes(own) ? [`its ${key} names itself`] : []),
  ];
}

function tokenListProblems(key: string, tokens: unknown): string[] {
  if (tokens === undefined) return [];
  if (!Array.isArray(tokens)) return [`its ${key} is ${shown(tokens)}; expected a list of tokens`];
  const list = tokens as unknown[];
  const odd = list.filter((token) => typeof token !== 'symbol');
  const twice = list.filter((token, index) => typeof token === 'symbol' && list.indexOf(token) !== index);
  return [
    ...odd.map((token) => `its ${key} names ${shown(token)}; expected a token, as token('package.Name') makes them`),
    ...twice.map((token) => `its ${key} names ${shown(token)} twice`),
  ];
}

function orderProblems(order: unknown, own: unknown): string[] {
  if (!isObject(order)) return [`its order is ${shown(order)}; expected { after, before, because }`];
  const after = order['after'];
  const both =
    Array.isArray(after) && Array.isArray(order['before']) ? order['before'].filter((id) => after.includes(id)) : [];
  return [
    ...Object.keys(order)
      .filter((key) => !ORDER_KEYS.includes(key))
      .map((key) => `its order has the unknown key "${key}"; known keys: ${ORDER_KEYS.join(', ')}`),
    ...idListProblems('order.after', after, own),
    ...idListProblems('order.before', order['before'], own),
    ...both.map((id) => `its order puts it after and before ${shown(id)}`),
    ...(isSentence(order['because']) ? [] : ['its order gives no reason; expected a sentence in order.because']),
  ];
}

function oneOf(key: string, word: unknown, words: readonly string[]): string[] {
  return word === undefined || (words as readonly unknown[]).includes(word)
    ? []
    : [`its ${key} is ${shown(word)}; expected one of: ${words.join(', ')}`];
}

function deadlineProblems(key: string, value: unknown): string[] {
  if (value === undefined || (typeof value === 'number' && value > 0 && value <= LONGEST_TIMER_MS)) return [];
  return [`its ${key} is ${shown(value)}; expected milliseconds, more than 0 and at most ${LONGEST_TIMER_MS}`];
}

function hookProblems(key: string, hook: unknown): string[] {
  return hook === undefined || typeof hook === 'function' ? [] : [`its ${key} is ${shown(hook)}; expected a function`];
}

function isId(id: unknown): id is string {
  return (
    typeof id === 'string' && /^(@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/.test(id)
  );
}

function isSentence(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '';
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
