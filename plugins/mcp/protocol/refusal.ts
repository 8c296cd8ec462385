import type { ToolCategory } from '../../../kernel/index.js';
import { KNOWN_CATEGORIES, type Scope } from '../scope/scope.js';
import { type CallResult, textOf } from './call-result.js';

/** A tool tried to act as another one that the credential does not reach. */
export class Refused extends Error {
  constructor(
    readonly tool: string,
    readonly requires: ToolCategory,
  ) {
    super(`${tool} needs the ${requires} capability`);
  }
}

/**
 * Answer to a call of a tool outside the token's scope: a tool result, not a JSON-RPC error, which would invite a retry
 * (SPEC "Refused-call result").
 */
export function refusal(tool: string, requires: ToolCategory, scope: Scope): CallResult {
  const structured = {
    tool,
    refused: true,
    reason: "The tool is outside this token's granted capabilities.",
    requires,
    granted: scope.granted,
    known: KNOWN_CATEGORIES,
    retry_will_succeed: false,
  };
  const sentence = `${tool} was refused: it needs the ${requires} capability, which this token does not have. Retrying will not help; a token with that scope would.`;
  return {
    isError: true,
    content: [{ type: 'text', text: textOf(sentence, structured) }],
    structuredContent: structured,
  };
}
