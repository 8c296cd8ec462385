import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Connections without use are kept this long, in milliseconds. */
const IDLE_MS = 30_000;

/** An agent that keeps all of its connections, because a new one costs more than a request. */
export function keptAgent({ protocol }: Pick<URL, 'protocol'>, connections: number): HttpAgent {
  const kept = { keepAlive: true, maxSockets: connections, maxFreeSockets: connections, timeout: IDLE_MS };
  return protocol === 'https:' ? new HttpsAgent(kept) : new HttpAgent(kept);
}
