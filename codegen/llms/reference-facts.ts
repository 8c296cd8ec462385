import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ModelFacts } from '../../kernel/contracts/index.js';
import { fwError } from '../../kernel/errors/index.js';
import type { UnresolvedNote } from '../routes/index.js';
import { LLMS_ERRORS } from './errors.js';

/** Name of the file in `generated/`. */
export const REFERENCE_FILE = 'reference.json';

/** Content of the llms files besides the routes. */
export interface ReferenceFacts {
  /** Options of the docs plugin that are known before run time: title, version, description, llmsDir. */
  readonly docs: Readonly<Record<string, string>>;
  /** Sorted by name. */
  readonly models: readonly ModelFacts[];
  /** Options that are only known at run time. */
  readonly unresolved: readonly UnresolvedNote[];
}

/**
 * The facts that `fw codegen` wrote.
 * @param folder - `generated/`, absolute
 * @throws FwError `FW_LLMS_DAMAGED`
 */
export function readReferenceFacts(folder: string): ReferenceFacts {
  const file = path.join(folder, REFERENCE_FILE);
  if (!existsSync(file)) return { docs: {}, models: [], unresolved: [] };
  return parseReferenceFacts(readFileSync(file, 'utf8'), file);
}

/** @throws FwError `FW_LLMS_DAMAGED` */
export function parseReferenceFacts(text: string, file: string): ReferenceFacts {
  try {
    const { docs, models, unresolved } = JSON.parse(text) as ReferenceFacts;
    if (typeof docs === 'object' && Array.isArray(models) && Array.isArray(unresolved))
      return { docs, models, unresolved };
  } catch (cause) {
    throw fwError(LLMS_ERRORS.FW_LLMS_DAMAGED, { path: file, problem: (cause as Error).message }, { cause });
  }
  throw fwError(LLMS_ERRORS.FW_LLMS_DAMAGED, { path: file, problem: 'a member is missing' });
}
