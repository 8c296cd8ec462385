import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse, validateHeaderValue } from 'node:http';
import { asciiDisposition } from './content-disposition.js';

/**
 * Node's own response, used without the fast path. `Content-Disposition` is converted to ASCII, however it is set, because Node does not
 * know RFC 6266: it mangles other characters of a file name in some responses, and refuses them in others.
 */
export class PlainResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(name, readable(name, value));
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const given = rest.map((part) => (typeof part === 'object' && part !== null ? withReadable(part) : part));
    return super.writeHead(status, ...(given as [string, OutgoingHttpHeaders]));
  }
}

const NAME = 'content-disposition';

function readable<Value>(name: unknown, value: Value): Value | string {
  const isMeant = typeof value === 'string' && typeof name === 'string' && name.toLowerCase() === NAME;
  if (!isMeant) return value;
  // Invalid values are refused as by Node.
  validateHeaderValue(NAME, value);
  return asciiDisposition(value);
}

// Headers as an object, or as a list of alternating names and values.
function withReadable(headers: object): object {
  if (Array.isArray(headers)) {
    return headers.map((part: unknown, index) => (index % 2 === 1 ? readable(headers[index - 1], part) : part));
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, readable(name, value as unknown)]));
}
