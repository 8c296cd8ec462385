import { STATUS_CODES } from 'node:http';
import type { JsonSchema, RouteResponse, RouteResponses } from '../../../kernel/index.js';
import { membersOf, type Member, type Shape } from '../../../kernel/schema/index.js';

/** What a route answers with one status. */
export interface DocumentedResponse {
  readonly status: number;
  readonly description: string;
  readonly headers: readonly Member[];
  /** Bodies by media type; none where nothing is said of a body. */
  readonly content: readonly DocumentedContent[];
}

/** A body of one media type. */
export interface DocumentedContent {
  readonly type: string;
  /** Undefined: problem details (RFC 9457). */
  readonly shape: Shape | undefined;
  readonly examples: Readonly<Record<string, unknown>>;
}

/** The declarations from which the responses of a route are made. */
interface Said {
  readonly output?: unknown;
  readonly status: number;
  readonly outputDescription: string;
  readonly responses?: RouteResponses | undefined;
  readonly conditional?: 'optional' | 'required' | undefined;
}

type ReadShape = (shape: unknown) => Shape | undefined;

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain';
const PROBLEM_TYPE = 'application/problem+json';
// Statuses whose responses have no body (RFC 9110, sections 15.2, 15.3.5, 15.3.6 and 15.4.5).
const WITHOUT_BODY = (status: number) => status < 200 || status === 204 || status === 205 || status === 304;
const ETAG: Member = { name: 'ETag', schema: { type: 'string' }, scope: undefined, required: false };

/**
 * What a route answers by status, in ascending order: its success, its other declared responses, and those of its preconditions.
 *
 * @param read - reads a shape as it was declared
 */
export function documentedResponses(said: Said, read: ReadShape, method: string): readonly DocumentedResponse[] {
  const { status, outputDescription, output, responses = {}, conditional } = said;
  const main = { ...responses[status], ...(output !== undefined && { output }), description: outputDescription };
  const all: Record<number, RouteResponse> = {
    ...(conditional && conditionalResponses(conditional, method)),
    ...responses,
    [status]: main,
  };
  const isRead = method === 'GET' || method === 'HEAD';
  return Object.entries(all).map(([code, response]) => {
    const documented = documentedResponse(Number(code), response, read);
    const hasETag = conditional !== undefined && isRead && (Number(code) === status || code === '304');
    return hasETag ? { ...documented, headers: [...documented.headers, ETAG] } : documented;
  });
}

// RFC 9110, sections 13.1 and 15.5.13; RFC 6585, section 3.
function conditionalResponses(conditional: 'optional' | 'required', method: string): RouteResponses {
  if (method === 'GET' || method === 'HEAD')
    return { 304: {}, 412: { description: 'The resource is not what the precondition names' } };
  const changed = {
    412: { description: 'The resource has changed since the client has seen it; nothing was written' },
  };
  if (conditional === 'optional') return changed;
  return { ...changed, 428: { description: 'A write needs a precondition, such as If-Match' } };
}

function documentedResponse(status: number, response: RouteResponse, read: ReadShape): DocumentedResponse {
  const { description, headers } = response;
  return {
    status,
    description: description ?? STATUS_CODES[status] ?? `Status ${status}`,
    headers:
      headers === undefined
        ? []
        : membersOf(headers as unknown as JsonSchema).filter(({ name }) => name.toLowerCase() !== 'content-type'),
    content: WITHOUT_BODY(status) ? [] : contentOf(status, response, read),
  };
}

function contentOf(status: number, { output, content, examples = {} }: RouteResponse, read: ReadShape) {
  const of = (shape: Shape | undefined, type: string): DocumentedContent => ({ type, shape, examples });
  if (content !== undefined) return Object.entries(content).map(([type, shape]) => of(read(shape), type));
  const shape = read(output);
  // A handler that returns text answers text/plain, and a refusal without a shape has problem details.
  if (shape !== undefined) return [of(shape, shape.schema['type'] === 'string' ? TEXT_TYPE : JSON_TYPE)];
  return status >= 400 ? [of(undefined, PROBLEM_TYPE)] : [];
}
