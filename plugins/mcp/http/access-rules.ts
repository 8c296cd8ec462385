import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '../cli/banner.js';
import { CONTROL_ADDRESS, type Rejection } from './rejection.js';

/** Who may talk to a control address. */
export interface AccessRulesOptions {
  readonly token: string;
  /** Address that the server listens on. */
  readonly host: string;
  readonly allowedOrigins: readonly string[];
}

/** A token that cannot be guessed: 32 random bytes as hex. */
export function generateToken(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Checks that every request must pass, the handshake too, in this order: token, `Host`, `Origin` (SPEC "Authentication", 2).
 * `Host` and `Origin` are what keeps a web page from reaching a server on its visitor's own machine.
 */
export class AccessRules {
  readonly #digest: Buffer;
  readonly #origins: ReadonlySet<string>;

  constructor(private readonly options: AccessRulesOptions) {
    this.#digest = digestOf(options.token);
    this.#origins = new Set(options.allowedOrigins.map(normalOrigin));
  }

  /** True when any web page may connect. */
  get anyOrigin(): boolean {
    return this.#origins.has('*');
  }

  /** @param port - the port that the server really listens on */
  check(headers: IncomingHttpHeaders, port: number): Rejection | undefined {
    if (!this.#carriesToken(headers.authorization)) return UNAUTHORIZED;
    if (!this.#isHostKnown(headers.host)) {
      const message = `The Host header ${quoted(headers.host)} does not name this machine. Connect to http://127.0.0.1:${port}/mcp.`;
      return { status: 403, reason: 'Host', message };
    }
    if (!this.#isOriginAllowed(headers.origin, port)) {
      const message = `The origin ${quoted(headers.origin)} may not connect. Allow it with --allow-origin, or allowedOrigins in-process.`;
      return { status: 403, reason: 'Origin', message };
    }
    return undefined;
  }

  // Digests have one length, so that comparing takes the same time whatever was sent.
  #carriesToken(authorization: string | undefined): boolean {
    const given = /^bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim() ?? '';
    return timingSafeEqual(digestOf(given), this.#digest) && given !== '';
  }

  // Beyond loopback the names under which a machine is reached cannot be known.
  #isHostKnown(host: string | undefined): boolean {
    if (!isLoopbackHost(this.options.host)) return true;
    const name = (host ?? '').toLowerCase().replace(/:\d*$/, '');
    return isLoopbackHost(name) || name === this.options.host.toLowerCase();
  }

  #isOriginAllowed(origin: string | undefined, port: number): boolean {
    if (origin === undefined || this.anyOrigin) return true;
    const wanted = normalOrigin(origin);
    return this.#origins.has(wanted) || ownOrigins(this.options.host, port).includes(wanted);
  }
}

const UNAUTHORIZED: Rejection = {
  status: 401,
  reason: 'token',
  message: `A bearer token is required on every request: Authorization: Bearer <token>. ${CONTROL_ADDRESS}`,
  headers: { 'WWW-Authenticate': 'Bearer realm="fw-mcp"' },
};

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function normalOrigin(origin: string): string {
  return origin.trim().toLowerCase().replace(/\/$/, '');
}

function ownOrigins(host: string, port: number): readonly string[] {
  const names = [
    'localhost',
    '127.0.0.1',
    '[::1]',
    ...(host === '0.0.0.0' || host === '::' ? [] : [host.toLowerCase()]),
  ];
  return names.flatMap((name) =>
    ['http', 'https'].flatMap((scheme) => [`${scheme}://${name}`, `${scheme}://${name}:${port}`]),
  );
}

function quoted(text: string | undefined): string {
  return JSON.stringify((text ?? '').slice(0, 200));
}
