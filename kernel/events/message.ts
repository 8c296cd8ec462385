import { isUint8Array } from 'node:util/types';
import { fwError } from '../errors/index.js';
import { EVENTS_ERRORS } from './errors.js';

// Topics that both Kafka (249 characters of [a-zA-Z0-9._-]) and NATS (dot-separated tokens, none empty) accept.
const TOPIC = /^[\w-]+(\.[\w-]+)*$/;
const LONGEST_TOPIC = 249;

/** For backends: refuses a topic that some backend could not carry. @throws FwError `FW_EVENTS_TOPIC` */
export function checkTopic(topic: string): void {
  if (typeof topic === 'string' && topic.length <= LONGEST_TOPIC && TOPIC.test(topic)) return;
  throw fwError(EVENTS_ERRORS.FW_EVENTS_TOPIC, { topic: JSON.stringify(topic) ?? String(topic) });
}

/** For backends: bytes that share no memory with the publisher's. @throws FwError `FW_EVENTS_PAYLOAD` */
export function copyPayload(payload: Uint8Array): Uint8Array {
  if (isUint8Array(payload)) return new Uint8Array(payload);
  throw fwError(EVENTS_ERRORS.FW_EVENTS_PAYLOAD, { found: payload === null ? 'null' : typeof payload });
}
