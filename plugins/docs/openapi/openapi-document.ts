import type { JsonSchema } from '../../../kernel/index.js';
import type { ApiFacts, ApiServer } from '../registry/index.js';

/** A document of OpenAPI 3.1.0; the parts that fw writes. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Pick<ApiFacts, 'title' | 'version' | 'termsOfService' | 'contact' | 'license'> & {
    readonly description?: string;
  };
  readonly servers: readonly ApiServer[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  /** Requests that the API makes itself, by name. */
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly securitySchemes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

/** Operations of a path by lower-case method. */
export type PathItem = Readonly<Record<string, Operation>>;

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, OpenApiResponse | { readonly $ref: string }>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** The handler keeps the event loop busy. */
  readonly 'x-fw-blocking'?: boolean;
  /** Accepts WebSocket connections. */
  readonly 'x-fw-websocket'?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** How an object is written in a query: `filter[status]=open`. */
  readonly style?: 'deepObject';
  readonly explode?: true;
  readonly schema: JsonSchema;
}

export interface RequestBody {
  readonly description?: string;
  readonly required: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, ResponseHeader>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface ResponseHeader {
  readonly description?: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}
