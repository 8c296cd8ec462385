import { token } from '../container/token.js';

/** An address that a person may open once the application runs; `fw start` prints it. */
export interface Address {
  /** What is there, in a few words: `API reference`. */
  readonly label: string;
  /** The URL; called after the boot, when ports are known. Undefined leaves the line out. */
  url(): string | undefined;
  /** A note for the reader, in a few words: `closed until its credentials are set`. */
  note?(): string | undefined;
}

/** Plugins contribute the addresses that they serve. */
export const Address = token<Address>('fw.Address');
