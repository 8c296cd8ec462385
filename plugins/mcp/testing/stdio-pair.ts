import { PassThrough } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ControlPlane } from '../protocol/control-plane.js';
import { serveStdio } from '../stdio/stdio-server.js';

/** A client's end of a stdio server that runs in this process. */
export function stdioPair(plane: ControlPlane): Transport {
  const input = new PassThrough();
  const output = new PassThrough();
  const stop = new AbortController();
  const ended = serveStdio(plane, { input, output }, stop.signal);
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) => Promise.resolve(void input.write(`${JSON.stringify(message)}\n`)),
    close: async () => {
      stop.abort();
      await ended;
      transport.onclose?.();
    },
  };
  // What was written in one turn arrives in one chunk, as through a pipe.
  let rest = '';
  let due: NodeJS.Immediate | undefined;
  const take = () => {
    due = undefined;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
  };
  output.on('data', (chunk) => {
    rest += String(chunk);
    due ??= setImmediate(take);
  });
  return transport;
}
