import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { DiagnosticsRegistry, HttpServer, plugin } from '../../kernel/index.js';
import { type BootedTestApp, bootTestApp } from '../../kernel/testing/index.js';
import { until } from '../../kernel/testing/until.js';
import { Connections } from './hub.js';
import { WebSocketHub } from './index.js';

const boot = (options: { path?: string; broadcast?: boolean } = {}) =>
  bootTestApp({
    plugins: [plugin(() => import('../http/index.js'), { port: 0 }), plugin(() => import('./index.js'), options)],
  });

async function connect(app: BootedTestApp, path = '/ws'): Promise<WebSocket> {
  const socket = new WebSocket(app.services.get(HttpServer).url.replace('http', 'ws') + path);
  await once(socket, 'open');
  return socket;
}

const nextMessage = async (socket: WebSocket) => String((await once(socket, 'message'))[0]);

describe('fw/websocket', () => {
  test('sends back what it gets', async () => {
    await using app = await boot({ path: '/echo' });
    const socket = await connect(app, '/echo');
    socket.send('hello');
    expect(await nextMessage(socket)).toBe('hello');
  });

  test('sends what it gets to all others, and what the server says to everybody', async () => {
    await using app = await boot({ broadcast: true });
    const [one, other] = [await connect(app), await connect(app)];
    const heard = nextMessage(other);
    one.send('hello');
    expect(await heard).toBe('hello');
    const hub = app.services.get(WebSocketHub);
    const both = Promise.all([nextMessage(one), nextMessage(other)]);
    expect(hub.broadcast('news')).toBe(2);
    // The first one heard nothing of its own message before.
    expect(await both).toEqual(['news', 'news']);
    expect(app.services.get(DiagnosticsRegistry).get('websocket')).toMatchObject({ detail: { connections: 2 } });
    const gone = once(other, 'close');
    other.close();
    await gone;
  });

  test('closes a connection whose messages are not read, and sends to the rest', () => {
    const connections = new Connections(10);
    const made = (bufferedAmount: number) => {
      const calls: unknown[] = [];
      const socket = {
        OPEN: 1,
        readyState: 1,
        bufferedAmount,
        once: () => undefined,
        send: (message: unknown) => calls.push(['send', message]),
        close: (code: number) => calls.push(['close', code]),
      };
      connections.add(socket as unknown as WebSocket);
      return calls;
    };
    const [reading, stuck] = [made(10), made(11)];
    expect(connections.broadcast('news')).toBe(1);
    expect([reading, stuck]).toEqual([[['send', 'news']], [['close', 1008]]]);
  });

  test('closes a connection that sends and never reads', async () => {
    await using app = await boot();
    const socket = await connect(app);
    socket.pause();
    const message = Buffer.alloc(64 * 1024);
    const detail = () => app.services.get(DiagnosticsRegistry).get('websocket')?.detail;
    const sending = setInterval(() => {
      for (let count = 0; count < 64; count++) socket.send(message);
    }, 5);
    await until(() => detail()?.['closed_unread'] === 1, 'closed connection');
    clearInterval(sending);
    socket.terminate();
  });
});
