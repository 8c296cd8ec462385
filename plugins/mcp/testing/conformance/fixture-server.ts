import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Params } from '../../protocol/answer.js';
import { INVALID_PARAMS, JsonRpcError, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND } from '../../protocol/json-rpc.js';
import type { Extra } from '../../session/call-session.js';
import { FIXTURE_PROMPTS } from './fixture-prompts.js';
import { FIXTURE_RESOURCES, FIXTURE_TEMPLATE, fixtureResource } from './fixture-resources.js';
import { FIXTURE_TOOLS } from './fixture-tools.js';

type Answer = (params: Params, extra: Extra) => Promise<object> | object;

const named = <Found>(found: Found | undefined, name: unknown, code = INVALID_PARAMS): Found => {
  if (found === undefined) throw new JsonRpcError(code, `There is no ${JSON.stringify(name)}`);
  return found;
};

const METHODS: Readonly<Record<string, Answer>> = {
  'tools/list': () => ({
    tools: Object.entries(FIXTURE_TOOLS).map(([name, { inputSchema = { type: 'object' } }]) => {
      return { name, description: name, inputSchema };
    }),
  }),
  'tools/call': (params, extra) => named(FIXTURE_TOOLS[String(params?.['name'])], params?.['name']).call(extra),
  'prompts/list': () => ({
    prompts: Object.entries(FIXTURE_PROMPTS).map(([name, { arguments: wanted }]) => {
      const listed = wanted.map((each) => ({ name: each, description: each, required: true }));
      return { name, description: name, arguments: listed };
    }),
  }),
  'prompts/get': (params) => {
    const prompt = named(FIXTURE_PROMPTS[String(params?.['name'])], params?.['name']);
    const contents = prompt.contents((params?.['arguments'] ?? {}) as Readonly<Record<string, string>>);
    return { messages: contents.map((content) => ({ role: 'user', content })) };
  },
  'resources/list': () => ({ resources: FIXTURE_RESOURCES }),
  'resources/templates/list': () => ({ resourceTemplates: [FIXTURE_TEMPLATE] }),
  'resources/read': (params) => {
    const uri = String(params?.['uri']);
    return { contents: [named(fixtureResource(uri), uri, RESOURCE_NOT_FOUND)] };
  },
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'completion/complete': () => ({ completion: { values: ['paris', 'park'], total: 2, hasMore: false } }),
};

/** A server with everything that the public conformance suite uses by name. */
export function fixtureServer(): Server {
  const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {} };
  const server = new Server({ name: 'conformance-fixture', version: '1.0.0' }, { capabilities });
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    const answer = METHODS[method];
    if (!answer) throw new JsonRpcError(METHOD_NOT_FOUND, 'Method not found');
    return { ...(await answer(params, extra)) };
  };
  return server;
}
