import type { Direction } from '../../../../kernel/contracts/fleet-wire.js';
import { ForeignSchemas, type ForeignValidator, type PatternWatch } from '../../../../kernel/foreign-schema/index.js';
import { isObject } from '../../../../kernel/values/index.js';
import type { JsonObject } from '../json-object.js';
import { nameOf, type OperationFacts, shapeOf, statusKey } from '../operations.js';
import { referred } from './json-pointer.js';
import { SchemaReader } from './schema-reader.js';
import type { BodyCheck } from './protocol.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

const NAMES = new Set(['$id', '$anchor', '$dynamicAnchor']);

/** Many servers read these where their document says JSON, with fields that are text whatever the schema says. */
const FORMS: ReadonlySet<string | undefined> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data']);

/** Most operations of one document (further ones are ignored), servers, and values of a server variable. */
const MAX_OPERATIONS = 10_000;
const MAX_SERVERS = 8;
const MAX_VARIABLE_VALUES = 8;
/** References to a path item, a body or a response that are followed. */
const MAX_HOPS = 8;

interface Operation {
  readonly facts: OperationFacts;
  readonly requestBody: unknown;
  readonly responses: JsonObject;
}

/** A validator of bodies, and its schemas. */
export interface Check {
  readonly validator: ForeignValidator;
  readonly schemas: ForeignSchemas;
}

/** The check of a body; or, for a media type that the document does not declare, the declared ones. */
type BodyContract = Check | { readonly mediaTypes: readonly string[] };

/** A service's OpenAPI document: finds the schema of a body and compiles it on first use. */
export class OpenApiDocument {
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #directions: Readonly<Record<Direction, DirectedSchemas>>;

  /** @param document - the parsed document; anything that is not one has no operations */
  constructor(
    private readonly document: JsonObject,
    patterns?: PatternWatch,
  ) {
    this.#operations = this.#operationsOf();
    this.#directions = {
      request: new DirectedSchemas(document, 'request', patterns),
      response: new DirectedSchemas(document, 'response', patterns),
    };
    for (const { requestBody, responses } of this.#operations.values()) {
      for (const { schema } of this.#contentOf(requestBody)) this.#directions.request.place(schema);
      for (const body of Object.values(responses)) {
        for (const { schema } of this.#contentOf(body)) this.#directions.response.place(schema);
      }
    }
  }

  get operations(): readonly OperationFacts[] {
    return [...this.#operations.values()].map(({ facts }) => facts);
  }

  /**
   * The contract of a body; undefined when the document declares nothing that can be checked.
   * @throws Error when the schema cannot be compiled
   */
  contract({
    direction,
    operation,
    status,
    mediaType,
  }: Omit<BodyCheck, 'document' | 'text'>): BodyContract | undefined {
    const found = this.#operations.get(operation);
    const content = found
      ? this.#contentOf(direction === 'request' ? found.requestBody : responseOf(found, status))
      : [];
    if (content.length === 0 || (direction === 'request' && FORMS.has(mediaType))) return undefined;
    const chosen = chosenContent(content, mediaType);
    if (chosen === undefined) return { mediaTypes: content.map(({ type }) => type) };
    // The schema of another media type says nothing about JSON.
    if (mediaType !== undefined && !isJson(mediaType)) return undefined;
    return this.#directions[direction].compiled(chosen.schema);
  }

  #contentOf(body: unknown): readonly Content[] {
    const resolved = this.#resolved(body);
    const content = isObject(resolved) && isObject(resolved['content']) ? resolved['content'] : {};
    return Object.entries(content).map(([type, media]) => ({
      type: essenceOf(type),
      schema: isObject(media) ? media['schema'] : undefined,
    }));
  }

  #operationsOf(): ReadonlyMap<string, Operation> {
    const operations = new Map<string, Operation>();
    const paths = isObject(this.document['paths']) ? this.document['paths'] : {};
    for (const [path, given] of Object.entries(paths)) {
      // Members beside a reference are added to its target (OpenAPI 3.1, section 4.8.9).
      const target = this.#resolved(given);
      const item = isObject(given) && isObject(target) ? { ...target, ...given } : {};
      for (const method of METHODS) {
        const operation = item[method];
        if (!isObject(operation) || operations.size >= MAX_OPERATIONS) continue;
        const servers = operation['servers'] ?? item['servers'] ?? this.document['servers'];
        const prefixes = [...new Set(['', ...serverPaths(servers)])];
        const shapes = prefixes.map((prefix) => shapeOf(`${prefix}${path}`)) as [string, ...string[]];
        const responses = isObject(operation['responses']) ? operation['responses'] : {};
        const facts = { method: method.toUpperCase(), paths: shapes, statuses: Object.keys(responses) };
        operations.set(nameOf(facts), { facts, requestBody: operation['requestBody'], responses });
      }
    }
    return operations;
  }

  // Path items, bodies and responses may be references; schemas are resolved by the validator.
  #resolved(value: unknown): unknown {
    let at = value;
    for (let hops = 0; hops < MAX_HOPS && isObject(at) && typeof at['$ref'] === 'string'; hops++) {
      at = referred(this.document, at['$ref']);
    }
    return at;
  }
}

/** The schemas of the bodies of one direction. */
class DirectedSchemas {
  /** Index of each schema of a body, by its object in the document; the index serves as its name. */
  readonly #places = new Map<JsonObject, number>();
  readonly #bodies: JsonObject[] = [];
  readonly #reader: SchemaReader;
  #schemas: ForeignSchemas | undefined;
  #isWhole = false;

