/** JSON-RPC 2.0, section 5.1. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** MCP 2024-11-05 "Resources": the resource does not exist. */
export const RESOURCE_NOT_FOUND = -32002;
/** First of the codes that JSON-RPC leaves to servers: the transport's own rejections. */
export const SERVER_ERROR = -32000;

/** Id of a request. */
export type RequestId = string | number | null;

/** An answer with an error, as JSON-RPC 2.0 section 5 lays it out. */
export interface ErrorResponse {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly error: { readonly code: number; readonly message: string };
}

/** An error that a caller gets as a JSON-RPC error instead of a result. The SDK sends `code` and `message`. */
export class JsonRpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** The response object of an error; `id` is null when the request's id could not be read. */
export function errorResponse(code: number, message: string, id: RequestId = null): ErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
