import { PLUGIN_CATEGORIES, TOOL_CATEGORIES, type ToolCategory } from '../../../kernel/contracts/category.js';
import { fwError, suggestion } from '../../../kernel/errors/index.js';
import { MCP_ERRORS } from '../errors.js';

/** All eight categories, sorted alphabetically: the handshake's `known` (SPEC "Handshake object"). */
export const KNOWN_CATEGORIES: readonly ToolCategory[] = TOOL_CATEGORIES;

/** Scope of the tools that read traces of a Fleet Aggregator. */
export const CapFleet = 'fleet';
/** Scope of the tools that write project files. */
export const CapGeneration = 'generation';
/** Scope of the tools that read what exists in a project. */
export const CapIntrospection = 'introspection';
/** Scope of the tools that know the framework and maintain llms.txt. */
export const CapKnowledge = 'knowledge';
/** Scope of the tools that preview changes and hold change sets open. */
export const CapPlanning = 'planning';
/** Scope of the tools that build and run containers. */
export const CapProvisioning = 'provisioning';
/** Scope of the tools that read a running application. */
export const CapRuntime = 'runtime';
/** Scope of the tools that run project code. */
export const CapVerification = 'verification';

const MADE_HERE = Symbol.for('fw.Scope');

/** What a credential reaches: categories, never tool names (SPEC "Authentication", 4). */
export interface Scope {
  /** True when the credential is narrowed. */
  readonly scoped: boolean;
  /** Granted categories, sorted. */
  readonly granted: readonly ToolCategory[];
  grants(category: ToolCategory): boolean;
}

/**
 * A scope of one or more categories.
 *
 * @throws FwError `FW_MCP_SCOPE` when no category is given or one does not exist
 */
export function newScope(...categories: readonly ToolCategory[]): Scope {
  if (categories.length === 0) throw scopeError('it names no category, which would grant nothing');
  const unknown = categories.filter((each) => !KNOWN_CATEGORIES.includes(each));
  if (unknown.length > 0) throw scopeError(unknown.map(notACategory).join('; '));
  const granted = KNOWN_CATEGORIES.filter((each) => categories.includes(each));
  return made({ scoped: true, granted, grants: (category) => granted.includes(category) });
}

/** The scope that grants all eight categories. */
export function unscopedScope(): Scope {
  return made({ scoped: false, granted: KNOWN_CATEGORIES, grants: () => true });
}

/**
 * The scope of a configuration that may leave it out, which grants all eight categories. Any other value has to come from {@link newScope}:
 * a blank text or an empty list is a mistake and must not grant everything.
 *
 * @throws FwError `FW_MCP_SCOPE`
 */
export function scopeOrAll(scope: Scope | undefined): Scope {
  if (scope === undefined) return unscopedScope();
  if (typeof scope === 'object' && scope !== null && MADE_HERE in scope) return scope;
  throw scopeError(`${JSON.stringify(scope) ?? typeof scope} was not made by newScope`);
}

function made(scope: Scope): Scope {
  return Object.freeze(Object.defineProperty(scope, MADE_HERE, { value: true }));
}

/**
 * Reads a scope as `--scope` takes it: categories separated by commas, in any case; blanks between them are skipped.
 *
 * @throws FwError `FW_MCP_SCOPE` when a category does not exist, or none is named: a variable that is not set must not grant
 * everything
 */
export function parseScope(text: string): Scope {
  const names = text
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '');
  return newScope(...(names as ToolCategory[]));
}

function notACategory(word: string): string {
  if ((PLUGIN_CATEGORIES as readonly string[]).includes(word))
    return `"${word}" is a category of plugins, but none of tools`;
  return `"${word}" is not a category${hint(suggestion(word, KNOWN_CATEGORIES))}`;
}

// Turns a suggestion, a sentence of its own, into a part of this sentence.
function hint(sentence: string): string {
  return sentence === '' ? '' : ` (${sentence.trim()})`;
}

function scopeError(problem: string) {
  return fwError(MCP_ERRORS.FW_MCP_SCOPE, { problem, known: KNOWN_CATEGORIES });
}
