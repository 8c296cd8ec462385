// What the paired slices open: `<engine>/<subject>[:<variant>]`.
import { keepServerAway } from './databases.mjs';

export { check } from './workload.mjs';

/**
 * @param {string} name
 * @param {'baseline' | 'subject'} role
 */
export async function open(name, role) {
  const [engine = '', rest = ''] = name.split('/');
  const [subject, variant] = rest.split(':');
  const module = await import(`./subjects/${subject}.mjs`);
  const opened = await module.open(engine, variant, `${role}-${rest}`);
  // Some connect with the first call only.
  await opened.operations.findById(1);
  await keepServerAway(/** @type {import('./databases.mjs').Engine} */ (engine));
  // A batch adds ten thousand rows at a time: they go before the next one.
  return { ...opened, betweenPairs: (/** @type {string} */ operation) => operation === 'batch' && opened.reset() };
}
