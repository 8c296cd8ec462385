// Runs in a process of its own, so that what one peer does to the heap and to V8's inline caches does not reach the next.
import { pairedSlices } from './paired-slices.mjs';

/** @typedef {import('./fresh-slices.mjs').SliceJob} SliceJob */
/** @typedef {import('./fresh-slices.mjs').SliceModule} SliceModule */

process.once('message', (message) => {
  const job = /** @type {SliceJob} */ (message);
  work(job).then(
    (pairs) => process.send?.({ pairs }, () => process.exit(0)),
    (error) =>
      process.send?.({ failed: error instanceof Error ? String(error.stack) : String(error) }, () => process.exit(1)),
  );
});

/** @param {SliceJob} job */
async function work({ module, baseline, subject, operations, ...plan }) {
  const { open, check } = /** @type {SliceModule} */ (await import(module));
  const a = await open(baseline, 'baseline');
  const b = await open(subject, 'subject');
  /** @type {Record<string, import('./paired-slices.mjs').SlicePair[]>} */
  const pairs = {};
  for (const name of operations) {
    const [first, second] = [a.operations[name], b.operations[name]];
    if (!first || !second) continue;
    await check(name, await first(1), await second(1));
    const betweenPairs = async () => {
      await a.betweenPairs?.(name);
      await b.betweenPairs?.(name);
    };
    pairs[name] = await pairedSlices({ baseline: first, subject: second, ...plan, betweenPairs });
    await a.reset?.(name);
    await b.reset?.(name);
  }
  await a.close?.();
  await b.close?.();
  return pairs;
}
