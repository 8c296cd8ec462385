export { EVENTS_ERRORS } from './errors.js';
export { eventsProbe } from './events-probe.js';
export { LocalEventBus } from './local-event-bus.js';
export { MemoryEventBackend, type MemoryEventBackendOptions } from './memory-event-backend.js';
export type { EventBusOptions } from './options.js';
export { checkTopic, copyPayload } from './message.js';
