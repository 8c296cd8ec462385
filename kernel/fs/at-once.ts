/** How many files are processed at a time. */
const AT_ONCE = 16;

/** Calls a function for each item, several at a time, in their order. @throws the first error, once all started calls have ended */
export async function forEachAtOnce<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let isBroken = false;
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done && !isBroken; next = waiting.next()) {
      await work(next.value).catch((error: unknown) => {
        isBroken = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
