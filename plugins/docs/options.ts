import { Type } from 'typebox';
import { type ResolvedOptions, withDefault } from '../../kernel/index.js';
import { DEFAULT_TITLE, DEFAULT_VERSION } from './registry/index.js';

/** Where the OpenAPI document is served when nothing else is said. */
export const DEFAULT_JSON_PATH = '/openapi.json';
/** Where the UI is served when nothing else is said. */
export const DEFAULT_UI_PATH = '/docsui';

const SCHEME_TYPES = ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'] as const;

/** A Security Scheme Object (OpenAPI 3.1); what else it has depends on its type. */
export interface SecurityScheme {
  readonly type: (typeof SCHEME_TYPES)[number];
  readonly [member: string]: unknown;
}

/** Options of the plugin `fw/docs`. */
export const docsOptionsSchema = Type.Object({
  title: withDefault(Type.String({ description: 'Name of the API' }), DEFAULT_TITLE),
  version: withDefault(Type.String({ description: 'Version of the API' }), DEFAULT_VERSION),
  description: withDefault(Type.String({ description: 'Long description, in Markdown' }), ''),
  termsOfService: Type.Optional(Type.String({ description: 'Where the terms of service are' })),
  contact: Type.Optional(
    Type.Object(
      { name: Type.Optional(Type.String()), url: Type.Optional(Type.String()), email: Type.Optional(Type.String()) },
      { description: 'Whom to ask about the API' },
    ),
  ),
  license: Type.Optional(
    Type.Object(
      {
        name: Type.String(),
        identifier: Type.Optional(Type.String({ description: 'SPDX expression; in place of `url`' })),
        url: Type.Optional(Type.String()),
      },
      { description: 'Licence of the API' },
    ),
  ),
  servers: Type.Optional(
    Type.Array(
      Type.Object({
        url: Type.String({ minLength: 1 }),
        description: Type.Optional(Type.String()),
        variables: Type.Optional(
          Type.Record(
            Type.String(),
            Type.Object({
              default: Type.String(),
              enum: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
              description: Type.Optional(Type.String()),
            }),
          ),
        ),
      }),
      {
        minItems: 1,
        description: 'Where the service is (OpenAPI 3.1, Server Object); default where the document comes from',
      },
    ),
  ),
  securitySchemes: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^[a-zA-Z0-9._-]+$' }),
      Type.Unsafe<SecurityScheme>({
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string', enum: [...SCHEME_TYPES] } },
        additionalProperties: true,
      }),
      {
        description:
          'Security Scheme Objects by name, beside those that plugins bring; routes name them in `security`, which is documentation',
      },
    ),
  ),
  security: Type.Optional(
    Type.Array(Type.Record(Type.String(), Type.Array(Type.String())), {
      description: 'Security Requirement Objects of routes that say nothing themselves and that no guard asks about',
    }),
  ),
  jsonPath: withDefault(Type.String({ description: 'Where the OpenAPI document is served' }), DEFAULT_JSON_PATH),
  uiPath: withDefault(
    Type.String({ description: 'Where the reference UI is served; empty serves the document only' }),
    DEFAULT_UI_PATH,
  ),
  collect: withDefault(
    Type.Boolean({
      description: 'Whether routes are collected; without, the document is empty and the probe says off',
    }),
    true,
  ),
  llmsDir: withDefault(
    Type.String({ description: 'Folder of the files that `fw llms` writes, relative to app.config.ts' }),
    '.',
  ),
  checkResponses: Type.Optional(
    Type.Boolean({
      description:
        'Whether responses are checked against the declared output, and what differs is logged; default: not in the profile prod',
    }),
  ),
});

/** Options of the docs plugin with the defaults filled in. */
export type DocsPluginOptions = ResolvedOptions<typeof docsOptionsSchema>;

/** Options of the reference UI (SPEC "API reference configuration"). */
export interface DocsUIOptions {
  /** Name of the API; default `fw API`. */
  readonly title?: string;
  /** Version of the API; default `1.0.0`. */
  readonly version?: string;
  /** Long description, in Markdown; default empty. */
  readonly description?: string;
  /** Where the OpenAPI document is served; default `/openapi.json`. */
  readonly jsonPath?: string;
  /** Where the UI is served; default `/docsui`, empty serves the document only. */
  readonly uiPath?: string;
}
