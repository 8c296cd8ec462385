import type { TSchema } from 'typebox';
import type { InputSource, RouteResponses } from '../../kernel/contracts/index.js';
import {
  byPathAndMethod,
  documentedRoute,
  routeKey,
  type DocumentedRoute,
  type InputFacts,
  type RouteFacts,
} from '../../plugins/docs/index.js';
import { REGISTRATION, type RouteEntry, type ShapeEntry } from '../routes/index.js';

// Parts without which an entry does not say which route it is.
const IDENTITY = new Set(['method', 'path', 'registration']);

/** The registry's routes in the form that every renderer of the API reference reads. */
interface DocumentedEntries {
  /** Sorted by path, then method; hidden ones left out. */
  readonly routes: readonly DocumentedRoute[];
  /** A sentence for each fact that is known only at run time. */
  readonly notes: readonly string[];
}

/**
 * Puts entries of `generated/routes.json` into the form of the API reference. Entries whose method or path is only known at
 * run time are left out, and named in the notes.
 */
export function documentedEntries(entries: readonly RouteEntry[]): DocumentedEntries {
  const shown = entries.filter(({ hidden }) => !hidden);
  const known = shown.filter(({ method, path, unresolved }) => {
    const open = unresolved.some(({ what }) => IDENTITY.has(what) && what !== REGISTRATION);
    return !open && method !== '?' && path.startsWith('/');
  });
  const routes = new Map<string, DocumentedRoute>();
  for (const entry of known) {
    const route = documentedRoute(factsOf(entry), () => undefined);
    routes.set(routeKey(route), route);
  }
  return { routes: [...routes.values()].sort(byPathAndMethod), notes: shown.flatMap(notesOf) };
}

function factsOf(entry: RouteEntry): RouteFacts {
  const { method, path, title, description, tags, status, outputDescription, deprecated, blocking, websocket } = entry;
  const output = entry.output ?? entry.outputExample;
  return {
    method,
    pattern: path,
    title,
    description,
    tags,
    status,
    outputDescription,
    deprecated,
    blocking,
    websocket,
    roles: entry.roles,
    public: entry.public,
    output,
    responses: responsesOf(entry),
    bodyExamples: entry.bodyExamples,
    operationId: entry.operationId,
    security: entry.security,
    conditional: entry.conditional,
    input: inputsOf(entry),
  };
}

function responsesOf({ responses }: RouteEntry): RouteResponses | undefined {
  if (responses === undefined) return undefined;
  const shapeOf = ({ schema, example }: ShapeEntry): unknown => schema ?? example;
  return Object.fromEntries(
    Object.entries(responses).map(([status, { output, content, headers, ...rest }]) => [
      status,
      {
        ...rest,
        ...(output && { output: shapeOf(output) }),
        ...(content && {
          content: Object.fromEntries(Object.entries(content).map(([type, shape]) => [type, shapeOf(shape)])),
        }),
        ...(headers && { headers: headers as TSchema }),
      },
    ]),
  );
}

function inputsOf({ input, bodyRequired, documentedInput = [] }: RouteEntry): readonly InputFacts[] {
  return [
    ...Object.entries(input).map(([source, shape]) => ({
      source: source as InputSource,
      shape,
      required: bodyRequired,
    })),
    ...documentedInput.map(({ source, schema, example, required, description }) => ({
      source: source as InputSource,
      shape: schema ?? example,
      required,
      description,
    })),
  ];
}

function notesOf({ method, path, unresolved }: RouteEntry): readonly string[] {
  return unresolved.map(
    ({ what, file, line, reason }) =>
      `${method} ${path}: ${what} is only known at run time (${file}:${line}: ${reason})`,
  );
}
