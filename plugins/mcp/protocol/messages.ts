import { type ErrorResponse, errorResponse, INVALID_REQUEST, PARSE_ERROR, type RequestId } from './json-rpc.js';

/** A message that has the shape of JSON-RPC 2.0 as MCP uses it: ids are strings or numbers, params are objects. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What a text holds: messages (several when it is a batch), each good or with the error to answer. */
export interface ReadMessages {
  readonly batch: boolean;
  readonly messages: readonly (Message | ErrorResponse)[];
}

/** Reads one JSON text; what is wrong with it becomes the error responses of JSON-RPC 2.0, sections 5.1 and 6. */
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

/** True for what {@link readMessages} could not accept. */
export function isErrorResponse(message: Message | ErrorResponse): message is ErrorResponse {
  return rejected.has(message);
}

// A client may answer with an error of its own, which looks the same.
const rejected = new WeakSet<object>();

function checked(value: unknown): Message | ErrorResponse {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid('a message is an object');
  const { jsonrpc, id, method, params } = value as Record<string, unknown>;
  const readable = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (jsonrpc !== '2.0') return invalid('"jsonrpc" is "2.0"', readable);
  if ('id' in value && readable === null && method !== undefined)
    return invalid('"id" is a string or a number', readable);
  if (method === undefined && !('result' in value) && !('error' in value))
    return invalid('"method" is there', readable);
  if (method !== undefined && (typeof method !== 'string' || method === ''))
    return invalid('"method" is a name', readable);
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) {
    return invalid('"params" is an object', readable);
  }
  return value as Message;
}

function invalid(expected: string, id: RequestId = null): ErrorResponse {
  return reject(errorResponse(INVALID_REQUEST, `Invalid Request: expected that ${expected}.`, id));
}

function reject(response: ErrorResponse): ErrorResponse {
  rejected.add(response);
  return response;
}
