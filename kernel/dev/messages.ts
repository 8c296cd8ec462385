// What travels between `fw dev` and the application that it started, over the channel of the child: types only.
import type { AddressInfo } from 'node:net';

/** An error as the message to the other process carries it. */
export interface ToldError {
  /** Code of an `FwError` or a system error. */
  readonly code?: string;
  readonly message: string;
  /** Stack with places in the sources; empty if there is none. */
  readonly stack: string;
  /** A hint, such as the environment variable that an option comes from. */
  readonly hint?: string;
}

/** Where the application can be reached, and what it read. */
export interface ReadyReport {
  readonly name: string;
  readonly addresses: readonly { readonly label: string; readonly url: string; readonly note?: string }[];
  /** Files and folders that it read at the start; absolute. */
  readonly reads: readonly string[];
}

/** What the application loads before it is told to {@link ToApp load} itself. */
export interface AheadModules {
  /** Packages of the framework. */
  readonly packages: readonly string[];
  /** The module that imports all models, relative to the project. */
  readonly models?: string;
}

/** Sent by the application. */
export type FromApp =
  /** Its modules are loaded: it can start as soon as it is told to. */
  | { readonly fw: 'loaded' }
  /** It will listen at an address: who asks there meanwhile waits, or is told why it does not start. */
  | { readonly fw: 'expect'; readonly host: string; readonly port: number }
  /** It wants the connections of an address. */
  | { readonly fw: 'listen'; readonly id: number; readonly host: string; readonly port: number }
  | ({ readonly fw: 'ready' } & ReadyReport)
  | { readonly fw: 'failed'; readonly error: ToldError };

/** Sent by `fw dev`. */
export type ToApp =
  | ({ readonly fw: 'ahead' } & AheadModules)
  /** The application is built: load it. */
  | { readonly fw: 'load' }
  /** Only its configuration is built: say where it will listen, and do not start it. */
  | { readonly fw: 'foretell' }
  /** The earlier process has stopped: start. */
  | { readonly fw: 'go'; readonly greet: boolean }
  | { readonly fw: 'listening'; readonly id: number; readonly address: AddressInfo }
  | { readonly fw: 'refused'; readonly id: number; readonly code: string; readonly message: string }
  /** The socket comes with it. */
  | { readonly fw: 'connection'; readonly id: number }
  /** It will soon be replaced: it closes each connection after its current request. */
  | { readonly fw: 'retire' }
  | { readonly fw: 'stop' };
