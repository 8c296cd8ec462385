/**
 * Listens for errors that nobody caught, and for promises that were rejected with nobody waiting, from now until the process ends.
 * Without a listener either ends the process at once, with whatever it was doing for others.
 *
 * @param tell - gets each of them, e.g. for the log; must not throw
 * @returns resolves at the first
 */
export function untilUncaughtError(tell: (error: unknown) => void): Promise<void> {
  return new Promise((resolve) => {
    // Node hands rejections over as well, when nobody listens for them alone.
    process.on('uncaughtException', (error: unknown) => {
      tell(error);
      resolve();
    });
  });
}
