const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1000;

/**
 * Cancels a statement on a server by a word on another connection, and says it again until the statement has ended: a word that
 * arrives before the server has begun with it, or between preparing and executing it, is about nothing.
 *
 * @param cancel - resolves when the server has taken notice; when it fails, so does this
 * @param patience - milliseconds in which the statement has to end; 0 for as long as it takes
 * @throws RangeError when it has not: its answer is lost, or the server does not let go of it
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
