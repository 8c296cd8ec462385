import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { CollectedBytes } from '../../../kernel/bounded/index.js';
import { fwError } from '../../../kernel/index.js';
import { answerTo, answerToRepeatable } from '../../../kernel/net/index.js';
import type { LocalAggregator } from '../../../kernel/contracts/fleet.js';
import { objectOf, parsedJson, withoutEnd } from '../../../kernel/values/index.js';
import { DASHBOARD_FLEET_ERRORS as ERRORS } from './errors.js';

/** Milliseconds; merging the log lines of a trace takes an aggregator up to two seconds by itself. */
const TIMEOUT_MS = 5_000;
/** Milliseconds in which the beginning of an answer must have come, and again its rest: one byte now and then does not hold a socket. */
const WHOLE_MS = 30_000;
/** Bytes of an answer that is held in memory. */
const MAX_ANSWER = 16 * 1024 * 1024;
const MAX_SOCKETS = 16;

/** Address of an aggregator, and the credentials for it. */
interface AggregatorAccess {
  /** Its mount, or a path when it runs in this application. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Write credential, for imports. */
  readonly ingestToken?: string | undefined;
}

/** The application that the dashboard runs in. */
export interface OwnApplication {
  /** Its address, once it listens. */
  url(): string;
  readonly aggregator: LocalAggregator | undefined;
}

/** One request to the aggregator. */
interface Call {
  readonly path: string;
  readonly query?: string;
  readonly body?: Readable;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call early: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * The dashboard's client of its aggregator. Only the operator sets the host, never the browser; credentials are not sent to the browser;
 * redirects are not followed.
 */
export class AggregatorLink {
  readonly #http = new HttpAgent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  readonly #https = new HttpsAgent({ keepAlive: true, maxSockets: MAX_SOCKETS });

  /**
   * @param own - for an aggregator that runs in this application
   * @throws FwError `FW_DASHBOARD_FLEET_URL`
   */
  constructor(
    private readonly access: AggregatorAccess,
    private readonly own: OwnApplication,
  ) {
    if (!isPath(access.url)) checkedUrl(access.url);
  }

  /** The aggregator's mount, without a slash at the end. */
  get base(): string {
    const { url } = this.access;
    const absolute = isPath(url) ? new URL(url, this.own.url()) : new URL(url);
    return withoutEnd(absolute.origin + absolute.pathname, '/');
  }

  /** Address of its WebSocket. */
  get socketUrl(): string {
    return `${this.base.replace(/^http/, 'ws')}/ws`;
  }

