import type { ToolCall } from '../../../kernel/contracts/tool-calls.js';
import type { ControlEvent } from '../protocol/events.js';

/** The call in an event of the endpoint, for observers of the application; undefined for other events. */
export function toolCallOf(event: ControlEvent): ToolCall | undefined {
  switch (event.kind) {
    case 'call': {
      const { tool, outcome, ms, argumentNames } = event;
      return { tool, outcome, durationMs: ms, argumentNames };
    }
    case 'refused':
      return { tool: event.tool, outcome: 'refused', durationMs: 0, argumentNames: [], requires: event.requires };
    case 'unknown':
      return { tool: event.tool, outcome: 'unknown', durationMs: 0, argumentNames: [] };
    default:
      return undefined;
  }
}
