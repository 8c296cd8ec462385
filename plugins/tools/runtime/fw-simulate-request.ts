import { randomBytes } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { ToolData } from '../../../kernel/contracts/tool.js';
import { brief, defineTool, fwError, type ToolContext, type ToolResult } from '../../../kernel/index.js';
import { exchange, type ExchangeResponse } from '../../../kernel/net/index.js';
import {
  Anything,
  Integer,
  Numeric,
  optional,
  optionalText,
  Text,
  Texts,
  YesNo,
} from '../../../kernel/schema/index.js';
import { parsedJson } from '../../../kernel/values/index.js';
import { RUNTIME_ERRORS } from './errors.js';
import { basic, unreachable } from './live-service.js';
import { addressOf } from './service-input.js';
import { MARKER, RecordedRequest, recordedRequest } from './recorded-request.js';
import { notesOn, readingOf } from './status-reading.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
/** Safe methods: RFC 9110, section 9.2.1. */
const SAFE = ['GET', 'HEAD', 'OPTIONS'];
const TIMEOUT_MS = 30_000;
const READ_BYTES = 1024 * 1024;
const SHOWN_BYTES = 8_192;
const BRIEF_BYTES = 2_000;
// Response headers with credentials or information about other clients.
const WITHHELD = new Set([
  'authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key', 'x-fleet-token', 'x-mcp-token',
  'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip',
]); // prettier-ignore

// Headers that nearly every answer has, without information about this one.
const USUAL =
  /^(date|connection|keep-alive|server|x-(content-type-options|frame-options|xss-protection|dns-prefetch-control|permitted-cross-domain-policies|download-options)|content-security-policy|referrer-policy|strict-transport-security|permissions-policy|origin-agent-cluster|cross-origin-.*)$/;

const input = Type.Object({
  service_url: optionalText("default the workspace's running app"),
  path: Type.String({ minLength: 1, description: 'path and query' }),
  method: optionalText('default GET'),
  body: optionalText('sent as it is'),
  headers: optional(Type.Record(Text, Text)),
  token: optionalText('bearer'),
  username: optional(Text),
  password: optional(Text),
  detail: optional(Type.Boolean({ description: 'whole body and headers' })),
});
const output = Type.Object({
  url: Text,
  method: Text,
  status: Integer,
  reading: Type.String({
    description: 'not-found, unauthorized, wrong-method, server-error, rejected, redirect, routed or informational',
  }),
  duration_ms: Numeric,
  content_type: optional(Text),
  body_bytes: Integer,
  failed_at: optionalText("top line of the app's own source"),
  cause: optional(RecordedRequest.properties.cause),
  logged: optional(RecordedRequest.properties.logged),
  statements: optional(RecordedRequest.properties.statements),
  last_statement: optional(RecordedRequest.properties.last_statement),
  body: optionalText('of what is not JSON: the first 2000 bytes, with detail 8192'),
  body_truncated: optional(YesNo),
  json_body: optional(Anything),
  headers: Type.Record(Text, Text),
  sent_headers: Type.Array(Text, { description: 'names only' }),
  notes: Texts,
});
type Given = Static<typeof input>;

export const fwSimulateRequest = defineTool({
  name: 'fw_simulate_request',
  description: 'Send one real HTTP request to a running app: the answer, and when it failed why, with stack and log.',
  input,
  output,
  // `path` is the path of a URL, not of a file.
  texts: ['service_url', 'path', 'method', 'body', 'headers', 'token', 'username', 'password'],
  reach: 'inProcess',
  effects: ['sends-requests'],
  heedsReadOnly: true,
  run: async (given, context) => {
    const method = methodOf(given.method, context.readOnly);
    const base = await addressOf(given, context);
    const url = urlOf(base, given.path);
    const headers = headersOf(given);
    const marker = randomBytes(16).toString('hex');
    const from = performance.now();
    const common = { timeoutMs: TIMEOUT_MS, maxBytes: READ_BYTES, signal: context.signal };
    try {
      const response = await exchange({
        url,
        method,
        headers: { ...headers, [MARKER]: marker },
        ...(given.body !== undefined && { body: given.body }),
        ...common,
      });
      const ms = performance.now() - from;
      const recorded = await recordedRequest(given, base, marker, response.status, context);
      return answered(given, { url, method, sent: Object.keys(headers).sort(), recorded }, response, ms);
    } catch (error) {
      return notAnswered(url, method, error, context);
    }
  },
});

