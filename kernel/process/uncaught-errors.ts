/**
 * Listens for uncaught errors and unhandled rejections from now until the process ends. Without a listener either ends the process at once,
 * with its running requests.
 *
 * @param tell - gets each of them, e.g. for the log; must not throw
 * @returns resolves at the first
 */
export function untilUncaughtError(tell: (error: unknown) => void): Promise<void> {
  return new Promise((resolve) => {
    // Without a listener for rejections, Node emits them as this event too.
    process.on('uncaughtException', (error: unknown) => {
      tell(error);
      resolve();
    });
  });
}
