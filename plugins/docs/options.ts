import { Type } from 'typebox';
import { type ResolvedOptions, withDefault } from '../../kernel/index.js';
import { DEFAULT_TITLE, DEFAULT_VERSION } from './registry/index.js';

/** Where the OpenAPI document is served when nothing else is said. */
export const DEFAULT_JSON_PATH = '/openapi.json';
/** Where the UI is served when nothing else is said. */
export const DEFAULT_UI_PATH = '/docsui';

export const docsOptionsSchema = Type.Object({
  title: withDefault(Type.String({ description: 'Name of the API' }), DEFAULT_TITLE),
  version: withDefault(Type.String({ description: 'Version of the API' }), DEFAULT_VERSION),
  description: withDefault(Type.String({ description: 'Long description, in Markdown' }), ''),
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
