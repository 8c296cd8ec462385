import type { IncomingMessage } from 'node:http';
import { token } from '../container/token.js';
import type { FwError } from '../errors/index.js';

/** A way in that needs a credential as soon as one is set: the dashboard, the read API of an aggregator. */
export interface Door {
  /** As the subject of a sentence: `the dashboard`. */
  readonly name: string;
  /** What to set, and where: `username and password of fw/dashboard`. */
  readonly credential: string;
}

/** The parts of a request that tell where it comes from. */
export type DoorRequest = Pick<IncomingMessage, 'headers' | 'socket' | 'url'>;

/**
 * Decides about doors whose credential is not set. Such a door is a convenience of development: it is open to this machine only, and closed
 * in profile prod, on a listener beyond loopback, and behind trusted proxies. Where the credential is set, the credential alone decides,
 * and this service is not asked.
 */
export interface LocalDoors {
  /** Why every door without a credential is closed; undefined while they are open to this machine. */
  readonly closedBecause: string | undefined;
  /**
   * Why a request may not pass.
   * @returns `FW_HTTP_DOOR_CLOSED`, `FW_HTTP_DOOR_LOCAL`, or undefined for a request that may
   */
  refusal(request: DoorRequest, door: Door): FwError | undefined;
  /** The address that a request comes from, behind the trusted proxies; failed logins are counted by it. */
  peerOf(request: DoorRequest): string;
  /** A sentence for the log of the boot: how far the door is open, and what to set. */
  describe(door: Door): string;
}

/** Provided by the http plugin; complete once the server listens. */
export const LocalDoors = token<LocalDoors>('fw.LocalDoors');
