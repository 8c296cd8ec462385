/**
 * Whether a thrown value is an error, of whichever realm: in Jest, and wherever else code runs in a context of `node:vm`, errors of Node itself
 * are no instances of the `Error` that the code sees.
 */
export function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error || Object.prototype.toString.call(thrown) === '[object Error]';
  } catch {
    // The prototype of a proxy cannot always be asked for.
    return false;
  }
}

/**
 * The message of a thrown value. Foreign code may throw anything, even a value that has no text or whose `message` throws, and an error
 * handler must not fail because of it.
 */
export function messageOf(thrown: unknown): string {
  try {
    return String(isError(thrown) ? thrown.message : thrown);
  } catch {
    return 'something without a text was thrown';
  }
}
