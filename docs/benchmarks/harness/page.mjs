import { goalInWords, verdictInWords } from './goal.mjs';
import { missedGoals } from './results.mjs';

/** @typedef {import('./types.js').Bench} Bench */
/** @typedef {import('./types.js').Results} Results */
/** @typedef {import('./types.js').Row} Row */
/** @typedef {import('./types.js').Summary} Summary */
/** @typedef {import('./types.js').Table} Table */

/**
 * The page of a benchmark.
 *
 * @param {Bench} bench
 * @param {Results} results
 * @returns {string} Markdown
 */
export function pageOf(bench, results) {
  return [
    `# ${bench.title}`,
    `Written by \`npm run bench:${bench.name}\`; the numbers are in [results/${bench.name}.json](results/${bench.name}.json). How to read the tables: [README](README.md#reading-a-page).`,
    '## What was measured',
    bench.measured,
    environmentInWords(results),
    '## Who took part',
    peersTable(bench, results.versions),
    '## Results',
    ...results.tables.flatMap(tableSection),
    ...whatStandsInTheWay(bench, results),
    ...(bench.limits === undefined ? [] : ['## Limits', bench.limits]),
  ]
    .join('\n\n')
    .concat('\n');
}

/** @param {Results} results */
function environmentInWords({ environment: at, seconds }) {
  return (
    `Measured on ${at.date} at commit ${at.commit}: Node ${at.node} on ${at.platform}, ${at.cores} cores (${at.cpu}), ` +
    `${at.memoryGiB} GiB, load average ${at.loadBefore} before and ${at.loadAfter} after; the run took ${Math.round(seconds)} s.`
  );
}

/**
 * @param {Bench} bench
 * @param {Results['versions']} versions
 */
function peersTable({ peers }, versions) {
  const rows = peers.map(({ name, packages, configuration }) => [
    name,
    packages.map((each) => `${each} ${versions[each]}`).join(', ') || '–',
    configuration,
  ]);
  return markdownTable(['Subject', 'Packages', 'Configuration'], rows);
}

/** @param {Table} table */
function tableSection(table) {
  const { title, unit, baseline, formula } = table;
  const rows = table.rows.map((row) => cells(row, baseline !== undefined));
  const head = [
    'Subject',
    `${unit}: median (quartiles)`,
    ...(baseline ? ['Ratio: median (quartiles)'] : []),
    'n',
    'Goal',
    'Verdict',
  ];
  const ratio = baseline ? `Ratio = ${formula?.replace('baseline', `**${baseline}**`)}. ${noise(table)}` : '';
  return [`### ${title}`, ...(ratio ? [ratio] : []), markdownTable(head, rows)];
}

/** @param {Table} table */
function noise({ rows }) {
  const control = rows.find((row) => row.control)?.ratio;
  return control
    ? `Differences inside the control's quartiles (${number(control.q1)} to ${number(control.q3)}) are not shown by this run.`
    : '';
}

/**
 * @param {Row} row
 * @param {boolean} hasRatio
 */
function cells({ subject, control, value, ratio, goal, verdict }, hasRatio) {
  const name = control ? `*${subject}*` : subject;
  return [
    name,
    spread(value),
    ...(hasRatio && ratio ? [spread(ratio)] : []),
    String(value.n),
    goal ? goalInWords(goal) : '',
    verdict ? verdictInWords(verdict) : control ? 'control' : '',
  ];
}

const NOT_PROFILED = 'Not profiled yet.';
const TOO_CLOSE =
  'A quarter of the samples meets the goal and a quarter does not: this run does not tell a difference.';

/**
 * @param {Bench} bench
 * @param {Results} results
 */
function whatStandsInTheWay({ notes = {} }, { tables }) {
  const missed = missedGoals(tables);
  if (missed.length === 0) return [];
  const explained = missed.map(({ key, close }) => ({ key, why: notes[key] ?? (close ? TOO_CLOSE : NOT_PROFILED) }));
  const reasons = [...new Set(explained.map(({ why }) => why))];
  const paragraphs = reasons.map((why) => {
    const keys = explained.filter((each) => each.why === why).map(({ key }) => key);
    return `**${keys.join(', ')}.** ${why}`;
  });
  return ['## What stands in the way', ...paragraphs];
}

/** @param {Summary} summary */
function spread({ median, q1, q3 }) {
  return `${number(median)} (${number(q1)} – ${number(q3)})`;
}

/** @param {number} value */
function number(value) {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-GB');
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function markdownTable(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
