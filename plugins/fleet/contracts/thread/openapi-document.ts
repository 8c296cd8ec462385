import { ForeignSchemas, type ForeignValidator, type PatternWatch } from '../../../../kernel/foreign-schema/index.js';
import { isObject, type JsonObject } from '../json-object.js';
import { operationOf } from '../operation-name.js';
import { closedSchema, openSchema } from './closed-schema.js';
import type { BodyCheck } from './protocol.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

const NAMES = new Set(['$id', '$anchor', '$dynamicAnchor']);

/** Operations of one document; those above are not known. */
const MAX_OPERATIONS = 10_000;

/** A service's OpenAPI document: finds the schema of a body, compiles it when it is first needed. */
export class OpenApiDocument {
  readonly #operations: ReadonlyMap<string, JsonObject>;
  /** Schemas of bodies by the object that the document has them in; their positions are their names. */
  readonly #places = new Map<JsonObject, number>();
  readonly #bodies: JsonObject[] = [];
  #schemas: ForeignSchemas | undefined;
  #isWhole = false;

  /** @param document - the parsed document; anything that is not one has no operations */
  constructor(
    private readonly document: JsonObject,
    private readonly patterns?: PatternWatch,
  ) {
    this.#operations = operationsOf(document);
    for (const operation of this.#operations.values()) {
      for (const body of this.#bodiesOf(operation)) this.#place(body);
    }
  }

  /** Names of the operations; see `operationOf`. */
  get operations(): readonly string[] {
    return [...this.#operations.keys()];
  }

  /**
   * The validator of a body; undefined when the document says nothing about it.
   * @throws Error when the schema cannot be compiled
   */
  validator({ direction, method, route, status }: Omit<BodyCheck, 'document' | 'text'>): ForeignValidator | undefined {
    const operation = this.#operations.get(operationOf(method, route));
    if (operation === undefined) return undefined;
    const body = direction === 'request' ? operation['requestBody'] : responseOf(operation, status);
    const schema = jsonContent(this.#resolved(body));
    const place = isObject(schema) ? this.#places.get(schema) : undefined;
    return place === undefined ? undefined : this.#compiled(`/bodies/${place}`);
  }

  #place(body: unknown): void {
    const schema = jsonContent(this.#resolved(body));
    if (!isObject(schema) || this.#places.has(schema)) return;
    this.#places.set(schema, this.#bodies.length);
    this.#bodies.push(closedSchema(schema));
  }

  #bodiesOf({ requestBody, responses }: JsonObject): readonly unknown[] {
    return [requestBody, ...(isObject(responses) ? Object.values(responses) : [])];
  }

  #compiled(pointer: string): ForeignValidator {
    try {
      return (this.#schemas ??= new ForeignSchemas(this.#schemaDocument(), this.patterns)).validator(pointer);
    } catch (error) {
      if (this.#isWhole) throw error;
      this.#isWhole = true;
      this.#schemas = undefined;
      return this.#compiled(pointer);
    }
  }

  // What `$ref`s point into: nearly always `components/schemas`. The rest is full of examples, whose members look like names of
  // schemas (`$id`); it is taken along when a schema cannot do without.
  #schemaDocument(): JsonObject {
    const components = isObject(this.document['components']) ? this.document['components'] : {};
    const schemas = isObject(components['schemas']) ? components['schemas'] : {};
    const open = Object.entries(schemas).map(([name, each]) => [name, isObject(each) ? openSchema(each) : each]);
    const rest = this.#isWhole ? { ...unnamed(this.document), components: unnamed(components) } : { components: {} };
    return { ...rest, components: { ...rest.components, schemas: Object.fromEntries(open) as JsonObject }, bodies: this.#bodies }; // prettier-ignore
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

// Names of schemas stand in examples too, where they name nothing and may be no URL.
function unnamed(value: JsonObject): JsonObject {
  const copy = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(copy);
    return isObject(each) ? unnamed(each) : each;
  };
  const members = Object.entries(value).filter(([name, each]) => typeof each !== 'string' || !NAMES.has(name));
  return Object.fromEntries(members.map(([name, each]) => [name, copy(each)]));
}

function operationsOf(document: JsonObject): ReadonlyMap<string, JsonObject> {
  const operations = new Map<string, JsonObject>();
  for (const [path, item] of Object.entries(isObject(document['paths']) ? document['paths'] : {})) {
    for (const method of METHODS) {
      const operation = isObject(item) ? item[method] : undefined;
      if (isObject(operation) && operations.size < MAX_OPERATIONS) operations.set(operationOf(method, path), operation);
    }
  }
  return operations;
}

/** The response for the exact status, else for its class (`5XX`), else the default one. */
function responseOf({ responses }: JsonObject, status: number): unknown {
  if (!isObject(responses)) return undefined;
  const family = `${Math.floor(status / 100)}XX`;
  return responses[String(status)] ?? responses[family] ?? responses[family.toLowerCase()] ?? responses['default'];
}

function jsonContent(body: unknown): unknown {
  const content = isObject(body) ? body['content'] : undefined;
  if (!isObject(content)) return undefined;
  const media = Object.entries(content).find(([type]) => isJson(type))?.[1];
  const chosen = media ?? Object.values(content)[0];
  return isObject(chosen) ? chosen['schema'] : undefined;
}

// RFC 6839, section 3.1.
function isJson(mediaType: string): boolean {
  const [essence = ''] = mediaType.toLowerCase().split(';', 1);
  const name = essence.trim();
  return name === 'application/json' || (name.startsWith('application/') && name.endsWith('+json'));
}

function pointed(document: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), document);
}
