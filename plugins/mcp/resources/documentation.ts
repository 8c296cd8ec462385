import { INVALID_PARAMS, JsonRpcError, RESOURCE_NOT_FOUND } from '../protocol/json-rpc.js';

/** A resource as `resources/list` shows it (MCP 2024-11-05 "Resources"). */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: 'text/markdown';
}

type Params = Readonly<Record<string, unknown>> | undefined;

const PREFIX = 'fw://docs/';
const TEMPLATE = `${PREFIX}{+page}{#section}`;
/** MCP 2024-11-05 "Completion": most values of one answer. */
const MOST_VALUES = 100;

// Loaded with the first question: most clients ask tools and nothing else.
const knowledge = async () => {
  const { frameworkKnowledge, partsOf, sectionText } = await import('../../../kernel/knowledge/index.js');
  return { known: await frameworkKnowledge(), partsOf, sectionText };
};

/** What is answered to the methods about resources: the pages of the documentation of the installed fw. */
export const DOCUMENTATION: Readonly<Record<string, (params: Params) => Promise<Record<string, unknown>>>> = {
  'resources/list': async () => {
    const { known } = await knowledge();
    const resources = known.pages.map(({ file, title }): ListedResource => {
      return { uri: uriOf(file), name: title, mimeType: 'text/markdown' };
    });
    return { resources };
  },

  'resources/templates/list': () =>
    Promise.resolve({
      resourceTemplates: [
        {
          uriTemplate: TEMPLATE,
          name: 'Documentation of fw',
          description: 'A page, or what stands below one heading of it; completion has both',
          mimeType: 'text/markdown',
        },
      ],
    }),

  'resources/read': async (params) => {
    const uri = params?.['uri'];
    if (typeof uri !== 'string')
      throw new JsonRpcError(INVALID_PARAMS, 'resources/read needs params.uri; resources/list has them.');
    const { known, sectionText } = await knowledge();
    const found = uri.startsWith(PREFIX) ? known.pageOf(`docs/${uri.slice(PREFIX.length)}`) : undefined;
    const whole = found && (await known.textOf(found.page));
    const text = found?.anchor === undefined ? whole : sectionText(whole ?? '', found.anchor);
    if (text === undefined)
      throw new JsonRpcError(
        RESOURCE_NOT_FOUND,
        `There is no resource ${JSON.stringify(uri)}; resources/list has them.`,
      );
    return { contents: [{ uri, mimeType: 'text/markdown', text }] };
  },

  'completion/complete': async (params) => {
    const { name, value, page } = completed(params);
    const { known, partsOf } = await knowledge();
    const all =
      name === 'page'
        ? known.pages.map(({ file }) => shortOf(file))
        : name === 'section'
          ? await sectionsOf(page, known, partsOf)
          : [];
    const fitting = all.filter((each) => each.toLowerCase().includes(value.toLowerCase()));
    const values = fitting.slice(0, MOST_VALUES);
    return { completion: { values, total: fitting.length, hasMore: fitting.length > values.length } };
  },
};

const shortOf = (file: string): string => file.replace(/^docs\//, '');
const uriOf = (file: string): string => `${PREFIX}${shortOf(file)}`;

type Known = Awaited<ReturnType<typeof knowledge>>;

async function sectionsOf(page: string, known: Known['known'], partsOf: Known['partsOf']): Promise<readonly string[]> {
  const found = known.pageOf(`docs/${page}`);
  return found ? partsOf(await known.textOf(found.page)).map(({ anchor }) => anchor) : [];
}

/** What a request for completion asks; everything of it is a text. */
function completed(params: Params): { readonly name: string; readonly value: string; readonly page: string } {
  const { ref, argument, context } = (params ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const { name, value } = argument ?? {};
  const given = context?.['arguments'] as Record<string, unknown> | undefined;
  const page = given?.['page'];
  if (
    ref?.['type'] !== 'ref/resource' ||
    ref['uri'] !== TEMPLATE ||
    typeof name !== 'string' ||
    typeof value !== 'string'
  )
    throw new JsonRpcError(INVALID_PARAMS, `Completion is for the arguments page and section of ${TEMPLATE}.`);
  return { name, value, page: typeof page === 'string' ? page : '' };
}
