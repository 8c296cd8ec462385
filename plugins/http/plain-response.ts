import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse, validateHeaderValue } from 'node:http';
import { asciiDisposition } from './content-disposition.js';

/**
 * Node's own response, where the fast path is off: whoever sets `Content-Disposition`, by whatever means, sets one in ASCII. Node knows
 * nothing of RFC 6266: letters of a file's name beyond ASCII are mangled in some answers, and refused in others.
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
  // What Node would refuse it goes on refusing.
  validateHeaderValue(NAME, value);
  return asciiDisposition(value);
}

// An object, or a list of names and values in turns.
function withReadable(headers: object): object {
  if (Array.isArray(headers)) {
    return headers.map((part: unknown, index) => (index % 2 === 1 ? readable(headers[index - 1], part) : part));
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, readable(name, value as unknown)]));
}
