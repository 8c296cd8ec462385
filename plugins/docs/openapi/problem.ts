import type { JsonSchema } from '../../../kernel/index.js';

/** Name of the component that describes errors. */
export const PROBLEM = 'Problem';

/** Schema of every error body (RFC 9457, with fw's code and the list of invalid inputs). */
export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'An error (RFC 9457).',
  required: ['type', 'title', 'status'],
  properties: {
    type: { type: 'string', description: 'Identifies the kind of error' },
    title: { type: 'string', description: 'The kind of error in words' },
    status: { type: 'integer', description: 'The HTTP status' },
    detail: { type: 'string', description: 'What happened this time' },
    instance: { type: 'string', description: 'Identifies this occurrence' },
    code: { type: 'string', description: 'Stable code of the error, e.g. FW_HTTP_INPUT_INVALID' },
    traceId: { type: 'string', description: 'Trace of the request, where it is traced' },
    errors: {
      type: 'array',
      description: 'The inputs that are not valid',
      items: {
        type: 'object',
        required: ['in', 'field', 'rule', 'message'],
        properties: {
          in: { type: 'string', description: 'body, query, params or header' },
          field: { type: 'string' },
          rule: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
  },
};
