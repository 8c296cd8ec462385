import { image } from './contents.js';

/** Contents of the resources that the public conformance suite reads, by URI; undefined for any other. */
export function fixtureResource(uri: string): object | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { uri, mimeType: 'application/json', text: JSON.stringify(data) };
  }
  return FIXED[uri] && { uri, ...FIXED[uri] };
}

const FIXED: Readonly<Record<string, { readonly mimeType: string; readonly text?: string; readonly blob?: string }>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: image.mimeType, blob: image.data },
  'test://watched-resource': { mimeType: 'text/plain', text: 'This one is watched.' },
};

/** The same resources for `resources/list`. */
export const FIXTURE_RESOURCES = Object.entries(FIXED).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType }));

/** As `resources/templates/list` shows it. */
export const FIXTURE_TEMPLATE = {
  uriTemplate: 'test://template/{id}/data',
  name: 'data',
  mimeType: 'application/json',
};
