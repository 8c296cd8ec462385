import { STATUS_CODES } from 'node:http';
import {
  fwError,
  isJsonSchema,
  type RouteOptions,
  type RouteResponse,
  type RouteResponses,
} from '../../../kernel/index.js';
import { suggestion } from '../../../kernel/errors/index.js';
import { HTTP_ERRORS } from '../errors.js';
import type { AccessPlace } from '../route-access.js';
import { isObject } from '../../../kernel/values/index.js';

/** One declared shape of a route's responses. */
interface DeclaredShape {
  readonly status: number;
  /** Media type; undefined if the shape decides it. */
  readonly type: string | undefined;
  readonly shape: unknown;
}

/** Every shape of a route's `responses`, by status in ascending order. */
export function shapesOf(responses: RouteResponses = {}): readonly DeclaredShape[] {
  return Object.entries(responses).flatMap(([code, { output, content = {} }]) => {
    const status = Number(code);
    const byType = Object.entries(content).map(([type, shape]) => ({ status, type, shape }));
    return output === undefined ? byType : [{ status, type: undefined, shape: output }, ...byType];
  });
}

const MEMBERS = { description: 1, output: 1, content: 1, headers: 1, examples: 1 } satisfies Record<
  keyof RouteResponse,
  1
>;
// Letters, digits and the marks of a token around one slash (RFC 9110, section 8.3.1); parameters are the sender's.
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Refuses `responses` that cannot be answered or documented.
 * @throws FwError `FW_HTTP_ROUTE_OPTION`
 */
export function refuseUnfitResponses(options: RouteOptions, place: AccessPlace): void {
  const problem = problemOf(options);
  if (problem !== undefined) throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_OPTION, { ...place, problem });
}

function problemOf({ responses, operationId, output, status = 200 }: RouteOptions): string | undefined {
  if (operationId !== undefined && (typeof operationId !== 'string' || operationId === ''))
    return 'its `operationId` is no text';
  if (responses === undefined) return undefined;
  if (!isObject(responses)) return 'its `responses` are no object of answers by status';
  for (const [code, response] of Object.entries(responses as Readonly<Record<string, unknown>>)) {
    const problem = problemOfOne(code, response);
    if (problem !== undefined) return `its answer ${code} in \`responses\` ${problem}`;
  }
  if (output !== undefined && responses[status]?.output !== undefined)
    return `its \`output\` and \`responses[${status}].output\` both say what ${status} holds`;
  return undefined;
}

function problemOfOne(code: string, response: unknown): string | undefined {
  // Informational responses (1xx) are sent by the server only.
  if (STATUS_CODES[code] === undefined || Number(code) < 200) return 'has no status of HTTP from 200';
  if (!isObject(response)) return 'is no object; expected { description, output, content, headers, examples }';
  const known = Object.keys(MEMBERS);
  const unknown = Object.keys(response).find((name) => !known.includes(name));
  if (unknown !== undefined)
    return `has no member "${unknown}". ${suggestion(unknown, known)}Members are ${known.join(', ')}`;
  const { output, content, headers } = response as RouteResponse;
  if (output !== undefined && content !== undefined) return 'has both `output` and `content`';
  if (WITHOUT_BODY.has(Number(code)) && (output ?? content) !== undefined) return 'can have no body';
  if (headers !== undefined && !isJsonSchema(headers)) return 'has `headers` that are no schema of an object';
  if (content === undefined) return undefined;
  if (!isObject(content) || Object.keys(content).length === 0)
    return 'has `content` that is no object of shapes by media type';
  const odd = Object.keys(content).find((type) => !MEDIA_TYPE.test(type));
  return odd === undefined ? undefined : `has "${odd}" in \`content\`; expected a media type such as text/csv`;
}
