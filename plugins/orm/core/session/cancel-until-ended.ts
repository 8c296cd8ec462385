const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1000;

/**
 * Cancels a statement through another connection, and repeats the request until the statement has ended: a request that arrives before the
 * statement has begun, or between preparing and executing it, has no effect.
 *
 * @param cancel - resolves when the server has accepted the request; its failure is thrown
 * @param patience - milliseconds in which the statement has to end; 0 for as long as it takes
 * @throws RangeError when it has not ended: its response is lost, or the server does not stop it
 */
export async function cancelUntilEnded(
  running: Promise<unknown>,
  cancel: () => Promise<void>,
  patience: number,
): Promise<void> {
  let hasEnded = false;
  const end = () => void (hasEnded = true);
  const ended = running.then(end, end);
  const from = performance.now();
  for (let pause = FIRST_PAUSE; !hasEnded; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    await cancel();
    await endOrPause(ended, pause);
    if (!hasEnded && patience > 0 && performance.now() - from > patience)
      throw new RangeError(`not ended within ${patience} ms`);
  }
}

async function endOrPause(ended: Promise<void>, pause: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const paused = new Promise<void>((resolve) => (timer = setTimeout(resolve, pause)));
  await Promise.race([ended, paused]);
  clearTimeout(timer);
}
