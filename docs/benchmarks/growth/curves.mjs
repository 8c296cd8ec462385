/** @typedef {import('../harness/types.js').TableOfRuns} TableOfRuns */

const WIDTH = 48;

/**
 * The curve of a cost over the sizes in text: a bar for each size, as long as its value is next to the largest.
 *
 * @param {TableOfRuns} table
 * @returns {string | undefined} a block of Markdown; undefined for a table that is none of a cost over sizes
 */
export function curveOf({ id, title, unit, rows }) {
  if (!id.includes(': ')) return undefined;
  const most = Math.max(...rows.map(({ value }) => value));
  const name = Math.max(...rows.map(({ subject }) => subject.length));
  const lines = rows.map(({ subject, value }) => {
    const bar = '█'.repeat(Math.max(1, Math.round((value / most) * WIDTH)));
    return `${subject.padStart(name)}  ${bar} ${shown(value)}`;
  });
  return [`**${title}**, ${unit}`, ['```text', ...lines, '```'].join('\n')].join('\n\n');
}

/** @param {number} value */
function shown(value) {
  return value >= 1000 ? Math.round(value).toLocaleString('en-GB') : value.toPrecision(3);
}
