import type { Answer } from './answer.js';
import type { ControlPlane } from './control-plane.js';

// The code of each method is loaded with its first call, because most clients use only tools.
const resources =
  (method: 'listResources' | 'listTemplates' | 'readResource'): Answer =>
  async (params) =>
    (await import('../resources/documentation.js'))[method](params);

/** Methods besides `initialize`, `ping` and those of tools. */
const METHODS: Readonly<Record<string, Answer>> = {
  'logging/setLevel': (params, { session }) => Promise.resolve((session.setLevel(params), {})),
  'prompts/list': async (_, { plane }) => {
    const { listPrompts } = await import('../prompts/answers.js');
    return listPrompts(await plane.prompts());
  },
  'prompts/get': async (params, { plane }) => {
    const { getPrompt } = await import('../prompts/answers.js');
    return getPrompt(await plane.prompts(), params, plane.reachable);
  },
  'completion/complete': async (params, asker) => (await import('../completion/completion.js')).complete(params, asker),
};

/** Methods about the documentation, for credentials that reach the tools that search it. */
const RESOURCE_METHODS: Readonly<Record<string, Answer>> = {
  'resources/list': resources('listResources'),
  'resources/templates/list': resources('listTemplates'),
  'resources/read': resources('readResource'),
};

/** The handler of a method; undefined for one that is not served, or not for this credential. */
export function answerTo(method: string, plane: ControlPlane): Answer | undefined {
  const known = plane.documented ? { ...METHODS, ...RESOURCE_METHODS } : METHODS;
  return Object.hasOwn(known, method) ? known[method] : undefined;
}
