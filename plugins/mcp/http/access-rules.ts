import type { IncomingHttpHeaders } from 'node:http';
import { fwError } from '../../../kernel/errors/index.js';
import { isLoopbackHost } from '../../../kernel/net/index.js';
import { KnownSecret } from '../../../kernel/secrets/index.js';
import { MCP_ERRORS } from '../errors.js';
import { CONTROL_ADDRESS, type Rejection } from './rejection.js';

/** Who may talk to a control address. */
interface AccessRulesOptions {
  readonly token: string;
  /** Address that the server listens on. */
  readonly host: string;
  readonly allowedOrigins: readonly string[];
}

/**
 * Checks for every request, including the handshake, in this order: token, `Host`, `Origin` (SPEC "Authentication", 2). The checks of
 * `Host` and `Origin` keep web pages from reaching a server on their visitor's machine.
 */
export class AccessRules {
  readonly #token: KnownSecret;
  readonly #origins: ReadonlySet<string>;

  /** @throws FwError `FW_MCP_ORIGIN` for an allowed origin that names no page */
  constructor(private readonly options: AccessRulesOptions) {
    this.#token = new KnownSecret(options.token);
    this.#origins = new Set(options.allowedOrigins.map(pageOrigin));
  }

  /** Headers that let a page of another origin read the answer: only for a listed origin. */
  forBrowsers({ origin }: IncomingHttpHeaders): Readonly<Record<string, string>> {
    if (!this.#isListed(origin)) return {};
    return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED, Vary: 'Origin' };
  }

  /**
   * The answer to a preflight of a listed origin, before the check of the token, which a browser does not send with it (Fetch,
   * "CORS-preflight fetch"). Undefined for every other request, which is then checked.
   */
  preflight(method: string | undefined, headers: IncomingHttpHeaders): Readonly<Record<string, string>> | undefined {
    const asks = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (!asks || !this.#isListed(headers.origin) || !this.#isHostKnown(headers.host)) return undefined;
    return {
      ...this.forBrowsers(headers),
      'Access-Control-Allow-Methods': 'GET, POST, DELETE',
      'Access-Control-Allow-Headers': ALLOWED,
      'Access-Control-Max-Age': '600',
      // Private Network Access: a public page may access a server on its visitor's machine only if the server agrees.
      ...(headers['access-control-request-private-network'] === 'true' && {
        'Access-Control-Allow-Private-Network': 'true',
      }),
    };
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

  #carriesToken(authorization: string | undefined): boolean {
    return this.#token.isGivenAs(/^bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim());
  }

  // On other than loopback addresses, the names of the machine are unknown, so every Host is accepted.
  #isHostKnown(host: string | undefined): boolean {
    if (!isLoopbackHost(this.options.host)) return true;
    const name = (host ?? '').toLowerCase().replace(/:\d*$/, '');
    return isLoopbackHost(name) || name === this.options.host.toLowerCase();
  }

  #isListed(origin: string | undefined): origin is string {
    return origin !== undefined && this.#origins.has(normalOrigin(origin));
  }

  #isOriginAllowed(origin: string | undefined, port: number): boolean {
    if (origin === undefined) return true;
    const wanted = normalOrigin(origin);
    return this.#origins.has(wanted) || ownOrigins(this.options.host, port).includes(wanted);
  }
}

/** Request headers of MCP clients in browsers: those of its transports, and of resumed SSE streams. */
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Last-Event-ID',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');
/** Response headers that a page may read: without the session id it could not send a second request. */
const EXPOSED = 'Mcp-Session-Id, WWW-Authenticate, Retry-After';

const UNAUTHORIZED: Rejection = {
  status: 401,
  reason: 'token',
  message: `A bearer token is required on every request: Authorization: Bearer <token>. ${CONTROL_ADDRESS}`,
  headers: { 'WWW-Authenticate': 'Bearer realm="fw-mcp"' },
};

/** An origin without a path (RFC 6454, section 6.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/,?#*]+$/;

// Any page may say that its origin is `null`, and `*` would let in whatever page the machine's user visits.
function pageOrigin(given: string): string {
  const origin = normalOrigin(given);
  if (!ORIGIN.test(origin)) throw fwError(MCP_ERRORS.FW_MCP_ORIGIN, { given: quoted(given) });
  return origin;
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
