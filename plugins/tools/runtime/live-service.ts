import type { Static, TObject, TSchema } from 'typebox';
import { Type } from 'typebox';
import { defineTool, type SchemaIssue, type Tool, type ToolContext, validatorOf } from '../../../kernel/index.js';
import { exchange, type ExchangeResponse } from '../../../kernel/net/index.js';
import { Text } from '../../../kernel/schema/index.js';

const TIMEOUT_MS = 5_000;
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const EXCERPT_CHARACTERS = 160;

/** Reason why nothing could be read. */
export type LiveFailureKind = 'malformed' | 'unreachable' | 'unauthorized' | 'missing' | 'status';

/** Data of a failed live call. */
export const LiveFailure = Type.Object({
  error: Type.String({ description: 'malformed, unreachable, unauthorized, missing or status' }),
  detail: Text,
});

/** A live service could not be read; becomes an error result with {@link LiveFailure}. */
export class LiveProblem extends Error {
  constructor(
    readonly kind: LiveFailureKind,
    readonly what: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** Credentials of a live call. */
interface LiveCredentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Sent as `X-Fleet-Token`. */
  readonly token?: string | undefined;
}

/** One document of a live service. */
export interface LiveRequest<Schema extends TSchema> extends LiveCredentials {
  readonly url: string;
  /** What is read, in words: `routes of the service`. */
  readonly what: string;
  readonly schema: Schema;
  /** Meaning of a 404; default: the dashboard is not installed at this path. */
  readonly missing?: string;
}

/**
 * Reads one JSON document of a live service.
 * @throws LiveProblem when it cannot be read or does not fit the schema
 */
export async function readLive<Schema extends TSchema>(
  request: LiveRequest<Schema>,
  context: ToolContext,
): Promise<NoInfer<Static<Schema>>> {
  const response = await sent(request, context);
  const value = jsonOf(response, request.what);
  const [issue] = validatorOf(request.schema).check(value);
  if (issue) throw new LiveProblem('malformed', request.what, `${unexpected(issue)} ${excerpt(response)}`);
  return value as Static<Schema>;
}

/**
 * Makes the `run` of a live tool: a failed read becomes an error result with its kind, so that an agent can tell a stopped service from a
 * wrong password.
 */
export function live<Input extends TObject, Output extends TSchema>(
  run: Tool<Input, Output>['run'],
): Tool<Input, Output>['run'] {
  return async (input, context) => {
    try {
      return await run(input, context);
    } catch (error) {
      if (!(error instanceof LiveProblem)) throw error;
      const structured = { error: error.kind, detail: error.message };
      return { summary: `${error.what}: ${error.message}`, structured: structured as never, isError: true };
    }
  };
}

/** Texts that say where a live service is, and who asks. */
const ADDRESS = ['service_url', 'aggregator_url', 'base_path', 'username', 'password', 'token'];

/** Declares a live tool: it changes nothing, and also runs inside a deployed process. @param tool - `texts` are those beside the address */
export function liveTool<Input extends TObject, Output extends TSchema>(
  tool: Pick<Tool<Input, Output>, 'name' | 'description' | 'input' | 'output' | 'texts' | 'run'>,
): Tool {
  return defineTool<Input, Output>({
    ...tool,
    texts: [...ADDRESS.filter((name) => name in tool.input.properties), ...(tool.texts ?? [])],
    reach: 'inProcess',
    effects: [],
    run: live<Input, Output>(tool.run),
  });
}

async function sent(request: LiveRequest<TSchema>, context: ToolContext): Promise<ExchangeResponse> {
  const { url, what } = request;
  const headers = { accept: 'application/json', ...credentialHeaders(request) };
  const common = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BODY_BYTES, signal: context.signal };
  const response = await exchange({ url, headers, ...common }).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw new LiveProblem('unreachable', what, unreachable(url, error));
  });
  refuseStatus(request, response);
  return response;
}

/** Describes a connection failure and its remedy. */
export function unreachable(url: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `${new URL(url).origin} does not answer (${code ?? message}). Start the service, or check host and port; nothing was read.`;
}

function credentialHeaders({ username, password, token }: LiveCredentials): Record<string, string> {
  return {
    ...(username || password ? { authorization: basic(username ?? '', password ?? '') } : {}),
    ...(token ? { 'x-fleet-token': token } : {}),
  };
}

/** `Authorization` value of HTTP Basic (RFC 7617). */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

function refuseStatus({ what, missing }: LiveRequest<TSchema>, response: ExchangeResponse): void {
  const { status, headers } = response;
  if (status >= 200 && status < 300) return;
  if (status === 401 || status === 403) {
    const words = `The service refused the credentials (${status}): pass username and password. It is installed; the token is another credential, which few endpoints take.`;
    throw new LiveProblem('unauthorized', what, words);
  }
  if (status === 404) throw new LiveProblem('missing', what, missing ?? NOT_INSTALLED);
  const target =
    headers.location === undefined ? '' : ` It redirects to ${headers.location.slice(0, 200)}, which was not followed.`;
  throw new LiveProblem('status', what, `The service answered ${status}.${target} ${excerpt(response)}`.trim());
}

const NOT_INSTALLED =
  'There is no such endpoint (404): the dashboard, which records this, is not installed (fw_add {"feature":"dashboard"} adds it), or mounted elsewhere (base_path), or service_url is not the address of the application.';

function jsonOf(response: ExchangeResponse, what: string): unknown {
  if (response.truncated) throw new LiveProblem('malformed', what, `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  try {
    return JSON.parse(response.body.toString('utf8'));
  } catch {
    throw new LiveProblem(
      'malformed',
      what,
      `The answer is not JSON; the port probably belongs to something else. ${excerpt(response)}`,
    );
  }
}

function unexpected({ path, message }: SchemaIssue): string {
  return `The answer is not what this endpoint gives (${path || 'it'} ${message}); the port probably belongs to something else.`;
}

function excerpt({ body }: ExchangeResponse): string {
  const line = body.toString('utf8').trim().split('\n', 1)[0] ?? '';
  return line === '' ? 'The body is empty.' : `It begins: ${line.slice(0, EXCERPT_CHARACTERS)}`;
}
