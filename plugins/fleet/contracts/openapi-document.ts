import { isObject, type JsonObject } from './json-object.js';
import { PayloadSchema } from './payload-schema.js';

/** Schemas that are kept compiled of one document. */
const MAX_COMPILED = 1_000;

const NONE = Symbol('no schema');

/** A service's OpenAPI document: finds the schema of a body, compiles it when it is first needed. */
export class OpenApiDocument {
  readonly #paths: ReadonlyMap<string, JsonObject>;
  readonly #compiled = new Map<string, PayloadSchema | typeof NONE>();

  /** @param document - the parsed document; anything that is not one has no operations */
  constructor(private readonly document: JsonObject) {
    const paths = isObject(document['paths']) ? Object.entries(document['paths']) : [];
    this.#paths = new Map(
      paths.flatMap(([path, item]): [string, JsonObject][] => (isObject(item) ? [[shapeOf(path), item]] : [])),
    );
  }

  /** Whether the document describes an operation. */
  describes(method: string, route: string): boolean {
    return this.#operation(method, route) !== undefined;
  }

  /** Schema of a request's body; undefined when the document says nothing about it. */
  requestSchema(method: string, route: string): PayloadSchema | undefined {
    return this.#remembered(`request ${method} ${route}`, () => {
      const operation = this.#operation(method, route);
      return jsonContent(this.#resolved(operation?.['requestBody']));
    });
  }

  /** Schema of a response's body: for the exact status, else for its class (`5XX`), else the default one. */
  responseSchema(method: string, route: string, status: number): PayloadSchema | undefined {
    return this.#remembered(`response ${status} ${method} ${route}`, () => {
      const responses = this.#operation(method, route)?.['responses'];
      if (!isObject(responses)) return undefined;
      const family = `${Math.floor(status / 100)}XX`;
      const response =
        responses[String(status)] ?? responses[family] ?? responses[family.toLowerCase()] ?? responses['default'];
      return jsonContent(this.#resolved(response));
    });
  }

  #remembered(key: string, find: () => unknown): PayloadSchema | undefined {
    let schema = this.#compiled.get(key);
    if (schema === undefined) {
      const found = find();
      schema = isObject(found) ? new PayloadSchema(found, this.document) : NONE;
      // Routes without a pattern are endless; what is compiled for them must not be.
      if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear();
      this.#compiled.set(key, schema);
    }
    return schema === NONE ? undefined : schema;
  }

  #operation(method: string, route: string): JsonObject | undefined {
    const item = this.#paths.get(shapeOf(route));
    const operation = item?.[method.toLowerCase()];
    return isObject(operation) ? operation : undefined;
  }

  // `requestBody` and responses may be references into `components`; schemas are resolved by the validator.
  #resolved(value: unknown): unknown {
    let at = value;
    for (let hops = 0; hops < 8 && isObject(at) && typeof at['$ref'] === 'string'; hops++) {
      at = pointed(this.document, at['$ref']);
    }
    return at;
  }
}

// `/users/:id`, `/users/{userId}` and `/files/*path` are compared by their shape: parameters may be named differently.
function shapeOf(route: string): string {
  const segments = route.split('/').map((segment) => (/^(:|\*|\{.*\}$)/.test(segment) ? '{}' : segment));
  return segments.join('/').replace(/(.)\/+$/, '$1');
}

function jsonContent(body: unknown): unknown {
  const content = isObject(body) ? body['content'] : undefined;
  if (!isObject(content)) return undefined;
  const media = Object.entries(content).find(([type]) => /^application\/(?:[\w.+-]+\+)?json\b/i.test(type))?.[1];
  const chosen = media ?? Object.values(content)[0];
  return isObject(chosen) ? chosen['schema'] : undefined;
}

function pointed(document: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), document);
}
