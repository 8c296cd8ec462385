import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Receiver } from './held-sockets.js';
import { problemText, type Problem } from './problem.js';

const STATUS = 503;

/** Answers in place of an application that does not run, with the problem in the form that the client accepts. */
export class ErrorServer implements Receiver {
  readonly #server = createServer((request, response) => this.#answer(request, response));
  readonly #pages = new Set<ServerResponse>();
  #problem: Problem = { title: '', details: [] };
  #count = 0;

  /** @param events - path of the stream that makes pages reload; the application has no such path */
  constructor(private readonly events: string) {
    this.#server.on('upgrade', (_request, socket) => {
      socket.end(`HTTP/1.1 ${STATUS} Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    });
  }

  /** Sets the current problem. Pages that show another one reload. */
  show(problem: Problem): void {
    this.#problem = problem;
    this.#count++;
    this.reload();
  }

  /** Makes open pages reload, and closes their streams. */
  reload(): void {
    for (const page of this.#pages) page.end('event: reload\ndata: \n\n');
    this.#pages.clear();
  }

  take(_address: string, socket: Socket): Promise<boolean> {
    this.#server.emit('connection', socket);
    socket.resume();
    return Promise.resolve(true);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const [path, query = ''] = (request.url ?? '').split('?');
    if (path === this.events) return this.#stream(query, response);
    const isPage = /\btext\/html\b/.test(request.headers.accept ?? '');
    const body = isPage ? page(this.#problem, `${this.events}?${this.#count}`) : problemJson(this.#problem);
    response.writeHead(STATUS, {
      'Content-Type': isPage ? 'text/html; charset=utf-8' : 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      // The next request shall open a new connection, which the application gets once it runs again.
      Connection: 'close',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  #stream(seen: string, response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', Connection: 'close' });
    // The page shows an earlier problem.
    if (seen !== String(this.#count)) return void response.end('event: reload\ndata: \n\n');
    response.write(': waiting\n\n');
    this.#pages.add(response);
    response.once('close', () => this.#pages.delete(response));
  }
}

/** RFC 9457. */
function problemJson(problem: Problem): string {
  const { title, details } = problem;
  return `${JSON.stringify({ type: 'about:blank', title, status: STATUS, code: 'FW_DEV_NOT_RUNNING', detail: problemText(problem), problems: details }, null, 2)}\n`;
}

function page({ title, details }: Problem, events: string): string {
  const parts = details.map(
    ({ message, place, frame, more }) =>
      `<section>${place === undefined ? '' : `<p class="place">${escaped(place)}</p>`}<h2>${escaped(message)}</h2>` +
      `${frame === '' ? '' : `<pre>${marked(frame)}</pre>`}${more === undefined ? '' : `<pre class="more">${escaped(more)}</pre>`}</section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>${STYLE}</style></head>
<body><main><h1>${escaped(title)}</h1>
${parts.join('\n')}
<p class="hint">This page loads anew as soon as that is mended.</p></main>
<script>
const source = new EventSource(${JSON.stringify(events)});
source.addEventListener('reload', () => location.reload());
// The connection is lost when fw dev itself is; then it is asked again until somebody answers.
source.addEventListener('error', () => { if (source.readyState === 2) setTimeout(() => location.reload(), 1000); });
</script></body></html>
`;
}

const STYLE = `:root{color-scheme:light dark;--text:#1c1e21;--back:#fff;--code:#f4f5f7;--bad:#b3261e;--dim:#5c6670}
@media(prefers-color-scheme:dark){:root{--text:#e6e8ea;--back:#16181b;--code:#202327;--bad:#ff8a80;--dim:#9aa4ae}}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:64rem;margin:0 auto;padding:2rem 1.25rem}
h1{font-size:1rem;color:var(--dim);font-weight:600;margin:0 0 1.5rem}
h2{font-size:1.2rem;color:var(--bad);margin:.25rem 0 .75rem;white-space:pre-wrap;overflow-wrap:anywhere}
.place{font-family:ui-monospace,monospace;margin:0;color:var(--text)}
pre{background:var(--code);padding:1rem;border-radius:6px;overflow-x:auto;font:14px/1.5 ui-monospace,monospace;tab-size:4}
pre .at{color:var(--bad);font-weight:600}.more,.hint{color:var(--dim)}section{margin-bottom:2rem}`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);

const marked = (frame: string): string =>
  frame
    .split('\n')
    .map((line) => (/^>|^\s*\|\s*\^$/.test(line) ? `<span class="at">${escaped(line)}</span>` : escaped(line)))
    .join('\n');
