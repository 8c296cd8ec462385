import { stdSerializers } from 'pino';

/**
 * An error as a line of the log has it. Of its causes the stack repeats no frame, and the message nothing that it says already: an error that
 * stands for another, such as that of a driver, comes from the same calls.
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
