import type { Operation } from './operations.js';

/** What a person typed. */
export interface CallInput {
  /** By `place/name`. */
  readonly values: Readonly<Record<string, string>>;
  /** One `Name: value` in each line. */
  readonly headers: string;
  readonly body: string;
}

/** A request that can be sent. */
export interface PreparedCall {
  readonly method: string;
  /** Path with query on this origin. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What came back. */
export interface CallResult {
  readonly status: number;
  readonly statusText: string;
  /** Milliseconds until the last byte. */
  readonly ms: number;
  readonly bytes: number;
  readonly headers: readonly (readonly [string, string])[];
  /** JSON is indented. */
  readonly body: string;
}

/** @throws RangeError that says what is missing or wrong */
export function prepareCall({ method, path, parameters, body: hasBody }: Operation, input: CallInput): PreparedCall {
  const valueOf = (place: string, name: string) => input.values[`${place}/${name}`] ?? '';
  const missing = parameters.find(({ in: place, name, required }) => required && valueOf(place, name) === '');
  if (missing) throw new RangeError(`"${missing.name}" is required.`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf('path', name)));
  const search = new URLSearchParams();
  const headers: Record<string, string> = { ...headersOf(input.headers) };
  for (const { in: place, name } of parameters) {
    const value = valueOf(place, name);
    if (value === '') continue;
    if (place === 'query') search.append(name, value);
    if (place === 'header') headers[name] = value;
  }
  const body = hasBody !== undefined && input.body.trim() !== '' ? input.body : undefined;
  if (body !== undefined) headers['Content-Type'] ??= 'application/json';
  return { method, url: search.size > 0 ? `${filled}?${search}` : filled, headers, body };
}

function headersOf(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined) throw new RangeError(`"${line.trim()}" is no header; expected "Name: value".`);
      return [name, value ?? ''];
    }),
  );
}

/** Sends a request to the application itself. The dashboard's session is not sent, because its cookie has another path. */
export async function sendCall({ method, url, headers, body }: PreparedCall): Promise<CallResult> {
  const from = performance.now();
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    cache: 'no-store',
    ...(body !== undefined && { body }),
  });
  const bytes = await response.arrayBuffer();
  const ms = performance.now() - from;
  const opaque = response.type === 'opaqueredirect';
  return {
    status: response.status,
    statusText: opaque ? 'a redirect, which browsers do not show' : response.statusText,
    ms,
    bytes: bytes.byteLength,
    headers: [...response.headers],
    body: readable(new TextDecoder().decode(bytes), response.headers.get('content-type') ?? ''),
  };
}

function readable(text: string, type: string): string {
  if (!/\bjson\b/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The same call for a terminal (POSIX shell quoting). */
export function curlOf({ method, url, headers, body }: PreparedCall, origin: string): string {
  const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(origin + url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** The same call in JavaScript. */
export function fetchOf({ method, url, headers, body }: PreparedCall, origin: string): string {
  const options = {
    ...(method !== 'GET' && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
  };
  const second = Object.keys(options).length > 0 ? `, ${JSON.stringify(options, null, 2)}` : '';
  return `const response = await fetch(${JSON.stringify(origin + url)}${second});`;
}