function methodOf(given: string | undefined, readOnly: boolean): string {
  const method = (given ?? 'GET').trim().toUpperCase();
  if (!(METHODS as readonly string[]).includes(method)) {
    const problem = `only these methods are sent: ${METHODS.join(', ')}`;
    throw fwError(RUNTIME_ERRORS.FW_TOOLS_LIVE_URL, { argument: 'method', given: JSON.stringify(given), problem });
  }
  if (readOnly && !SAFE.includes(method)) throw fwError(RUNTIME_ERRORS.FW_TOOLS_READ_ONLY, { method, allowed: SAFE });
  return method;
}

// Appends the path to the address as text, so that it cannot name another host.
function urlOf(base: string, path: string): string {
  const trimmed = path.trim();
  const url = `${base}${trimmed.startsWith('/') ? '' : '/'}${trimmed}`;
  if (trimmed !== '' && URL.canParse(url) && new URL(url).origin === new URL(base).origin) return url;
  const problem = 'that is not the path of a URL';
  throw fwError(RUNTIME_ERRORS.FW_TOOLS_LIVE_URL, {
    argument: 'path',
    given: JSON.stringify(path.slice(0, 200)),
    problem,
  });
}

function headersOf({ headers = {}, body, token, username, password }: Given): Record<string, string> {
  if (token && (username || password)) throw fwError(RUNTIME_ERRORS.FW_TOOLS_LIVE_CREDENTIALS, {});
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (body !== undefined && /^\s*[{[]/.test(body)) sent['content-type'] ??= 'application/json';
  if (token) sent['authorization'] = `Bearer ${token}`;
  else if (username || password) sent['authorization'] = basic(username ?? '', password ?? '');
  return sent;
}

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly sent: string[];
  readonly recorded: RecordedRequest;
}

function answered(
  given: Given,
  { url, method, sent, recorded }: Sent,
  response: ExchangeResponse,
  ms: number,
): ToolResult<ToolData<Static<typeof output>>> {
  const { status, body, truncated } = response;
  const contentType = response.headers['content-type'];
  const json = jsonOf(contentType, body, truncated);
  const { notes: recordNotes, ...found } = recorded;
  const shownBytes = given.detail ? SHOWN_BYTES : BRIEF_BYTES;
  const isShown = body.length > 0 && (json === undefined || body.length > shownBytes);
  const structured = {
    url,
    method,
    status,
    reading: readingOf(status),
    duration_ms: Math.round(ms * 100) / 100,
    content_type: contentType,
    failed_at: recorded.cause?.at,
    ...found,
    body_bytes: body.length,
    body: isShown ? body.subarray(0, shownBytes).toString('utf8') : undefined,
    body_truncated: body.length > shownBytes || truncated || undefined,
    json_body: isShown ? undefined : json,
    headers: shownHeaders(response, given.detail ?? false),
    sent_headers: sent,
    notes: [
      ...recordNotes,
      ...notesOn({
        given,
        method,
        status,
        contentType,
        bytes: body.length,
        json,
        cause: recorded.cause,
        isExplained: recordNotes.length > 0,
      }),
    ],
  };
  const why = recorded.cause
    ? `: ${recorded.cause.name} at ${recorded.cause.at || 'an unknown place'}: ${brief(recorded.cause.message, 120)}`
    : ` (${structured.reading})`;
  return { summary: `${method} ${url} answered ${status} in ${Math.round(ms)} ms${why}`, structured };
}

function notAnswered(url: string, method: string, error: unknown, context: ToolContext): ToolResult<never> {
  context.signal.throwIfAborted();
  const text = unreachable(url, error);
  const structured = { url, method, kind: 'unreachable', error: text, note: 'No status was received.' };
  return { summary: text, structured: structured as never, isError: true };
}

function jsonOf(contentType: string | undefined, body: Buffer, truncated: boolean): unknown {
  return truncated || !/[/+]json\b/i.test(contentType ?? '') ? undefined : parsedJson(body);
}

function shownHeaders({ headers }: ExchangeResponse, detail: boolean): Record<string, string> {
  const shown = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !WITHHELD.has(name) && (detail || !USUAL.test(name)),
  );
  return Object.fromEntries(
    shown.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}
