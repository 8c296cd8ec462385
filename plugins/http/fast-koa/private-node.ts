import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Private members of Node's response; the self-test checks each before it is used. */
export interface PrivateResponse {
  _contentLength: number | null;
  _hasBody: boolean;
  _closed: boolean;
  readonly _expect_continue: boolean;
  chunkedEncoding: boolean;
  readonly finished: boolean;
  destroyed: boolean;
  socket: Socket | null;
  readonly outputData: readonly unknown[];
  _implicitHeader(): void;
  _storeHeader(firstLine: string, headers: unknown): void;
  _send(data: string, encoding: BufferEncoding, callback: (error?: Error | null) => void): boolean;
  _flush(): void;
}

/** Private members of Node's request. */
interface PrivateRequest {
  readonly _eventsCount: number;
  readonly _consuming: boolean;
  _dumped: boolean;
  readonly _readableState: {
    readonly length: number;
    readonly flowing: boolean | null;
    endEmitted: boolean;
    destroyed: boolean;
    closed: boolean;
    closeEmitted: boolean;
  };
}

/** Private members of Node's socket. */
export interface PrivateSocket {
  _httpMessage?: unknown;
}

/**
 * Ends a request that was received completely and whose body nobody reads; nearly always it has none. Node would drain and destroy it over
 * five turns of its queue, without observable effects.
 */
export function endUnread(request: IncomingMessage): void {
  const node = request as unknown as PrivateRequest;
  const state = node._readableState;
  const isUntouched = !node._consuming && !node._dumped && state.flowing === null && !state.destroyed;
  if (!request.complete || !isUntouched || node._eventsCount > 0 || state.length > 0) return;
  node._dumped = true;
  state.endEmitted = true;
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
}

const FOLLOWED = Symbol('fw.http.followed');

/** Closes the current response when its connection closes: one listener per connection, where Node adds one per response. */
export function closeWithSocket(socket: Socket): void {
  const followed = socket as Socket & { [FOLLOWED]?: true };
  if (followed[FOLLOWED]) return;
  followed[FOLLOWED] = true;
  socket.on('close', closeResponse);
}

function closeResponse(this: Socket): void {
  const response = (this as PrivateSocket)._httpMessage as (PrivateResponse & { emit(name: string): void }) | null;
  if (!response || response._closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}
