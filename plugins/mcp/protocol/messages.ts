import { type ErrorResponse, errorResponse, INVALID_REQUEST, PARSE_ERROR, type RequestId } from './json-rpc.js';
import { isObject } from '../../../kernel/values/index.js';

/** A message that has the shape of JSON-RPC 2.0 as MCP uses it: ids are strings or numbers, params are objects. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The messages of a text (several for a batch), each valid or with an error response. */
interface ReadMessages {
  readonly batch: boolean;
  readonly messages: readonly (Message | ErrorResponse)[];
}

/** Reads one JSON text; mistakes become error responses according to JSON-RPC 2.0, sections 5.1 and 6. */
export function readMessages(text: string): ReadMessages {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { batch: false, messages: [reject(errorResponse(PARSE_ERROR, 'Parse error: the message is not JSON.'))] };
  }
  if (!Array.isArray(value)) return { batch: false, messages: [checked(value)] };
  if (value.length === 0) return { batch: false, messages: [invalid('a batch has at least one message')] };
  return { batch: true, messages: value.map(checked) };
}

/** True for an error response of {@link readMessages}. */
export function isErrorResponse(message: Message | ErrorResponse): message is ErrorResponse {
  return rejected.has(message);
}

// Marks our error responses, because a client's own error responses look the same.
const rejected = new WeakSet<object>();

function checked(value: unknown): Message | ErrorResponse {
  if (!isObject(value)) return invalid('a message is an object');
  const { jsonrpc, id, method, params } = value;
  const readable = typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null;
  if (jsonrpc !== '2.0') return invalid('"jsonrpc" is "2.0"', readable);
  if (method === undefined) {
    if ('result' in value || 'error' in value) return { ...value, jsonrpc } as Message;
    return invalid('"method" is there', readable);
  }
  if ('id' in value && readable === null) return invalid('"id" is a string or a whole number', readable);
  if (typeof method !== 'string' || method === '') return invalid('"method" is a name', readable);
  if (params !== undefined && !isObject(params)) return invalid('"params" is an object', readable);
  const problem = params && problemOfMeta(params['_meta']);
  if (problem !== undefined) return invalid(problem, readable);
  // Members that nobody knows are passed over; the SDK would answer a message that has one with nothing.
  return { jsonrpc, method, ...(readable !== null && { id: readable }), ...(params && { params }) };
}

/** What is wrong with `_meta` (MCP, "General fields"), which the SDK reads before it knows the method. */
function problemOfMeta(meta: unknown): string | undefined {
  if (meta === undefined) return undefined;
  if (!isObject(meta)) return '"params._meta" is an object';
  const { progressToken: token, [RELATED_TASK]: task } = meta;
  if (token !== undefined && typeof token !== 'string' && !Number.isSafeInteger(token))
    return '"params._meta.progressToken" is a string or a whole number';
  if (task !== undefined && !(isObject(task) && typeof task['taskId'] === 'string'))
    return `"params._meta["${RELATED_TASK}"].taskId" is a string`;
  return undefined;
}

/** MCP 2025-11-25, "Tasks". */
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** The error response to a message that is no valid request. @param expected - of it */
export function invalid(expected: string, id: RequestId = null): ErrorResponse {
  return reject(errorResponse(INVALID_REQUEST, `Invalid Request: expected that ${expected}.`, id));
}

function reject(response: ErrorResponse): ErrorResponse {
  rejected.add(response);
  return response;
}
