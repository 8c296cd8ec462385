import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Waits for the answer to a request. When the other side switches to a protocol that nobody asked for (RFC 9110, section 15.2.2), Node
 * closes the request without an `error`, after which neither a timeout nor a signal ends it: that is an error here too.
 *
 * What ends the request while its answer is read, a signal for example, is an error of the answer: a body that ends with its connection
 * (RFC 9112, section 6.3) would otherwise look whole.
 */
export function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    request.on('response', (response) => resolve((answer = response)));
    request.on('error', (error) => {
      answer?.destroy(error);
      reject(error);
    });
    request.on('close', () => reject(new Error('the connection was closed without an answer in HTTP')));
  });
}
