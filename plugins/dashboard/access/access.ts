import type { Clock, Door, HttpContext, LocalDoors } from '../../../kernel/index.js';
import { LoginThrottle } from '../../../kernel/net/index.js';
import { KnownSecret } from '../../../kernel/secrets/index.js';
import { SESSION_COOKIE, SESSION_MS, Sessions } from './sessions.js';

/** Who may read the dashboard. */
interface AccessOptions {
  readonly basePath: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly serviceToken?: string | undefined;
}

/** Why a request is turned away. */
export interface Denied {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Result of a login. */
type LoginResult =
  | { readonly ok: true; readonly cookie: string }
  | { readonly ok: false; readonly error: string; readonly retryAfter: number };

const DOOR: Door = { name: 'the dashboard', credential: 'username and password of fw/dashboard' };

/** Stands for the session of a dashboard without login. */
const NO_SESSION = '';

/**
 * Checks who may read the dashboard. Credentials are enforced when both are set (SPEC "Authentication", 6). Without them
 * {@link LocalDoors} decides.
 */
export class DashboardAccess {
  readonly #login: KnownSecret;
  readonly #serviceToken: KnownSecret;
  readonly #throttle: LoginThrottle;
  readonly #sessions: Sessions;

  constructor(
    private readonly options: AccessOptions,
    clock: Clock,
    private readonly doors: LocalDoors,
  ) {
    this.#login = new KnownSecret(`${options.username}:${options.password}`);
    this.#serviceToken = new KnownSecret(options.serviceToken ?? '');
    this.#throttle = new LoginThrottle(clock);
    this.#sessions = new Sessions(clock);
  }

  /** Whether credentials are enforced. */
  get enforced(): boolean {
    return Boolean(this.options.username) && Boolean(this.options.password);
  }

  /** Numbers of the sessions and of failed logins, for the probe. */
  stats() {
    return { ...this.#sessions.stats(), failed_logins: this.#throttle.stats() };
  }

  /** What the log of the boot says of a dashboard without credentials; undefined with them. */
  get openness(): string | undefined {
    return this.enforced ? undefined : this.doors.describe(DOOR);
  }

  /** Whether nobody gets in: there are no credentials, and without them the door is closed. */
  get isClosed(): boolean {
    return !this.enforced && this.doors.closedBecause !== undefined;
  }

  /** @param tokenAllowed - whether the service token opens this endpoint too */
  check(context: HttpContext, tokenAllowed = false): Denied | undefined {
    const token = context.get('x-fleet-token');
    // A request with a token is judged by the token alone: falling back to the login would hide a wrong token.
    if (tokenAllowed && token !== '') return this.#serviceToken.isGivenAs(token) ? undefined : this.#unauthorized();
    if (!this.enforced) return this.#refusedAtDoor(context);
    return this.sessionOf(context) === undefined ? this.#checkBasic(context) : undefined;
  }

  /**
   * Checks a request that changes something, after {@link check}: it has to come from the dashboard's own pages, which know
   * the token of their session. A program that sends a password instead of a session needs none, since no web page can make
   * it do so.
   */
  checkWrite(context: HttpContext): Denied | undefined {
    const session = this.#csrfSubject(context);
    if (session !== undefined && this.#sessions.isCsrf(session, context.get('x-fw-csrf'))) return undefined;
    const fromProgram = session === undefined && context.get('origin') === '' && context.get('sec-fetch-site') === '';
    return fromProgram
      ? undefined
      : forbidden('The request lacks the X-FW-CSRF token of its session. Reload the dashboard.');
  }

  /** Checks the opening of a WebSocket: browsers send no password there, only the session. */
  checkSocket(context: HttpContext): Denied | undefined {
    if (!this.enforced) return this.#refusedAtDoor(context);
    return this.sessionOf(context) === undefined ? this.#unauthorized() : undefined;
  }

  /** Token for `X-FW-CSRF`, put into the pages; empty when the request has no session. */
  csrfOf(context: HttpContext): string {
    const session = this.#csrfSubject(context);
    return session === undefined ? '' : this.#sessions.csrfOf(session);
  }

  /** Id of the request's session, when there is an open one. */
  sessionOf(context: HttpContext): string | undefined {
    const id = cookieOf(context, SESSION_COOKIE);
    return id !== undefined && this.#sessions.isOpen(id) ? id : undefined;
  }

  /** Checks a password and opens a session. */
  login(context: HttpContext, username: string, password: string): LoginResult {
    const peer = context.clientIp;
    const retryAfter = this.#throttle.blockedFor(peer);
    if (retryAfter > 0) return { ok: false, error: 'Too many failed logins. Try again later.', retryAfter };
    if (!this.#login.isGivenAs(`${username}:${password}`)) {
      this.#throttle.failed(peer);
      return { ok: false, error: 'User name or password is wrong.', retryAfter: 0 };
    }
    this.#throttle.succeeded(peer);
    const cookie = this.openSession(context);
    return cookie === undefined
      ? { ok: false, error: 'Too many people are logged in.', retryAfter: 0 }
      : { ok: true, cookie };
  }

  /** @returns the value of Set-Cookie for a new session; undefined when there are too many */
  openSession(context: HttpContext): string | undefined {
    const id = this.#sessions.open();
    return id === undefined ? undefined : this.#cookie(context, id, SESSION_MS / 1000);
  }

  /** Ends the request's session. @returns the value of Set-Cookie that removes the cookie */
  logout(context: HttpContext): string {
    const id = this.sessionOf(context);
    if (id !== undefined) this.#sessions.close(id);
    return this.#cookie(context, '', 0);
  }

  #refusedAtDoor({ req }: HttpContext): Denied | undefined {
    const refusal = this.doors.refusal(req, DOOR);
    return refusal && forbidden(refusal.message);
  }

  #csrfSubject(context: HttpContext): string | undefined {
    return this.enforced ? this.sessionOf(context) : NO_SESSION;
  }

  #cookie(context: HttpContext, value: string, maxAgeSeconds: number): string {
    const secure = context.secure || context.get('x-forwarded-proto') === 'https' ? '; Secure' : '';
    return `${SESSION_COOKIE}=${value}; Path=${this.options.basePath}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
  }

  #checkBasic(context: HttpContext): Denied | undefined {
    const peer = context.clientIp;
    const retryAfter = this.#throttle.blockedFor(peer);
    if (retryAfter > 0) return tooMany(retryAfter);
    const given = /^basic +(\S+)$/i.exec(context.get('authorization'))?.[1];
    if (given === undefined) return this.#unauthorized();
    if (this.#login.isGivenAs(Buffer.from(given, 'base64').toString('utf8'))) {
      this.#throttle.succeeded(peer);
      return undefined;
    }
    this.#throttle.failed(peer);
    return this.#unauthorized();
  }

  #unauthorized(): Denied {
    return { status: 401, body: { error: 'unauthorized', login: `${this.options.basePath}/login` } };
  }
}

/** Value of a cookie of the request. */
export function cookieOf(context: HttpContext, name: string): string | undefined {
  for (const part of context.get('cookie').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

function tooMany(seconds: number): Denied {
  const body = { error: 'too many failed logins' };
  return { status: 429, body, headers: { 'Retry-After': String(seconds) } };
}

function forbidden(error: string): Denied {
  return { status: 403, body: { error } };
}
