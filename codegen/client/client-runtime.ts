/**
 * The part of a generated client that is the same for every API. It is copied into the generated module, so that the client needs no
 * package.
 */
export const CLIENT_RUNTIME = `/** How a client reaches the API. */
export interface ClientOptions {
  /** Where the API is: \`https://api.example.com\`; a path at its end is kept. */
  readonly baseUrl: string;
  /** Headers of every request, or a function that gives them, e.g. with a fresh token. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>);
  /** Default: the global \`fetch\`. */
  readonly fetch?: typeof fetch;
}

/** Header values by name. */
export type HeaderValues = Readonly<Record<string, string>>;

/** What one call may set beside its input. */
export interface CallOptions {
  /** Gives the call up when aborted. */
  readonly signal?: AbortSignal;
  /** Media types to ask for, where a route answers in several. */
  readonly accept?: string;
}

/** What an API says of a refusal (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly code?: string;
  readonly errors?: readonly {
    readonly in: string;
    readonly field: string;
    readonly rule: string;
    readonly message: string;
  }[];
}

/** A response that is not a success. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly route: string;
  /** HTTP status. */
  readonly status: number;
  /** The body: an object of RFC 9457 where the API sends one. */
  readonly problem: unknown;

  constructor(route: string, status: number, problem: unknown) {
    const { detail, title } = (typeof problem === 'object' && problem !== null ? problem : {}) as {
      detail?: string;
      title?: string;
    };
    super(\`\${route} answered \${status}: \${detail ?? title ?? 'no explanation'}\`);
    this.route = route;
    this.status = status;
    this.problem = problem;
  }
}

type Input<Route> = Omit<Route, 'output' | 'answers'> & CallOptions;
type Arguments<Route> =
  Record<never, never> extends Omit<Route, 'output' | 'answers'> ? [input?: Input<Route>] : [input: Input<Route>];
type Output<Route> = Route extends { readonly output: infer Value } ? Value : unknown;
type Answers<Route> = { readonly headers: Headers } & (Route extends { readonly answers: infer Declared }
  ? Declared
  : { readonly status: number; readonly type: string; readonly body: Output<Route> });
type PathOf<Method extends string, Key = keyof Routes> = Key extends \`\${Method} \${infer Path}\` ? Path : never;
type RouteOf<Method extends string, Path extends string> = \`\${Method} \${Path}\` extends keyof Routes
  ? Routes[\`\${Method} \${Path}\`]
  : never;
type Call<Method extends string> = <Path extends PathOf<Method>>(
  path: Path,
  ...input: Arguments<RouteOf<Method, Path>>
) => Promise<Output<RouteOf<Method, Path>>>;

/** Calls the API; each call has the types of its route. */
export interface Client {
  /** Calls a route by its whole name: \`GET /users/:id\`. */
  readonly call: <Key extends keyof Routes>(
    route: Key,
    ...input: Arguments<Routes[Key]>
  ) => Promise<Output<Routes[Key]>>;
  /**
   * Calls a route by its whole name, and gives the answer with its status, media type and headers: what the route declares, refusals
   * included. \`switch (answer.status)\` tells the bodies apart. Any other refusal throws an ApiError.
   */
  readonly answer: <Key extends keyof Routes>(
    route: Key,
    ...input: Arguments<Routes[Key]>
  ) => Promise<Answers<Routes[Key]>>;
  readonly get: Call<'GET'>;
  readonly post: Call<'POST'>;
  readonly put: Call<'PUT'>;
  readonly patch: Call<'PATCH'>;
  readonly delete: Call<'DELETE'>;
}

/**
 * Makes a client.
 *
 * @example
 * const api = createClient({ baseUrl: 'http://127.0.0.1:3000' });
 */
export function createClient(options: ClientOptions): Client {
  const answer = (route: string, input: AnyInput = {}) => send(options, route, input, DECLARED[route]);
  const call = async (route: string, input: AnyInput = {}) => (await send(options, route, input)).body;
  const by = (method: string) => (path: string, input?: AnyInput) => call(\`\${method} \${path}\`, input);
  const client = {
    call,
    answer,
    get: by('GET'),
    post: by('POST'),
    put: by('PUT'),
    patch: by('PATCH'),
    delete: by('DELETE'),
  };
  return client as unknown as Client;
}

interface AnyInput extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

async function send(
  { baseUrl, headers, fetch: fetched = fetch }: ClientOptions,
  route: string,
  input: AnyInput,
  declared: readonly number[] = [],
): Promise<{ status: number; type: string; headers: Headers; body: unknown }> {
  const [method = 'GET', pattern = '/'] = route.split(' ');
  const url = baseUrl.replace(/\\/+$/, '') + pathOf(pattern, input.params ?? {}) + queryOf(input.query ?? {});
  const response = await fetched(url, {
    method,
    headers: {
      accept: input.accept ?? 'application/json, application/problem+json, text/plain, */*;q=0.1',
      ...(typeof headers === 'function' ? await headers() : headers),
      ...Object.fromEntries(given(input.header ?? {}).map(([name, value]) => [name, textOf(value)])),
      ...(input.body === undefined || isForm(input.body) ? {} : { 'content-type': 'application/json' }),
    },
    ...(input.body === undefined ? {} : { body: isForm(input.body) ? input.body : JSON.stringify(input.body) }),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  });
  const { status, headers: received } = response;
  const type = (received.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isAnswer = response.ok || declared.includes(status);
  const body = isAnswer && LINES.test(type) ? linesOf(response) : await valueOf(response, type);
  if (!isAnswer) throw new ApiError(route, status, body);
  return { status, type, headers: received, body };
}

// Its type carries a boundary, which fetch makes up.
function isForm(body: unknown): body is FormData {
  return body instanceof FormData;
}

async function valueOf(response: Response, type: string): Promise<unknown> {
  if (response.status === 204 || response.status === 304) return undefined;
  const isText = /^text\\/|[/+-](?:json|xml|javascript|yaml)\\b|x-www-form-urlencoded/.test(type);
  if (type !== '' && !isText) return response.blob();
  const text = await response.text();
  if (text === '') return undefined;
  return /[/+]json\\b/.test(type) ? (JSON.parse(text) as unknown) : text;
}

const LINES = /^application\\/(?:x-)?(?:ndjson|jsonl|jsonlines)$/;

// The values of a body with one of JSON on each line, as they come. Who stops reading cancels the request.
async function* linesOf({ body }: Response): AsyncGenerator<unknown, void> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let open = '';
  try {
    let isEnd = reader === undefined;
    while (!isEnd) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      isEnd = done;
      const [first = '', ...more] = decoder.decode(value, { stream: !done }).split('\\n');
      open += first;
      for (const next of more) {
        if (open.trim() !== '') yield JSON.parse(open) as unknown;
        open = next;
      }
    }
    if (open.trim() !== '') yield JSON.parse(open) as unknown;
  } finally {
    // What has broken off already cannot be cancelled.
    await reader?.cancel().catch(() => undefined);
  }
}

// A wildcard (\`*rest\`) may hold slashes; a parameter (\`:id\`) may not.
function pathOf(pattern: string, params: Readonly<Record<string, unknown>>): string {
  return pattern.replace(/\\/([:*])([A-Za-z_]\\w*)?/g, (_whole, sign: string, name = 'wildcard') => {
    const value = textOf(params[name]);
    const encoded = sign === '*' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
    return \`/\${encoded}\`;
  });
}

function queryOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of given(query))
    for (const [full, one] of pairsOf(name, value)) pairs.append(full, textOf(one));
  return pairs.size === 0 ? '' : \`?\${pairs.toString()}\`;
}

// Members and elements that have members are named with brackets, as OpenAPI's style deepObject has it.
function pairsOf(name: string, value: unknown): [string, unknown][] {
  if (Array.isArray(value)) {
    const items = value as unknown[];
    return items.flatMap((item, index) => pairsOf(isNested(item) ? \`\${name}[\${index}]\` : name, item));
  }
  if (!isNested(value)) return [[name, value]];
  return given(value).flatMap(([key, member]) => pairsOf(\`\${name}[\${key}]\`, member));
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}

function given(values: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(values).filter(([, value]) => value !== undefined);
}

// Parts of a path or a header are joined as in OpenAPI's style simple.
function textOf(value: unknown): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return (value as unknown[]).map(textOf).join(',');
  return isNested(value) ? given(value).flat().map(textOf).join(',') : String(value);
}
`;
