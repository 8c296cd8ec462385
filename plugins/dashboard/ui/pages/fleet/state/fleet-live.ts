import type { LiveMessage, AggregatorState } from '../../../../wire/fleet.js';
import { boot } from '../../../boot.js';

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/** What comes over the page's live connection. */
interface FleetLiveListener {
  onState(state: AggregatorState): void;
  onMessage(message: LiveMessage): void;
}

/**
 * Watches the aggregator through the dashboard, as long as the page is open: comes back by itself, at growing intervals, at once when the
 * page becomes visible again.
 *
 * @returns ends it
 */
export function watchFleet(listener: FleetLiveListener): () => void {
  let socket: WebSocket | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isOver = false;

  const connect = () => {
    clearTimeout(retry);
    retry = undefined;
    const url = new URL(`${boot.basePath}/api/fleet/live`, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const next = (socket = new WebSocket(url));
    next.addEventListener('message', ({ data }) => {
      failures = 0;
      const message = JSON.parse(String(data)) as AggregatorState | LiveMessage;
      if (message.type === 'aggregator') listener.onState(message);
      else listener.onMessage(message);
    });
    next.addEventListener('close', () => {
      if (isOver || next !== socket) return;
      listener.onState({ type: 'aggregator', connected: false, reason: 'the dashboard does not answer' });
      const interval = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++);
      retry = setTimeout(connect, interval / 2 + Math.random() * (interval / 2));
    });
  };
  const now = () => {
    if (!document.hidden && retry !== undefined) connect();
  };

  connect();
  document.addEventListener('visibilitychange', now);
  return () => {
    isOver = true;
    clearTimeout(retry);
    document.removeEventListener('visibilitychange', now);
    socket?.close();
  };
}
