import type { ControlPlane } from '../protocol/control-plane.js';
import type { Message } from '../protocol/messages.js';
import type { ClientSession } from '../session/client-session.js';

/**
 * Responses that every client requests first and that do not change while the server runs: handshake, ping, list. They are serialised once
 * and sent before the SDK is imported, because an agent waits for them at each start.
 */
export class PreparedAnswers {
  #handshake: string | undefined;
  #list: string | undefined;

  constructor(
    private readonly plane: ControlPlane,
    private readonly session: ClientSession,
  ) {}

  /** JSON text of the result, or undefined when the message is for the SDK. */
  resultOf(message: Message): string | undefined {
    if (message.method === 'initialize') return this.#initialize(message);
    if (message.method === 'tools/list') return (this.#list ??= JSON.stringify(this.plane.list()));
    return message.method === 'ping' ? '{}' : undefined;
  }

  #initialize({ params }: Message): string {
    this.session.initialized(params);
    this.plane.observe({ kind: 'initialized' });
    return (this.#handshake ??= JSON.stringify(this.plane.handshake()));
  }
}
