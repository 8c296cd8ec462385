import type { IncomingMessage } from 'node:http';
import { CollectedBytes } from '../../../kernel/bounded/index.js';
import { PARSE_ERROR } from '../protocol/json-rpc.js';
import { MAX_MESSAGE_BYTES } from '../stdio/stdio-server.js';
import type { Rejection } from './rejection.js';

/** The JSON value of a request body, or why there is none. Reading stops at the cap. */
export async function readJsonBody(request: IncomingMessage): Promise<{ readonly value: unknown } | Rejection> {
  if (mediaType(request) !== 'application/json') {
    const message = 'Expected Content-Type: application/json.';
    return { status: 415, reason: 'Content-Type', message };
  }
  const body = await bytesOf(request);
  return 'status' in body ? body : parsed(body.toString('utf8'));
}

// Without `for await`: leaving the loop would destroy the request, and with it the connection for the response.
function bytesOf(request: IncomingMessage): Promise<Buffer | Rejection> {
  return new Promise((resolve) => {
    const body = new CollectedBytes();
    request.on('data', (chunk: Buffer) => {
      if (body.size + chunk.length <= MAX_MESSAGE_BYTES) body.add(chunk);
      else {
        // Further data are read and dropped, so that the client gets to read the response.
        request.removeAllListeners('data').resume();
        resolve(TOO_LARGE);
      }
    });
    request.on('end', () => resolve(body.take()));
    request.on('error', () => resolve(UNREADABLE));
    request.on('close', () => resolve(UNREADABLE));
  });
}

function parsed(text: string): { readonly value: unknown } | Rejection {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const message = 'Parse error: the request body is not JSON.';
    return { status: 400, reason: 'body unreadable', message, code: PARSE_ERROR };
  }
}

const TOO_LARGE: Rejection = {
  status: 413,
  reason: 'body too large',
  message: `The request body is larger than ${MAX_MESSAGE_BYTES} bytes.`,
};
const UNREADABLE: Rejection = {
  status: 400,
  reason: 'body unreadable',
  message: 'The request body ended before it was complete.',
};

function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