  /** The first frame on its WebSocket, with the credentials. */
  get greeting(): string {
    const { username = '', password = '' } = this.access;
    return JSON.stringify({ type: 'auth', role: 'viewer', username, password, token: this.#processToken });
  }

  /**
   * Reads JSON.
   * @throws FwError `FW_DASHBOARD_FLEET_*`
   */
  async read(call: Call): Promise<Buffer> {
    const answer = await this.#send({ ...call, headers: { ...call.headers, ...this.#credentials() } });
    return this.#collect(answer);
  }

  /**
   * Reads a file of any size.
   * @throws FwError `FW_DASHBOARD_FLEET_*`, before the first byte
   */
  async download(call: Call): Promise<IncomingMessage> {
    const answer = await this.#send({ ...call, headers: this.#credentials() });
    // From here on the browser sets the pace, so no timeout applies.
    answer.socket.setTimeout(0);
    return answer;
  }

  /**
   * Sends a body under the write credential.
   * @throws FwError `FW_DASHBOARD_FLEET_*`
   */
  async write(call: Call): Promise<Buffer> {
    const token = this.access.ingestToken || this.#processToken;
    const headers = { ...call.headers, ...(token && { 'x-fleet-token': token }) };
    return this.#collect(await this.#send({ ...call, headers }));
  }

  /**
   * Changes something as the viewer whose credentials the dashboard has.
   * @throws FwError `FW_DASHBOARD_FLEET_*`
   */
  async act(call: Call): Promise<Buffer> {
    const headers = { ...call.headers, 'content-type': 'application/json', ...this.#credentials() };
    return this.#collect(await this.#send({ ...call, headers }));
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  // The token of this process, which must not be sent to an aggregator of another application.
  get #processToken(): string | undefined {
    return isPath(this.access.url) ? this.own.aggregator?.processToken : undefined;
  }

  #credentials(): Readonly<Record<string, string>> {
    const { username, password } = this.access;
    const token = this.#processToken;
    const own: Record<string, string> = token === undefined ? {} : { 'x-fleet-token': token };
    if (!username || !password) return own;
    return { ...own, authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
  }

  async #send({ path, query, body, headers, signal }: Call): Promise<IncomingMessage> {
    const url = new URL(`${this.base}/api/${path}${query ? `?${query}` : ''}`);
    const answer = await this.#exchange(url, body, { accept: 'application/json', ...headers }, signal);
    const status = answer.statusCode ?? 0;
    const isJson = /^application\/json\b/.test(answer.headers['content-type'] ?? '');
    if (status >= 200 && status < 300 && isJson) return answer;
    throw await this.#refusal(answer, status, isJson, body !== undefined);
  }

  async #exchange(
    url: URL,
    body: Readable | undefined,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const isSecure = url.protocol === 'https:';
    const agent = isSecure ? this.#https : this.#http;
    const options = { method: body ? 'POST' : 'GET', headers, agent, signal, timeout: TIMEOUT_MS };
    const begin = () => this.#limited((isSecure ? httpsRequest : httpRequest)(url, options));
    try {
      if (body === undefined) return await answerToRepeatable(() => begin().end());
      const sent = begin();
      body.on('error', (cause) => sent.destroy(cause)).pipe(sent);
      return await answerTo(sent);
    } catch (cause) {
      throw this.#unreachable(cause);
    }
  }

  /** Limits the time without anything on the connection, and from the end of the request to the beginning of its answer. */
  #limited(sent: ClientRequest): ClientRequest {
    sent.on('timeout', () => sent.destroy(this.#late(TIMEOUT_MS)));
    sent.on('finish', () => {
      const beginning = setTimeout(() => sent.destroy(this.#late(WHOLE_MS)), WHOLE_MS);
      for (const event of ['response', 'close']) sent.once(event, () => clearTimeout(beginning));
    });
    return sent;
  }

  #late(ms: number) {
    const reason = ms === TIMEOUT_MS ? `nothing came for ${ms} ms` : `its answer took longer than ${ms} ms`;
    return fwError(ERRORS.FW_DASHBOARD_FLEET_UNREACHABLE, { url: this.base, reason });
  }

  #unreachable(cause: unknown) {
    const { code, message } = cause as { readonly code?: string; readonly message?: string };
    if (code === 'FW_DASHBOARD_FLEET_UNREACHABLE') return cause;
    const reason = code === 'ECONNREFUSED' ? 'nothing listens there' : message || code || 'no connection';
    return fwError(ERRORS.FW_DASHBOARD_FLEET_UNREACHABLE, { url: this.base, reason }, { cause });
  }

  // Passes the aggregator's message on for errors of the user's request; other errors concern only the two servers.
  async #refusal(answer: IncomingMessage, status: number, isJson: boolean, isWrite: boolean): Promise<Error> {
    const url = this.base;
    if (status === 401 || status === 403) {
      answer.destroy();
      const needs = isWrite ? 'it wants its ingest token' : 'it wants a user name and a password';
      return fwError(ERRORS.FW_DASHBOARD_FLEET_REFUSED, { url, status, needs });
    }
    const code = ({ 400: 'REQUEST', 404: 'GONE', 413: 'TOO_LARGE' } as const)[status];
    const reason = isJson && code ? errorText(await this.#collect(answer)) : undefined;
    if (code && reason !== undefined) return fwError(ERRORS[`FW_DASHBOARD_FLEET_${code}`], { reason });
    answer.destroy();
    const problem = status >= 200 && status < 300 ? 'its answer is no JSON' : `it answered ${status}`;
    return fwError(ERRORS.FW_DASHBOARD_FLEET_ANSWER, { url, problem });
  }

  async #collect(answer: IncomingMessage): Promise<Buffer> {
    const body = new CollectedBytes();
    const rest = setTimeout(() => answer.destroy(this.#late(WHOLE_MS)), WHOLE_MS);
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        body.add(chunk);
        if (body.size > MAX_ANSWER) break;
      }
    } catch (cause) {
      throw this.#unreachable(cause);
    } finally {
      clearTimeout(rest);
    }
    if (body.size <= MAX_ANSWER) return body.take();
    answer.destroy();
    const problem = `an answer is larger than ${MAX_ANSWER} bytes`;
    throw fwError(ERRORS.FW_DASHBOARD_FLEET_ANSWER, { url: this.base, problem });
  }
}

function isPath(url: string): boolean {
  return url.startsWith('/') && !url.startsWith('//');
}

function checkedUrl(text: string): void {
  const refuse = (problem: string, url = text) => fwError(ERRORS.FW_DASHBOARD_FLEET_URL, { url, problem });
  if (!URL.canParse(text)) throw refuse('that is no URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('only http and https are spoken');
  if (url.username || url.password) throw refuse('credentials do not belong into it', url.host);
  if (url.search || url.hash) throw refuse('it has a query or a fragment');
}

// The message of an aggregator's error, `{"error": "..."}`.
function errorText(body: Buffer): string | undefined {
  const { error } = objectOf(parsedJson(body));
  return typeof error === 'string' ? error : undefined;
}
