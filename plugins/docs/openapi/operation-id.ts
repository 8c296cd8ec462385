import type { DocumentedRoute } from '../registry/index.js';
import { pascalCase } from '../schema/index.js';

// Cached, because splitting paths into words takes most of the time.
const words = new WeakMap<DocumentedRoute, string>();

/** Ids of operations: what a route says, else method and path in words, `GET /users/{id}` is `getUsersById`. */
export class OperationIds {
  readonly #used: Set<string>;

  /** @param all - every route that gets an id: explicit ids are reserved for their routes */
  constructor(all: readonly DocumentedRoute[] = []) {
    this.#used = new Set(all.map(({ operationId }) => operationId).filter((id) => id !== ''));
  }

  /** The id of a route; a number tells apart two whose words are the same. */
  of(route: DocumentedRoute): string {
    if (route.operationId !== '') return route.operationId;
    const wanted = words.get(route) ?? inWords(route);
    words.set(route, wanted);
    let id = wanted;
    for (let number = 2; this.#used.has(id); number++) id = `${wanted}${number}`;
    this.#used.add(id);
    return id;
  }
}

function inWords({ method, path }: DocumentedRoute): string {
  const parts = path.split('/').map((segment) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    return name === undefined ? pascalCase(segment) : `By${pascalCase(name)}`;
  });
  return `${method.toLowerCase()}${parts.join('') || 'Root'}`;
}
