import { TOOL_CATEGORIES, type ToolCategory } from '../../../kernel/contracts/category.js';
import { fwError } from '../../../kernel/errors/index.js';
import { MCP_ERRORS } from '../errors.js';

/** All eight categories, sorted alphabetically: the handshake's `known` (SPEC "Handshake object"). */
export const KNOWN_CATEGORIES: readonly ToolCategory[] = TOOL_CATEGORIES;

export const CapFleet = 'fleet';
export const CapGeneration = 'generation';
export const CapIntrospection = 'introspection';
export const CapKnowledge = 'knowledge';
export const CapPlanning = 'planning';
export const CapProvisioning = 'provisioning';
export const CapRuntime = 'runtime';
export const CapVerification = 'verification';

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
  if (unknown.length > 0) throw scopeError(`"${unknown.join('", "')}" is not a category`);
  const granted = KNOWN_CATEGORIES.filter((each) => categories.includes(each));
  return { scoped: true, granted, grants: (category) => granted.includes(category) };
}

/** The scope that grants all eight categories. */
export function unscopedScope(): Scope {
  return { scoped: false, granted: KNOWN_CATEGORIES, grants: () => true };
}

/**
 * Reads a scope as `--scope` takes it: categories separated by commas, in any case; blanks are skipped, and a blank text
 * grants all.
 *
 * @throws FwError `FW_MCP_SCOPE` when a category does not exist
 */
export function parseScope(text: string): Scope {
  const names = text
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '');
  return names.length === 0 ? unscopedScope() : newScope(...(names as ToolCategory[]));
}

function scopeError(problem: string) {
  return fwError(MCP_ERRORS.FW_MCP_SCOPE, { problem, known: KNOWN_CATEGORIES });
}
