import type { ModelFacts, ModelFieldFacts, RouteAccess } from '../../../kernel/index.js';
import type { Shape } from '../../../kernel/schema/index.js';
import {
  DEFAULT_TITLE,
  type DocumentedInput,
  type DocumentedResponse,
  type DocumentedRoute,
} from '../registry/index.js';
import type { LLMSDoc, LLMSSection } from './llms-doc.js';
import { shapeText } from './shape-text.js';
import { stamped } from './stamp.js';

/** Name of the index file. */
export const LLMS_INDEX = 'llms.txt';
/** Name of the full reference. */
export const LLMS_FULL = 'llms-full.txt';

/** The index: what the service is, and one line per route (SPEC "HTTP endpoints"). Ends with its freshness stamp. */
export function renderIndex(doc: LLMSDoc): string {
  return stamped(
    paragraphs([
      ...header(doc, 'index'),
      heading('Endpoints', doc.routes, (route) => `- \`${route.method} ${route.path}\`${summary(route)}`),
      doc.models.length > 0 && heading('Models', doc.models, indexedModel),
      list('Enabled features', doc.features),
      `Payload shapes and model definitions are in ${LLMS_FULL}.`,
      list('Notes', doc.notes),
    ]),
  );
}

/** The full reference: payload shapes and model definitions as well. Ends with its freshness stamp. */
export function renderFull(doc: LLMSDoc): string {
  return stamped(
    paragraphs([
      ...header(doc, 'full reference'),
      `## Endpoints (${doc.routes.length})`,
      ...doc.routes.map(routeBlock),
      ...(doc.models.length > 0 ? [`## Models (${doc.models.length})`, ...doc.models.map(modelBlock)] : []),
      list('Enabled features', doc.features),
      ...(doc.sections ?? []).map(section),
      list('Notes', doc.notes),
    ]),
  );
}

/** The heading under which {@link renderFull} describes a route; also how a changed route is found again. */
export function routeHeading({ method, path }: Pick<DocumentedRoute, 'method' | 'path'>): string {
  return `### \`${method} ${path}\``;
}

function header(doc: LLMSDoc, kind: string): readonly (string | false)[] {
  const facts = [
    doc.version !== '' && `> Version ${doc.version}`,
    doc.package !== '' && `> Package: \`${doc.package}\``,
  ];
  return [
    `# ${oneLine(doc.title) || DEFAULT_TITLE}`,
    facts.filter(Boolean).join('\n'),
    doc.description.trim(),
    `This is the ${kind} of the service, generated from its own route registry.`,
  ];
}

function routeBlock(route: DocumentedRoute): string {
  const { title, description, tags, deprecated, blocking, websocket, access, input } = route;
  const facts = [
    tags.length > 0 && `Tags: ${tags.join(', ')}`,
    accessLine(access),
    websocket && 'Accepts WebSocket connections.',
    deprecated && 'Deprecated.',
    blocking && 'Blocking: the handler keeps the event loop busy.',
  ];
  return paragraphs([
    routeHeading(route),
    title.trim(),
    description.trim(),
    [
      ...facts.filter(Boolean),
      ...input.flatMap(inputLines),
      ...route.responses.map((each) => responseLine(route, each)),
    ].join('\n'),
  ]);
}

function accessLine({ roles, public: isPublic }: RouteAccess): string {
  if (isPublic) return 'Anybody may call it.';
  if (roles === undefined) return '';
  return roles.length === 0 ? 'Needs credentials.' : `Needs credentials with the role ${roles.join(' or ')}.`;
}

function inputLines({ source, required, schema, description }: DocumentedInput): readonly string[] {
  const line = `- ${source}${required ? ' (required)' : ''}: ${shapeText(schema)}`;
  return description === '' ? [line] : [line, `  ${oneLine(description)}`];
}

function responseLine({ status: success }: DocumentedRoute, response: DocumentedResponse): string {
  const { status, description, headers, content } = response;
  const named = headers.length === 0 ? '' : `, headers ${headers.map(({ name }) => `\`${name}\``).join(', ')}`;
  // Problem details are left out, because every error has them, and so is the usual media type of a success.
  const bodies = content.flatMap(({ type, shape }) => (shape ? [bodyText(type, shape, content.length > 1)] : []));
  const body = bodies.length === 0 ? '' : `: ${bodies.join(' or ')}`;
  const word = status === success ? 'response' : 'also';
  return `- ${word} ${status} ${oneLine(description)}${named}${body}`;
}

function bodyText(type: string, { schema }: Shape, isOneOfSeveral: boolean): string {
  const isUsual = !isOneOfSeveral && (type === 'application/json' || type === 'text/plain');
  return isUsual ? shapeText(schema) : `${type} ${shapeText(schema)}`;
}

function indexedModel({ name, table, databases, fields }: ModelFacts): string {
  const names = [...new Set(fields.flatMap(({ references }) => references ?? []))];
  const references = names.length > 0 ? `, references ${names.map((each) => `\`${each}\``).join(', ')}` : '';
  return `- \`${name}\` → table \`${table}\`${placeOf(databases)}${references}`;
}

const placeOf = (databases: readonly string[] = []): string =>
  databases.length === 0 ? '' : ` of ${databases.map((each) => `\`${each}\``).join(' and ')}`;

function modelBlock({ name, table, databases, fields }: ModelFacts): string {
  return paragraphs([`### \`${name}\``, `Table: \`${table}\`${placeOf(databases)}`, fields.map(fieldLine).join('\n')]);
}

function fieldLine({ name, type, column, primaryKey, references }: ModelFieldFacts): string {
  const parts = [
    `\`${name}\` ${type}`,
    column !== undefined && column !== name && `column \`${column}\``,
    primaryKey === true && 'primary key',
    references !== undefined && `references \`${references}\``,
  ];
  return `- ${parts.filter(Boolean).join(', ')}`;
}

function section({ title, body, items }: LLMSSection): string {
  return paragraphs([`## ${title}`, body ?? '', (items ?? []).map((item) => `- ${item}`).join('\n')]);
}

function heading<Item>(title: string, items: readonly Item[], line: (item: Item) => string): string {
  return paragraphs([`## ${title} (${items.length})`, items.map(line).join('\n')]);
}

function list(title: string, items: readonly string[] | undefined): string | false {
  return (
    items !== undefined && items.length > 0 && paragraphs([`## ${title}`, items.map((item) => `- ${item}`).join('\n')])
  );
}

function summary({ title }: DocumentedRoute): string {
  const text = oneLine(title);
  return text === '' ? '' : ` — ${text}`;
}

function oneLine(text: string): string {
  return text.trim().split('\n')[0]?.trim() ?? '';
}

function paragraphs(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== '').join('\n\n');
}
