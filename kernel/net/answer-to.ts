import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Waits for the answer to a request. When the other side switches to a protocol that nobody asked for (RFC 9110, section 15.2.2), Node
 * closes the request without an `error`, after which neither a timeout nor a signal ends it: that is an error here too.
 */
export function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    request.on('close', () => reject(new Error('the connection was closed without an answer in HTTP')));
  });
}
