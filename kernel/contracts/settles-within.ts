/**
 * Waits for work, but not for ever.
 *
 * @param work - goes on, whatever the answer; its rejection counts as handled
 * @param ms - milliseconds
 * @returns whether it has settled, either way, in time
 */
export function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((done) => {
    // Sockets and pipes are read in the poll phase, and after a blocked event loop the timer fires before it: hence two further turns.
    const timer = setTimeout(() => setImmediate(() => setImmediate(done, false)), ms);
    const settled = () => {
      clearTimeout(timer);
      done(true);
    };
    work.then(settled, settled);
  });
}
