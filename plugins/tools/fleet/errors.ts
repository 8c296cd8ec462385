import { defineErrors } from '../../../kernel/index.js';

export const FLEET_TOOL_ERRORS = defineErrors('plugins/tools/fleet', {
  FW_TOOLS_TRACE_ID: {
    message: '{given} is not a trace id: {problem}. Expected 32 hex digits, as fw_get_traces gives them.',
    status: 400,
    cause: 'A fleet tool was called with something else than a W3C trace id.',
    remedy: 'Take trace_id from fw_get_traces, a log line or a traceparent header (its second part).',
  },
});
