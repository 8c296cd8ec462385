import type { LogFields } from '../contracts/logger.js';
import { isError, messageOf } from '../errors/message-of.js';

/**
 * A copy of what a line was given, of which every member can be read. A value may throw while it is read: a getter, a `toJSON` or a proxy
 * of somebody else's error. The line then says so in its place.
 */
export function readableFields(fields: object): LogFields {
  return copied(fields, (name) => {
    const value = (fields as Record<string, unknown>)[name];
    return isError(value) ? readableError(value) : plain(value);
  });
}

function readableError(error: Error): LogFields {
  return copied({ type: 0, message: 0, stack: 0, code: 0 }, (name) => {
    const value = name === 'type' ? error.constructor.name : error[name as 'message'];
    return value === undefined ? undefined : String(value);
  });
}

function copied(names: object, read: (name: string) => unknown): LogFields {
  const copy: Record<string, unknown> = {};
  for (const name of namesOf(names)) {
    try {
      copy[name] = read(name);
    } catch (thrown) {
      copy[name] = `[unreadable: ${messageOf(thrown)}]`;
    }
  }
  return copy;
}

function namesOf(fields: object): readonly string[] {
  try {
    return Object.keys(fields);
  } catch {
    return [];
  }
}

// As JSON, because a value that can be written once can be written again.
function plain(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}
