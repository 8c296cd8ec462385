import { INVALID_PARAMS, JsonRpcError, RESOURCE_NOT_FOUND } from '../protocol/json-rpc.js';
import type { Params } from '../protocol/answer.js';

/** A resource as `resources/list` shows it (MCP 2024-11-05 "Resources"). */
interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: 'text/markdown';
}

const PREFIX = 'fw://docs/';
/** Template of the documentation of the installed fw. */
export const DOCUMENT_TEMPLATE = `${PREFIX}{+page}{#section}`;

const knowledge = async () => {
  const { frameworkKnowledge, partsOf, sectionText } = await import('../../../kernel/knowledge/index.js');
  return { known: await frameworkKnowledge(), partsOf, sectionText };
};

/** `resources/list`: the pages, guides and generated references alike. */
export async function listResources(): Promise<object> {
  const { known } = await knowledge();
  const resources = known.pages.map(({ file, title }): ListedResource => {
    return { uri: uriOf(file), name: title, mimeType: 'text/markdown' };
  });
  return { resources };
}

/** `resources/templates/list`: a page, or a part of it. */
export function listTemplates(): Promise<object> {
  return Promise.resolve({
    resourceTemplates: [
      {
        uriTemplate: DOCUMENT_TEMPLATE,
        name: 'Documentation of fw',
        description: 'A page, or what stands below one heading of it; completion has both',
        mimeType: 'text/markdown',
      },
    ],
  });
}

/** `resources/read`. @throws JsonRpcError -32602 without a URI, -32002 for one that does not exist */
export async function readResource(params: Params): Promise<object> {
  const uri = params?.['uri'];
  if (typeof uri !== 'string')
    throw new JsonRpcError(INVALID_PARAMS, 'resources/read needs params.uri; resources/list has them.');
  const { known, sectionText } = await knowledge();
  const found = uri.startsWith(PREFIX) ? known.pageOf(`docs/${uri.slice(PREFIX.length)}`) : undefined;
  const whole = found && (await known.textOf(found.page));
  const text = found?.anchor === undefined ? whole : sectionText(whole ?? '', found.anchor);
  if (text === undefined)
    throw new JsonRpcError(RESOURCE_NOT_FOUND, `There is no resource ${JSON.stringify(uri)}; resources/list has them.`);
  return { contents: [{ uri, mimeType: 'text/markdown', text }] };
}

/** Values of an argument of {@link DOCUMENT_TEMPLATE}. @param given - the arguments that are filled in already */
export async function documentValues(
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const { known, partsOf } = await knowledge();
  if (name === 'page') return known.pages.map(({ file }) => shortOf(file));
  const found = name === 'section' ? known.pageOf(`docs/${String(given['page'] ?? '')}`) : undefined;
  return found ? partsOf(await known.textOf(found.page)).map(({ anchor }) => anchor) : [];
}

const shortOf = (file: string): string => file.replace(/^docs\//, '');
const uriOf = (file: string): string => `${PREFIX}${shortOf(file)}`;
