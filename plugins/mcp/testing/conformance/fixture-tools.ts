import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Extra } from '../../session/call-session.js';
import { audio, embedded, image, text } from './contents.js';

/** A tool of the fixture: what it lists and what it answers. */
export interface FixtureTool {
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  call(extra: Extra): Promise<object> | object;
}

const plain = (content: readonly object[], isError = false): FixtureTool => ({
  call: () => ({ content, ...(isError && { isError }) }),
});

/** Asks the client, and returns its answer. */
const asking = (method: string, params: object, words: (answer: Record<string, unknown>) => string): FixtureTool => ({
  call: async (extra) => {
    const answer = await extra.sendRequest({ method, params } as never, ResultSchema);
    return { content: [text(words(answer))] };
  },
});

const elicited = (properties: object): FixtureTool =>
  asking(
    'elicitation/create',
    { message: 'Please answer', requestedSchema: { type: 'object', properties, required: [] } },
    ({ action, content }) => `Elicitation completed: action=${String(action)}, content=${JSON.stringify(content)}`,
  );

const PLACES = ['first', 'second', 'third'];
const values = (stem: string) => PLACES.map((_, index) => `${stem}${index + 1}`);
const titled = PLACES.map((title, index) => ({ const: `value${index + 1}`, title }));

/** The tools that the public conformance suite calls by name. */
export const FIXTURE_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: plain([text('This is a simple text response for testing.')]),
  test_image_content: plain([image]),
  test_audio_content: plain([audio]),
  test_embedded_resource: plain([
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  test_multiple_content_types: plain([
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  test_error_handling: plain([text('This tool intentionally returns an error for testing')], true),
  test_tool_with_logging: {
    call: async (extra) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
      }
      return { content: [text('Tool with logging executed successfully')] };
    },
  },
  test_tool_with_progress: {
    call: async (extra) => {
      const progressToken = extra._meta?.progressToken ?? 0;
      for (const progress of [0, 50, 100]) {
        const params = { progressToken, progress, total: 100 };
        await extra.sendNotification({ method: 'notifications/progress', params });
      }
      return { content: [text(String(progressToken))] };
    },
  },
  test_sampling: asking(
    'sampling/createMessage',
    { messages: [{ role: 'user', content: text('Test prompt') }], maxTokens: 100 },
    ({ content }) => `LLM response: ${JSON.stringify(content)}`,
  ),
  test_elicitation: asking(
    'elicitation/create',
    {
      message: 'Please provide your information',
      requestedSchema: {
        type: 'object',
        properties: { username: { type: 'string' }, email: { type: 'string' } },
        required: ['username', 'email'],
      },
    },
    (answer) => `User response: ${JSON.stringify(answer)}`,
  ),
  test_elicitation_sep1034_defaults: elicited({
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  test_elicitation_sep1330_enums: elicited({
    untitledSingle: { type: 'string', enum: values('option') },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: values('opt'), enumNames: PLACES },
    untitledMulti: { type: 'array', items: { type: 'string', enum: values('option') } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  }),
  json_schema_2020_12_tool: {
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
      },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
    call: () => ({ content: [text('ok')] }),
  },
};
