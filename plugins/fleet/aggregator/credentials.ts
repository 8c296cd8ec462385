import {
  type Clock,
  type Door,
  type DoorRequest,
  fwError,
  type FwError,
  type LocalDoors,
} from '../../../kernel/index.js';
import { LoginThrottle } from '../../../kernel/net/index.js';
import { KnownSecret, newSecret } from '../../../kernel/secrets/index.js';
import { thisWorker } from '../../../kernel/workers/index.js';
import { AGGREGATOR_ERRORS } from './errors.js';
import type { AggregatorSettings } from './options.js';

type Settings = Pick<AggregatorSettings, 'username' | 'password' | 'ingestToken'>;

const READING: Door = {
  name: 'the read API of the Fleet aggregator',
  credential:
    'username and password of fw/fleet/aggregator (FLEET_USERNAME and FLEET_PASSWORD of `fw start aggregator`)',
};
const WRITING: Door = {
  name: 'the write API of the Fleet aggregator',
  credential: 'ingestToken of fw/fleet/aggregator and of its services (FLEET_INGEST_TOKEN)',
};

/**
 * Who may write and who may read: two separate credentials, compared in constant time. Where one is not configured, this process has access
 * with its own token, and {@link LocalDoors} decides about everybody else.
 */
export class Credentials {
  /** Gives this process and its fellow workers (tracers, dashboard) access to what has no credential. */
  readonly processToken = thisWorker()?.secret ?? newSecret();
  readonly #process = new KnownSecret(this.processToken);
  readonly #viewer: KnownSecret | undefined;
  readonly #token: KnownSecret | undefined;
  readonly #throttle: LoginThrottle;

  constructor(
    { username, password, ingestToken }: Settings,
    private readonly doors: LocalDoors,
    clock: Clock,
  ) {
    this.#throttle = new LoginThrottle(clock);
    this.#viewer = username !== '' && password !== '' ? new KnownSecret(`${username}:${password}`) : undefined;
    this.#token = ingestToken === '' ? undefined : new KnownSecret(ingestToken);
  }

  /** Whether reading needs a name and a password: when both are configured. */
  get guardsReading(): boolean {
    return this.#viewer !== undefined;
  }

  /** Whether writing needs a token. */
  get guardsWriting(): boolean {
    return this.#token !== undefined;
  }

  /** Whether spans from beyond the process are taken without a token, e.g. from a broker. */
  get takesUnsigned(): boolean {
    return !this.guardsWriting && this.doors.closedBecause === undefined;
  }

  /** Whether nobody from beyond the process can read, write, or both. */
  get isClosed(): boolean {
    return !(this.guardsReading && this.guardsWriting) && this.doors.closedBecause !== undefined;
  }

  /** Numbers of failed logins. */
  get failedLogins() {
    return this.#throttle.stats();
  }

  /** Sentences for the log of the boot, one for each credential that is not configured. */
  get openness(): readonly string[] {
    const doors = [...(this.guardsReading ? [] : [READING]), ...(this.guardsWriting ? [] : [WRITING])];
    return doors.map((door) => this.doors.describe(door));
  }

  /** @returns why the request may not read; after eight wrong logins of an address, an error that asks it to wait */
  refuseRead(request: DoorRequest): FwError | undefined {
    const { authorization = '', 'x-fleet-token': token } = request.headers;
    if (this.#viewer === undefined)
      return this.#process.isGivenAs(token) ? undefined : this.doors.refusal(request, READING);
    const peer = this.doors.peerOf(request);
    // A dashboard of this process asks from the same address as everybody on this machine or behind its proxy.
    const isOwn = token !== undefined && this.#process.isGivenAs(token);
    const seconds = isOwn ? 0 : this.#throttle.blockedFor(peer);
    if (seconds > 0) return fwError(AGGREGATOR_ERRORS.FW_FLEET_TOO_MANY_LOGINS, { seconds });
    const basic = /^basic ([a-z0-9+/=_-]+)$/i.exec(authorization)?.[1] ?? '';
    const login = Buffer.from(basic, 'base64').toString();
    const isKnown = this.#viewer.isGivenAs(login);
    // A browser sends no credentials before it is asked for them, so that does not count as a failed login.
    if (!isOwn && isKnown) this.#throttle.succeeded(peer);
    else if (!isOwn && authorization !== '') this.#throttle.failed(peer);
    return isKnown ? undefined : unauthorized();
  }

  /** @returns why the request may not write */
  refuseWrite(request: DoorRequest): FwError | undefined {
    const { 'x-fleet-token': token } = request.headers;
    if (this.#token === undefined)
      return this.#process.isGivenAs(token) ? undefined : this.doors.refusal(request, WRITING);
    return this.#token.isGivenAs(token) ? undefined : unauthorized();
  }
}

function unauthorized(): FwError {
  return fwError(AGGREGATOR_ERRORS.FW_FLEET_UNAUTHORIZED, {});
}
