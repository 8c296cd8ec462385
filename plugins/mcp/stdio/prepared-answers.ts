import type { ControlPlane } from '../protocol/control-plane.js';
import type { Message } from '../protocol/messages.js';

/**
 * Answers to what every client asks first and what never changes while the server runs: handshake, ping, list. Serialised
 * once, and given before the SDK is even imported, because an agent waits for them at each start.
 */
export class PreparedAnswers {
  #handshake: string | undefined;
  #list: string | undefined;

  constructor(private readonly plane: ControlPlane) {}

  /** JSON text of the result, or undefined when the message is for the SDK. */
  resultOf(message: Message): string | undefined {
    if (message.method === 'initialize') return this.#initialize();
    if (message.method === 'tools/list') return (this.#list ??= JSON.stringify(this.plane.list()));
    return message.method === 'ping' ? '{}' : undefined;
  }

  #initialize(): string {
    this.plane.observe({ kind: 'initialized' });
    return (this.#handshake ??= JSON.stringify(this.plane.handshake()));
  }
}
