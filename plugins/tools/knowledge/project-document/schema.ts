import { type Static, type TObject, Type } from 'typebox';
import { optional, Text, YesNo } from '../../../../kernel/schema/index.js';
import { FIELD_TYPES } from '../../../../codegen/schematics/engine/field-types.js';
import { HTTP_VERBS } from './http-verbs.js';

const text = (description: string, value = '') =>
  optional(Type.String({ description, ...(value && { default: value }) }));
const port = (description: string, value: number) =>
  optional(Type.Integer({ description, minimum: 1, maximum: 65_535, default: value }));
const enabled = (value: boolean) => optional(Type.Boolean({ ...(value && { default: true }) }));
const section = <Properties extends Record<string, Type.TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

const Field = section({
  name: Type.String({ description: 'property of the class' }),
  type: Type.String({
    description: `${FIELD_TYPES.slice(0, -1).join(', ')}, or a model; T? or T | null may be null`,
  }),
  column: text('default the name in snake case'),
  primary_key: optional(YesNo),
});

/**
 * The input document of the planning and provisioning tools: a description of a whole project. It maps to app.config.ts, model classes and
 * route modules, and is not stored as a file.
 */
export const PROJECT_SECTIONS = {
  module: text('npm name of the project; default its folder'),
  server: section({ host: text('address to listen on', '0.0.0.0'), port: port('PORT overrides it', 3000) }),
  fleet: section({
    enabled: enabled(false),
    service_name: text('default the module'),
    transport: optional(Type.Enum(['http', 'events', 'ws'], { default: 'http' })),
    aggregator_url: text('', 'http://localhost:9000/fleet'),
    aggregator_ws_url: text('', 'ws://localhost:9000/fleet/ws'),
    sample_rate: optional(Type.Number({ minimum: 0, maximum: 1, default: 1 })),
  }),
  docs: section({
    enabled: enabled(true),
    title: text('', 'fw API'),
    ui_path: text('', '/docsui'),
    spec_path: text('', '/openapi.json'),
  }),
  dashboard: section({ enabled: enabled(false), base_path: text('', '/dashboard') }),
  websocket: section({
    enabled: enabled(false),
    path: text('', '/ws'),
    broadcast: optional(Type.Boolean({ description: 'messages go to all others instead of back' })),
  }),
  mcp: section({ enabled: enabled(false), port: port('control address of the running application', 2100) }),
  middleware: Type.Array(
    section({
      name: Type.String({ description: 'a feature of fw_features' }),
      rps: optional(Type.Integer({ minimum: 0, description: 'requests per second; ratelimit' })),
      origins: optional(Type.Array(Text, { description: 'cors' })),
    }),
  ),
  models: Type.Array(
    section({ name: Text, table: text('default the name in snake case, plural'), fields: Type.Array(Field) }),
  ),
  routes: Type.Array(
    section({
      resource: Text,
      path: text('default /api/<resource>'),
      methods: optional(Type.Array(Type.Enum([...HTTP_VERBS]))),
      model: text('model that the resource shows'),
    }),
  ),
};

/** Names of the sections, in the order of the document. */
export const SECTION_NAMES = Object.keys(PROJECT_SECTIONS) as (keyof typeof PROJECT_SECTIONS)[];

/** Schema of the whole document; every section may be left out. */
export const ProjectDocument = Type.Partial(Type.Object(PROJECT_SECTIONS), { additionalProperties: false });
export type ProjectDocument = Static<typeof ProjectDocument>;

/** The member that identifies an element, by list. */
export const KEYS: Readonly<Record<string, string>> = {
  middleware: 'name',
  models: 'name',
  routes: 'resource',
  fields: 'name',
};

/** Whether a schema is an object with members. */
export function isObjectSchema(schema: unknown): schema is TObject {
  return (schema as { readonly properties?: unknown } | undefined)?.properties !== undefined;
}
