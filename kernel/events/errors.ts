import { defineErrors } from '../errors/index.js';

/** Codes of the event bus. */
export const EVENTS_ERRORS = defineErrors('kernel/events', {
  FW_EVENTS_LISTENERS: {
    message:
      'Event "{name}" has {limit} listeners already, which is most likely a leak: a listener added per request or call. Remove listeners with the function that on() returns.',
    cause: 'Listeners are added again and again and never removed.',
    remedy: 'Add listeners once, at start; or end them with the function that on() returns.',
  },
  FW_EVENTS_OPTION: {
    message: 'Option {option} is {value}. Expected {expected}.',
    cause: 'A bus, a listener or a backend was given an option that it cannot work with.',
    remedy: 'Give a value as the message says.',
  },
  FW_EVENTS_TOPIC: {
    message:
      'The topic {topic} cannot be used. Expected words of letters, digits, _ and -, joined by dots, up to 249 characters, e.g. fleet.spans.',
    status: 400,
    cause: 'The topic is empty, or has a character that some message broker does not take.',
    remedy: 'Choose a topic that every backend takes.',
  },
  FW_EVENTS_PAYLOAD: {
    message:
      'The payload of a message is of type {found}. Expected a Uint8Array; make one of text with new TextEncoder().',
    status: 400,
    cause: 'Text or an object was published without being encoded.',
    remedy: 'Encode the payload: backends carry bytes.',
  },
  FW_EVENTS_BACKEND_CLOSED: {
    message: 'The {backend} event backend is closed, so that nothing can be {what} on {topic}.',
    status: 503,
    cause: 'The application is stopping, or the backend was closed too early.',
    remedy: 'Publish and subscribe before the backend is closed.',
    guide: 'events.md#to-other-processes',
  },
  FW_EVENTS_NO_REPLAY: {
    message:
      'The {backend} event backend keeps no messages, so that {topic} cannot be read from the earliest one. Subscribe without `from`, or use a backend that replays.',
    cause: 'A subscriber asks for earlier messages of a backend without a log.',
    remedy: 'Use a message-broker backend, or read new messages only.',
  },
});
