import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ControlPlane } from '../protocol/control-plane.js';
import { type ErrorResponse, errorResponse, INVALID_REQUEST } from '../protocol/json-rpc.js';
import { invalid, isErrorResponse, type Message, readMessages } from '../protocol/messages.js';
import { connectServer } from '../protocol/sdk-server.js';
import { ClientSession } from '../session/client-session.js';
import { Batches } from './batches.js';
import { type Line, LineSplitter } from './line-splitter.js';
import { PreparedAnswers } from './prepared-answers.js';
import type { ProtocolOutput } from './protocol-only-stdout.js';

/** Longest line that is read; the same cap as on request bodies. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** The two ends of a stdio connection. */
interface StdioStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: ProtocolOutput;
}

/**
 * Serves one client over newline-delimited JSON (MCP 2024-11-05 "Transports", stdio). There is no token: the process
 * boundary is the trust boundary (SPEC "Authentication", 1).
 *
 * @param signal - ends the session at once; calls that run are cancelled
 * @returns settles when the input has ended and every call that was running has been answered
 */
export function serveStdio(plane: ControlPlane, streams: StdioStreams, signal: AbortSignal): Promise<void> {
  return new StdioSession(plane, streams).run(signal);
}

class StdioSession {
  readonly #client = new ClientSession();
  readonly #prepared: PreparedAnswers;
  readonly #batches = new Batches();
  readonly #running = new Set<string>();
  readonly #transport: Transport;
  #sdk: Promise<void> | undefined;
  #inputEnded = false;
  #errors = 0;
  #finish: () => void = () => {};

  constructor(
    private readonly plane: ControlPlane,
    private readonly streams: StdioStreams,
  ) {
    this.#prepared = new PreparedAnswers(plane, this.#client);
    this.#transport = {
      start: () => Promise.resolve(),
      close: () => Promise.resolve(this.#transport.onclose?.()),
      send: (message) => this.#fromSdk(message),
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    const { input, output } = this.streams;
    const lines = new LineSplitter(MAX_MESSAGE_BYTES);
    const finished = new Promise<void>((resolve) => (this.#finish = resolve));
    signal.addEventListener('abort', this.#finish, { once: true });
    output.on('error', this.#finish);
    // Without a listener the error of a terminal that is gone would be an uncaught one.
    input.on('error', this.#finish);
    output.on('drain', () => input.resume());
    input.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) this.#read(line);
    });
    input.on('end', () => this.#ended(lines.end()));
    if (signal.aborted) this.#finish();
    await finished;
    await this.#transport.close();
  }

  #ended(last: Line | undefined): void {
    if (last) this.#read(last);
    this.#inputEnded = true;
    this.#finishWhenIdle();
  }

  #finishWhenIdle(): void {
    if (this.#inputEnded && this.#running.size === 0) this.#finish();
  }

  #read(line: Line): void {
    if ('oversized' in line) {
      const words = `Invalid Request: request too large, at most ${MAX_MESSAGE_BYTES} bytes.`;
      this.#write(JSON.stringify(errorResponse(INVALID_REQUEST, words)));
      return;
    }
    if (line.text.trim() === '') return;
    const { batch, messages } = readMessages(line.text);
    const taken = new Set<string>();
    // Errors without an id that stands for them count as responses too, under a key that no other message has.
    const keyed = messages.map((given) => {
      const message = this.#reuseOf(given, taken) ?? given;
      return { message, id: isErrorResponse(message) ? `\0${this.#errors++}` : (message.id ?? '') };
    });
    const answered = keyed.filter(({ message }) => isErrorResponse(message) || isRequest(message));
    if (batch && answered.length > 0) this.#batches.open(answered.map(({ id }) => id));
    for (const { message, id } of keyed) this.#handle(message, id);
  }

  // An id stands for one request until it is answered; a second one could not be told from it, nor its batch from the other's.
  #reuseOf(message: Message | object, taken: Set<string>): ErrorResponse | undefined {
    if (!isRequest(message)) return undefined;
    const key = JSON.stringify(message.id);
    const isReused = this.#running.has(key) || taken.has(key);
    taken.add(key);
    return isReused ? invalid('the id is of no request that is still to be answered', message.id) : undefined;
  }

  #handle(message: ReturnType<typeof readMessages>['messages'][number], id: string | number): void {
    if (isErrorResponse(message)) return this.#answer(id, JSON.stringify(message));
    if (isRequest(message)) {
      const result = this.#prepared.resultOf(message);
      if (result === undefined) return this.#toSdk(message);
      return this.#answer(id, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
    }
    if (message.method === 'notifications/cancelled') this.#cancelled(message);
    // Before the SDK is loaded, there is no request that a notification could concern.
    if (this.#sdk) this.#toSdk(message);
  }

  #toSdk(message: Message): void {
    if (isRequest(message)) this.#running.add(JSON.stringify(message.id));
    this.#sdk ??= connectServer(this.plane, this.#transport, this.#client).then(() => undefined);
    this.#sdk.then(
      () => this.#transport.onmessage?.(message as JSONRPCMessage),
      (error: unknown) => this.#sdkFailed(message, error),
    );
  }

  #sdkFailed(message: Message, error: unknown): void {
    this.plane.failed(error);
    if (isRequest(message)) void this.#fromSdk(errorResponse(-32603, 'Internal error', message.id) as JSONRPCMessage);
  }

  async #fromSdk(message: JSONRPCMessage): Promise<void> {
    const text = JSON.stringify(message);
    if ('method' in message || message.id === undefined) return this.#write(text);
    this.#running.delete(JSON.stringify(message.id));
    this.#answer(message.id, text);
    this.#finishWhenIdle();
  }

  // The SDK sends no response to a cancelled request.
  #cancelled({ params }: Message): void {
    const id = params?.['requestId'] as string | number;
    if (!this.#running.delete(JSON.stringify(id))) return;
    const text = this.#batches.skipped(id);
    if (text !== undefined) this.#write(text);
    this.#finishWhenIdle();
  }

  #answer(id: string | number, text: string): void {
    const ready = this.#batches.answered(id, text);
    if (ready !== undefined) this.#write(ready);
  }

  // A client that does not read must not make the server buffer its responses without bound.
  #write(text: string): void {
    if (!this.streams.output.write(`${text}\n`)) this.streams.input.pause();
  }
}

function isRequest(message: Message | object): message is Message & { readonly id: string | number } {
  return 'method' in message && 'id' in message && message.id !== undefined;
}
