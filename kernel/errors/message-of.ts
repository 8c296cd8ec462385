/**
 * The message of a thrown value. Foreign code may throw anything, even a value that has no text or whose `message` throws, and an error
 * handler must not fail because of it.
 */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'something without a text was thrown';
  }
}
