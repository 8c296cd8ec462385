import { fwError } from '../../../../kernel/index.js';
import { KNOWLEDGE_ERRORS } from '../errors.js';
import { checkDocument } from './check.js';
import type { ProjectDocument } from './schema.js';

/** The project document in the arguments of a tool: an object or YAML text. */
export interface DocumentArguments {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly config_yaml?: string;
}

/** A read document with all its problems. */
export interface ReadDocument {
  readonly document: ProjectDocument;
  /** One sentence each; empty when the document can be used. */
  readonly errors: readonly string[];
}

/**
 * Reads the project document of a call; empty when the call has none.
 * @throws FwError `FW_TOOLS_DOCUMENT` when the call has two, or the text is not YAML
 */
export async function readDocument({ config, config_yaml: text = '' }: DocumentArguments): Promise<ReadDocument> {
  const given = config !== undefined && Object.keys(config).length > 0;
  if (given && text.trim() !== '') throw refused('config and config_yaml are both there; give one of them');
  const value = text.trim() === '' ? (config ?? {}) : await parsed(text);
  const document = structuredClone(value) as ProjectDocument;
  return { document, errors: checkDocument(document) };
}

async function parsed(text: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    // No aliases: a few lines of them can expand to gigabytes.
    return (parse(text, { maxAliasCount: 0 }) as unknown) ?? {};
  } catch (cause) {
    throw refused(`config_yaml is not YAML: ${(cause as Error).message.split('\n')[0] ?? ''}`);
  }
}

function refused(problem: string): Error {
  return fwError(KNOWLEDGE_ERRORS.FW_TOOLS_DOCUMENT, { problem });
}
