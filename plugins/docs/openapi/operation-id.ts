import type { DocumentedRoute } from '../registry/index.js';
import { pascalCase } from '../schema/index.js';

// Words of a path never change, and splitting them is what takes time.
const words = new WeakMap<DocumentedRoute, string>();

/** Ids of operations: method and path in words, `GET /users/{id}` is `getUsersById`. */
export class OperationIds {
  readonly #used = new Set<string>();

  /** The id of a route; a number tells apart two whose words are the same. */
  of(route: DocumentedRoute): string {
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
