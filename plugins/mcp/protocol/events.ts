import type { ToolCategory } from '../../../kernel/index.js';

/** Why a request did not become a call. Fixed words, because events must not contain a value, a path or a token. */
export type RejectionReason =
  | 'token'
  | 'Host'
  | 'Origin'
  | 'path'
  | 'method'
  | 'Accept'
  | 'Content-Type'
  | 'protocol version'
  | 'body unreadable'
  | 'body too large'
  | 'session missing'
  | 'session unknown'
  | 'too many sessions';

/** Events for the operator of an MCP server; argument names only, never values. */
export type ControlEvent =
  | {
      readonly kind: 'call';
      readonly tool: string;
      readonly outcome: 'ok' | 'error' | 'crash' | 'cancelled';
      readonly ms: number;
      /** Sorted. */
      readonly argumentNames: readonly string[];
    }
  | { readonly kind: 'unknown'; readonly tool: string }
  | { readonly kind: 'refused'; readonly tool: string; readonly requires: ToolCategory }
  | { readonly kind: 'rejected'; readonly status: number; readonly reason: RejectionReason; readonly peer: string }
  | { readonly kind: 'initialized' };

/** Listens to {@link ControlEvent}s. Must not throw. */
export type ControlObserver = (event: ControlEvent) => void;