  constructor(
    private readonly document: JsonObject,
    direction: Direction,
    private readonly patterns: PatternWatch | undefined,
  ) {
    this.#reader = new SchemaReader(
      direction,
      (reference) => referred(document, reference),
      isReferenceAlone(document),
    );
  }

  place(schema: unknown): void {
    if (!isObject(schema) || this.#places.has(schema)) return;
    this.#places.set(schema, this.#bodies.length);
    this.#bodies.push(this.#reader.closed(schema));
  }

  /** @returns undefined for a value that is no collected schema */
  compiled(schema: unknown): Check | undefined {
    const place = isObject(schema) ? this.#places.get(schema) : undefined;
    return place === undefined ? undefined : this.#compiled(`/bodies/${place}`);
  }

  #compiled(pointer: string): Check {
    try {
      const schemas = (this.#schemas ??= new ForeignSchemas(this.#schemaDocument(), this.patterns));
      return { validator: schemas.validator(pointer), schemas };
    } catch (error) {
      if (this.#isWhole) throw error;
      this.#isWhole = true;
      this.#schemas = undefined;
      return this.#compiled(pointer);
    }
  }

  // What `$ref`s point into: nearly always `components/schemas`. The rest of a document has examples, whose members may look like names of
  // schemas (`$id`), so it is included only if a schema refers to it.
  #schemaDocument(): JsonObject {
    const components = isObject(this.document['components']) ? this.document['components'] : {};
    const schemas = isObject(components['schemas']) ? components['schemas'] : {};
    const open = Object.entries(schemas).map(([name, each]) => [name, isObject(each) ? this.#reader.open(each) : each]);
    const rest = this.#isWhole ? { ...unnamed(this.document), components: unnamed(components) } : { components: {} };
    return { ...rest, components: { ...rest.components, schemas: Object.fromEntries(open) as JsonObject }, bodies: this.#bodies }; // prettier-ignore
  }
}

// OpenAPI 3.0 ignores what stands beside a `$ref` (version 3.0.3, section 4.7.23), OpenAPI 3.1 applies it.
function isReferenceAlone({ openapi, swagger }: JsonObject): boolean {
  return swagger !== undefined || (typeof openapi === 'string' && openapi.startsWith('3.0'));
}

// Removes `$id` and the like in examples, where they name nothing and may be no URL.
function unnamed(value: JsonObject): JsonObject {
  const copy = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(copy);
    return isObject(each) ? unnamed(each) : each;
  };
  const members = Object.entries(value).filter(([name, each]) => typeof each !== 'string' || !NAMES.has(name));
  return Object.fromEntries(members.map(([name, each]) => [name, copy(each)]));
}

function responseOf({ facts, responses }: Operation, status: number): unknown {
  const key = statusKey(facts.statuses, status);
  return key === undefined ? undefined : responses[key];
}

interface Content {
  /** Media type or range, without parameters. */
  readonly type: string;
  readonly schema: unknown;
}

// The most specific media type counts (OpenAPI 3.1, section 4.8.13). Without one JSON is assumed, because no other body is recorded.
function chosenContent(content: readonly Content[], mediaType: string | undefined): Content | undefined {
  if (mediaType === undefined) return content.find(({ type }) => isJson(type)) ?? content[0];
  const [group = ''] = mediaType.split('/', 1);
  const wanted = [mediaType, `${group}/*`, '*/*'];
  return wanted.map((each) => content.find(({ type }) => type === each)).find((each) => each !== undefined);
}

// RFC 6839, section 3.1.
function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || (mediaType.startsWith('application/') && mediaType.endsWith('+json'));
}

function essenceOf(mediaType: string): string {
  const [essence = ''] = mediaType.toLowerCase().split(';', 1);
  return essence.trim();
}

// The paths of the servers, with their variables filled in: those that a client would put together (OpenAPI 3.1, section 4.8.5).
function serverPaths(servers: unknown): readonly string[] {
  const known = Array.isArray(servers) ? servers.slice(0, MAX_SERVERS).filter(isObject) : [];
  const urls = known.flatMap(({ url, variables }) => (typeof url === 'string' ? filled(url, variables) : []));
  return urls.slice(0, MAX_SERVERS).map(pathOf);
}

function filled(url: string, variables: unknown): readonly string[] {
  let urls: readonly string[] = [url];
  for (const [name, variable] of Object.entries(isObject(variables) ? variables : {}).slice(0, MAX_SERVERS)) {
    if (!isObject(variable)) continue;
    const given: unknown = variable['enum'] ?? variable['default'];
    const values = [variable['default'], given].flat().filter((value) => typeof value === 'string');
    const distinct = [...new Set(values)].slice(0, MAX_VARIABLE_VALUES);
    if (url.includes(`{${name}}`) && distinct.length > 0) {
      urls = urls.flatMap((each) => distinct.map((value) => each.replaceAll(`{${name}}`, value))).slice(0, MAX_SERVERS);
    }
  }
  return urls;
}

// Parsed by hand, because a URL parser rejects a host that is still a variable.
function pathOf(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/^\/\/[^/]*/, '');
  const [before = ''] = path.split(/[?#]/, 1);
  const end = before.length - (before.endsWith('/') ? 1 : 0);
  return before.startsWith('/') ? before.slice(0, end) : '';
}
