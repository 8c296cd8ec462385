import type { EventBackend, EventMessage, MessageHandler, SubscribeOptions } from '../../../kernel/contracts/events.js';
import { FLEET_TOPICS } from '../transports/index.js';
import { TRACE_HEADERS } from './headers.js';
import { startSpan } from './start-span.js';
import type { Tracer } from './tracer.js';

/** Topics over which the tracer itself sends. */
const OWN: ReadonlySet<string> = new Set(Object.values(FLEET_TOPICS));

/**
 * Propagates traces through messages: publishing inside a traced request is a `producer` span, handling a message a `consumer` span below
 * it, in this process or another one. Trace headers travel in the message's meta; a message without them begins a trace of its own when it
 * is handled.
 *
 * @param backend - the memory's, NATS, Kafka, or another one; its methods are wrapped
 * @returns ends it
 */
export function traceMessages(backend: EventBackend, tracer: Tracer): () => void {
  if (!tracer.enabled) return () => undefined;
  const { publish, subscribe } = backend;
  backend.publish = (topic: string, payload: Uint8Array, meta: Readonly<Record<string, string>> = {}) => {
    const send = (more: Readonly<Record<string, string>>) => publish.call(backend, topic, payload, more);
    return OWN.has(topic) ? send(meta) : published(backend.name, topic, meta, send);
  };
  backend.subscribe = (topic: string, handler: MessageHandler, options?: SubscribeOptions) => {
    const handle: MessageHandler = OWN.has(topic)
      ? handler
      : (message) => handled(tracer, backend.name, message, handler);
    return subscribe.call(backend, topic, handle, options);
  };
  return () => {
    backend.publish = publish;
    backend.subscribe = subscribe;
  };
}

function published(
  system: string,
  topic: string,
  meta: Readonly<Record<string, string>>,
  send: (meta: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const span = startSpan(topic, { kind: 'producer', method: 'SEND', attributes: attributesOf(system, topic, 'send') });
  if (span === undefined) return send(meta);
  const carried: Record<string, string> = { ...meta };
  // Headers that the sender has set itself win.
  if (meta[TRACE_HEADERS.traceparent] === undefined) span.inject(carried);
  return span.run(() => send(carried));
}

function handled(tracer: Tracer, system: string, message: EventMessage, handler: MessageHandler): unknown {
  const { topic, meta } = message;
  const attributes = attributesOf(system, topic, 'process');
  const span = tracer.startSpan(topic, { kind: 'consumer', method: 'PROCESS', attributes, parent: meta });
  return span.run(() => handler(message));
}

// Semantic conventions for messaging spans.
function attributesOf(system: string, topic: string, operation: 'send' | 'process') {
  return {
    'messaging.system': system,
    'messaging.destination.name': topic,
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
  };
}
