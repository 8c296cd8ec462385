import { fwError } from '../../../kernel/index.js';
import { readDocument } from '../knowledge/index.js';
import { GENERATION_ERRORS } from './errors.js';

/**
 * The project document of a call, checked.
 * @throws FwError `FW_TOOLS_DOCUMENT` when it cannot be read, `FW_TOOLS_DOCUMENT_INVALID` with everything that is wrong in it
 */
export async function documentIn(given: {
  readonly config?: object | undefined;
  readonly config_yaml?: string | undefined;
}) {
  const { document, errors } = await readDocument(given as Parameters<typeof readDocument>[0]);
  if (errors.length > 0) throw fwError(GENERATION_ERRORS.FW_TOOLS_DOCUMENT_INVALID, { problems: errors.join('; ') });
  return document;
}
