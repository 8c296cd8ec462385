// What travels between `fw dev` and the application that it started, over the channel of the child: types only.
import type { AddressInfo } from 'node:net';

/** What went wrong, as far as the other process can be told. */
export interface ToldError {
  /** Of an `FwError`, or of the system. */
  readonly code?: string;
  readonly message: string;
  /** With the places of the sources; empty where there is none. */
  readonly stack: string;
  /** What more there is to know, such as the variable that an option comes from. */
  readonly hint?: string;
}

/** Where the application can be reached, and what it read. */
export interface ReadyReport {
  readonly name: string;
  readonly addresses: readonly { readonly label: string; readonly url: string; readonly note?: string }[];
  /** Files and folders that it read at the start; absolute. */
  readonly reads: readonly string[];
}

/** Sent by the application. */
export type FromApp =
  /** Its modules are loaded: it can start as soon as it is told to. */
  | { readonly fw: 'loaded' }
  /** It wants the connections of an address. */
  | { readonly fw: 'listen'; readonly id: number; readonly host: string; readonly port: number }
  | ({ readonly fw: 'ready' } & ReadyReport)
  | { readonly fw: 'failed'; readonly error: ToldError };

/** Sent by `fw dev`. */
export type ToApp =
  /** The application is built: load it. */
  | { readonly fw: 'load' }
  /** Start; nothing else runs any more. */
  | { readonly fw: 'go'; readonly greet: boolean }
  | { readonly fw: 'listening'; readonly id: number; readonly address: AddressInfo }
  | { readonly fw: 'refused'; readonly id: number; readonly code: string; readonly message: string }
  /** The socket comes with it. */
  | { readonly fw: 'connection'; readonly id: number }
  /** It will soon be replaced: connections are to be closed behind the request that they are in. */
  | { readonly fw: 'retire' }
  | { readonly fw: 'stop' };
