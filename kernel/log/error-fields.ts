import { stdSerializers } from 'pino';

/**
 * An error as a line of the log has it, with its causes. An error and the one that it stands for, such as that of a driver, come from the same
 * calls: the stack has each frame once, and the message of the cause is left out where the error's own contains it.
 */
export function errorFields(error: Error): object {
  const fields = stdSerializers.err(error);
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return fields;
  fields.stack = stackOf(error);
  if (error.message.includes(error.cause.message)) fields.message = error.message;
  return fields;
}

function stackOf(error: Error): string {
  const parts = [error.stack ?? error.message];
  const told = new Set(parts.join().split('\n'));
  const seen = new Set<Error>([error]);
  for (let { cause } = error; cause instanceof Error && !seen.has(cause); { cause } = cause) {
    seen.add(cause);
    const lines = (cause.stack ?? cause.message).split('\n').filter((line) => !FRAME.test(line) || !told.has(line));
    for (const line of lines) told.add(line);
    parts.push(`caused by: ${lines.join('\n')}`);
  }
  return parts.join('\n');
}

const FRAME = /^\s+at /;
