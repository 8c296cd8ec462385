import { createServer, type AddressInfo, type Socket } from 'node:net';

/** What a server does with a connection once a request has come. */
type Lie = (socket: Socket) => void;

const BLOCK = 'x'.repeat(64 * 1024);

function repeated(socket: Socket, text: string): void {
  const write = () => void (socket.destroyed || socket.write(text, () => setImmediate(write)));
  write();
}

function dripped(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 5);
  socket.on('close', () => clearInterval(timer));
}

function answer(head: string, body = ''): Lie {
  return (socket) => void socket.end(`HTTP/1.1 ${head}\r\nConnection: close\r\n\r\n${body}`);
}

const JSON_TYPE = 'Content-Type: application/json';

/**
 * Servers that keep no promise of HTTP, for whatever calls a server that it does not know. A client of them has to come to an end within
 * its own deadline, and must not read more than it may.
 */
export const LIES: Readonly<Record<string, Lie>> = {
  'never answers': () => undefined,
  'closes at once': (socket) => void socket.destroy(),
  'resets the connection': (socket) => void socket.resetAndDestroy(),
  'speaks no HTTP': (socket) => void socket.end('220 mail.example ESMTP\r\n'),
  'switches the protocol unasked': (socket) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
  'says 102 for ever': (socket) => repeated(socket, 'HTTP/1.1 102 Processing\r\n\r\n'),
  'writes headers without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    repeated(socket, `X-Long: ${'x'.repeat(1000)}\r\n`);
  },
  'drips headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    dripped(socket, 'x');
  },
  'writes a body without end': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\n\r\n[`);
    repeated(socket, BLOCK);
  },
  'writes an error without end': (socket) => {
    socket.write(`HTTP/1.1 401 Unauthorized\r\n${JSON_TYPE}\r\n\r\n`);
    repeated(socket, BLOCK);
  },
  'drips a body': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nContent-Length: 100000\r\n\r\n`);
    dripped(socket, ' ');
  },
  'falls silent in a body without a length': (socket) =>
    void socket.write(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\n\r\n[1,`),
  'closes in the middle': (socket) =>
    void socket.end(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nContent-Length: 1000\r\n\r\n[{"name":`),
  'breaks its chunks': (socket) =>
    void socket.end(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`),
  'says gzip and sends none': answer(`200 OK\r\n${JSON_TYPE}\r\nContent-Encoding: gzip`, '[]'),
  'sends a page': answer('200 OK\r\nContent-Type: text/html', '<!doctype html><title>Welcome</title>'),
  'sends broken JSON': answer(`200 OK\r\n${JSON_TYPE}`, '{"a":'),
  'sends null': answer(`200 OK\r\n${JSON_TYPE}`, 'null'),
  'sends a number': answer(`200 OK\r\n${JSON_TYPE}`, '1e999'),
  'nests without end': answer(`200 OK\r\n${JSON_TYPE}`, '['.repeat(500_000)),
  'redirects to itself': answer('307 Temporary Redirect\r\nLocation: /'),
  'redirects to a file': answer('302 Found\r\nLocation: file:///etc/passwd'),
  'has an impossible status': answer('000 What'),
  'refuses without a word': answer('503 Service Unavailable\r\nRetry-After: 99999999999'),
};

/** A server that lies to every connection. */
export interface LyingServer extends AsyncDisposable {
  readonly url: string;
  /** Bytes that clients have let it write so far. */
  readonly written: number;
  /** Connections that were made. */
  readonly connections: number;
}

/** Starts a server that tells one of {@link LIES}. */
export async function lyingServer(lie: Lie): Promise<LyingServer> {
  const sockets = new Set<Socket>();
  let made = 0;
  let ended = 0;
  const server = createServer((socket) => {
    made++;
    sockets.add(socket);
    // The client hangs up whenever it likes: that is what these servers are for.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      ended += socket.bytesWritten;
    });
    socket.once('data', () => lie(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get written() {
      return [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, ended);
    },
    get connections() {
      return made;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
