import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { fwError, type FwError } from '../../../kernel/index.js';
import { AGGREGATOR_ERRORS } from './errors.js';
import type { AggregatorSettings } from './options.js';

type Settings = Pick<AggregatorSettings, 'username' | 'password' | 'ingestToken'>;

const LOOPBACK = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Who may write and who may read: two separate credentials, compared in constant time. Where one is not configured, only
 * requests to a loopback address that no foreign page has made are let through.
 */
export class Credentials {
  readonly #viewer: Buffer | undefined;
  readonly #token: Buffer | undefined;

  constructor({ username, password, ingestToken }: Settings) {
    this.#viewer = username !== '' && password !== '' ? digest(`${username}:${password}`) : undefined;
    this.#token = ingestToken === '' ? undefined : digest(ingestToken);
  }

  /** Whether reading needs a name and a password: when both are configured. */
  get guardsReading(): boolean {
    return this.#viewer !== undefined;
  }

  /** Whether writing needs a token. */
  get guardsWriting(): boolean {
    return this.#token !== undefined;
  }

  /** @returns why the request may not read */
  refuseRead(headers: IncomingHttpHeaders): FwError | undefined {
    if (this.#viewer === undefined) return refuseUnlessLocal(headers, 'username and password');
    const basic = /^basic ([a-z0-9+/=_-]+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    return this.mayView(Buffer.from(basic, 'base64').toString()) ? undefined : unauthorized();
  }

  /** @returns why the request may not write */
  refuseWrite(headers: IncomingHttpHeaders): FwError | undefined {
    if (this.#token === undefined) return refuseUnlessLocal(headers, 'an ingestToken');
    const token = headers['x-fleet-token'];
    return this.mayIngest(typeof token === 'string' ? token : '') ? undefined : unauthorized();
  }

  /** @param login - `name:password` */
  mayView(login: string): boolean {
    return this.#viewer === undefined || timingSafeEqual(digest(login), this.#viewer);
  }

  mayIngest(token: string): boolean {
    return this.#token === undefined || timingSafeEqual(digest(token), this.#token);
  }
}

// A page of another site can make a browser send requests here, under a name of its own or under ours.
function refuseUnlessLocal(headers: IncomingHttpHeaders, credential: string): FwError | undefined {
  const host = headers.host ?? '';
  const site = headers['sec-fetch-site'];
  const isOwnPage = site === undefined || site === 'same-origin' || site === 'none';
  const isOwnOrigin = headers.origin === undefined || /^https?:\/\/(.+)$/.exec(headers.origin)?.[1] === host;
  if (LOOPBACK.test(host) && isOwnPage && isOwnOrigin) return undefined;
  return fwError(AGGREGATOR_ERRORS.FW_FLEET_NOT_LOCAL, { credential });
}

function unauthorized(): FwError {
  return fwError(AGGREGATOR_ERRORS.FW_FLEET_UNAUTHORIZED, {});
}

// Equal lengths, whatever was sent: comparing takes the same time for every wrong credential.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
