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

/**
 * The answer to a request that may be sent twice. The other side may close a kept connection while it is being used, which nobody can see
 * beforehand: then the request goes over another one (RFC 9112, section 9.3.1).
 *
 * @param send - begins the request; called again as long as a kept connection was closed
 */
export async function answerToRepeatable(send: () => ClientRequest): Promise<IncomingMessage> {
  for (;;) {
    const request = send();
    try {
      return await answerTo(request);
    } catch (cause) {
      if (!request.reusedSocket || !CLOSED.has((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
    }
  }
}

const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);
