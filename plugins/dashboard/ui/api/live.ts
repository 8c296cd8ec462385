import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { LiveChannels, LiveMessage, LiveSnapshot } from '../../wire/live.js';
import { boot } from '../boot.js';

/** How the live connection is: `waiting` until the next try. */
type ConnectionState = 'connecting' | 'live' | 'waiting';

/** State of the live connection. */
export const connection = signal<ConnectionState>('connecting');
/** The last snapshot of the server; a new one comes every second. */
export const snapshot = signal<LiveSnapshot | undefined>(undefined);
/** Counts connections: a page that shows live data loads anew when one was lost and is back. */
export const reconnections = signal(0);

/**
 * Time since which the application has not answered, in milliseconds since the epoch; undefined while it answers, and for the first
 * moments.
 */
export const gone = signal<number | undefined>(undefined);

/** A shorter loss of the connection, as after a change of code in development, is not shown. */
const WORTH_SAYING_MS = 2_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;

type Listener = (data: unknown, time: string) => void;
const listeners = new Map<string, Set<Listener>>();
let socket: WebSocket | undefined;
let failures = 0;
let opened = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
let lost: ReturnType<typeof setTimeout> | undefined;

/** Opens the connection, and again whenever it is lost, at growing intervals; at once when the page becomes visible again. */
export function startLive(): void {
  connect();
  const now = () => {
    if (connection.value === 'waiting' && !document.hidden) connect();
  };
  document.addEventListener('visibilitychange', now);
  addEventListener('online', now);
}

/** Calls back for every event of a channel. @returns ends it */
export function onLive<Channel extends string>(
  channel: Channel,
  listener: (data: Channel extends keyof LiveChannels ? LiveChannels[Channel] : unknown, time: string) => void,
): () => void {
  const those = listeners.get(channel) ?? new Set<Listener>();
  listeners.set(channel, those.add(listener as Listener));
  if (those.size === 1) subscribe();
  return () => {
    those.delete(listener as Listener);
    if (those.size > 0) return;
    listeners.delete(channel);
    subscribe();
  };
}

/** {@link onLive} for as long as a component is shown; the listener may be a new one in every rendering. */
export function useLive<Channel extends string>(
  channel: Channel,
  listener: Parameters<typeof onLive<Channel>>[1],
): void {
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => onLive(channel, (data, time) => newest.current(data, time)), [channel]);
}

function connect(): void {
  clearTimeout(retry);
  connection.value = 'connecting';
  const url = new URL(`${boot.basePath}/ws`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const next = new WebSocket(url);
  socket = next;
  next.addEventListener('open', () => {
    failures = 0;
    opened++;
    clearTimeout(lost);
    lost = gone.value = undefined;
    connection.value = 'live';
    subscribe();
    if (opened > 1) reconnections.value++;
  });
  next.addEventListener('message', ({ data }) => take(JSON.parse(String(data)) as LiveMessage));
  next.addEventListener('close', () => {
    if (socket === next) waitAndRetry();
  });
}

function waitAndRetry(): void {
  connection.value = 'waiting';
  const since = Date.now();
  lost ??= setTimeout(() => (gone.value = since), WORTH_SAYING_MS);
  // A random part of the interval, so that browsers do not all reconnect at the same moment after a restart.
  const interval = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++);
  retry = setTimeout(connect, interval / 2 + Math.random() * (interval / 2));
}

function subscribe(): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ channels: [...listeners.keys()] }));
}

function take(message: LiveMessage): void {
  if (message.type === 'snapshot') {
    snapshot.value = message;
    return;
  }
  for (const { channel, data, time } of message.events) listeners.get(channel)?.forEach((tell) => tell(data, time));
}
