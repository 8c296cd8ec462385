import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What Node keeps to itself about a response; each member is proven by the self-test before it is used. */
export interface PrivateResponse {
  _contentLength: number | null;
  _hasBody: boolean;
  _closed: boolean;
  readonly _expect_continue: boolean;
  chunkedEncoding: boolean;
  finished: boolean;
  destroyed: boolean;
  socket: Socket | null;
  readonly outputData: readonly unknown[];
  _implicitHeader(): void;
  _storeHeader(firstLine: string, headers: unknown): void;
  _send(data: string, encoding: BufferEncoding, callback: () => void): boolean;
  _finish(): void;
  _flush(): void;
}

/** The same of a request. */
export interface PrivateRequest {
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

/** The same of a connection. */
export interface PrivateSocket {
  _httpMessage?: unknown;
  readonly _hadError?: boolean;
}

/**
 * Ends a request that nobody reads and that has arrived as a whole, nearly always one without a body. Node would let it flow to
 * its end, destroy it and tell nobody, over five turns of its queue.
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

/** Closes whatever response is being written when its connection closes: one listener for all, where Node has one for each. */
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
