import { sampleStart } from './fresh-process.mjs';
import { controlName } from './rounds.mjs';

/** The shortest start that Node has. */
export const FLOOR = 'node -e 0';

async function floorMs() {
  return Number((await sampleStart({ args: ['-e', '0'] }))['exitMs']);
}

/**
 * A sample with the floor beside it, as `floorMs`: measured just before and just after, because a round of all subjects takes
 * seconds and the machine changes within them.
 *
 * @param {() => Promise<Record<string, number>>} sample
 */
export async function besideFloor(sample) {
  const before = await floorMs();
  const measured = await sample();
  return { ...measured, floorMs: (before + (await floorMs())) / 2 };
}

/**
 * The floor against itself, under the metrics that the others have.
 *
 * @param {readonly string[]} metrics
 * @returns {import('./types.js').Subject}
 */
export function floorControl(metrics) {
  const twice = async () => {
    const ms = await floorMs();
    return Object.fromEntries(metrics.map((metric) => [metric, ms]));
  };
  return { name: controlName(FLOOR), check: floorMs, sample: () => besideFloor(twice) };
}
