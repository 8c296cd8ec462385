import { goalInWords, verdictInWords } from './goal.mjs';
import { JUDGED, missedGoals, tablesOfRuns } from './runs.mjs';

/** @typedef {import('./types.js').Bench} Bench */
/** @typedef {import('./types.js').PageResults} PageResults */
/** @typedef {import('./types.js').TableOfRuns} TableOfRuns */

/**
 * The page of a benchmark: every run of every release, and the verdicts of the releases that are judged.
 *
 * @param {Bench} bench
 * @param {PageResults} results
 * @returns {string} Markdown
 */
export function pageOf(bench, { releases }) {
  const versions = releases[0]?.runs[0]?.versions ?? {};
  const shown = releases.map((release) => ({ ...release, tables: tablesOfRuns(release.runs) }));
  return [
    `# ${bench.title}`,
    `Written by \`npm run bench:${bench.name} -- --page\`; the numbers are in [results/${bench.name}.json](results/${bench.name}.json). How to read the tables: [README](README.md#reading-a-page).`,
    '## What was measured',
    bench.measured,
    ...releases.map(environmentInWords),
    '## Who took part',
    peersTable(bench, versions),
    ...shown.flatMap(({ node, tables }) => [
      `## Results on Node ${node}`,
      ...(JUDGED.includes(node) ? [] : ['Shown beside the others; goals are judged on those that people run.']),
      ...tables.flatMap((table) => bench.drawing?.(table) ?? tableSection(table, JUDGED.includes(node))),
    ]),
    ...whatStandsInTheWay(bench, shown),
    ...(bench.limits === undefined ? [] : ['## Limits', bench.limits]),
  ]
    .join('\n\n')
    .concat('\n');
}

/** @param {import('./types.js').Release} release */
function environmentInWords({ node, runs }) {
  const [first] = runs;
  if (first === undefined) throw new Error(`There is no run on Node ${node}.`);
  const { environment: at } = first;
  const minutes = Math.round(runs.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  const loads = runs.map(({ environment: { loadBefore } }) => loadBefore).join(', ');
  return (
    `Node ${at.node}: measured on ${at.date} at commit ${at.commit}, on ${at.platform}, ${at.cores} cores of ${at.cpu}, ` +
    `${at.memoryGiB} GiB; ${runs.length} runs in ${minutes} minutes, load average before each ${loads}.`
  );
}

/**
 * @param {Bench} bench
 * @param {Readonly<Record<string, string>>} versions
 */
function peersTable({ peers }, versions) {
  const rows = peers.map(({ name, packages, configuration }) => [
    name,
    packages.map((each) => `${each} ${versions[each]}`).join(', ') || '–',
    configuration,
  ]);
  return markdownTable(['Subject', 'Packages', 'Configuration'], rows);
}

/** @type {(table: TableOfRuns, isJudged: boolean) => string[]} */
function tableSection({ title, unit, baseline, formula, rows }, isJudged) {
  const head = [
    'Subject',
    ...(baseline ? [unit, 'Ratio'] : [unit]),
    'of each run',
    ...(isJudged ? ['Goal', 'Verdict'] : ['Goal on 24 and 26']),
  ];
  const cells = rows.map((row) => cellsOf(row, baseline !== undefined, isJudged));
  const ratio = baseline === undefined ? [] : [`Ratio = ${formula?.replace('baseline', `**${baseline}**`)}.`];
  return [`### ${title}`, ...ratio, markdownTable(head, cells)];
}

/** @type {(row: TableOfRuns['rows'][number], hasRatio: boolean, isJudged: boolean) => string[]} */
function cellsOf({ subject, control, medians, crooked, median, value, goal, verdict }, hasRatio, isJudged) {
  const each = medians.map((one, at) => (crooked.includes(at) ? `~~${number(one)}~~` : number(one)));
  const judged = verdict ? verdictInWords(verdict) : control ? 'control' : '';
  return [
    control ? `*${subject}*` : subject,
    ...(hasRatio ? [number(value), `**${number(median)}**`] : [`**${number(value)}**`]),
    each.join(' · '),
    goal ? goalInWords(goal) : '',
    ...(isJudged ? [judged] : []),
  ];
}

const NOT_PROFILED = 'Not profiled yet.';
const TOO_CLOSE = 'Some runs meet the goal and some do not: they do not tell a difference.';

/** @type {(bench: Bench, shown: readonly { readonly node: string, readonly tables: readonly TableOfRuns[] }[]) => string[]} */
function whatStandsInTheWay({ notes = {} }, shown) {
  const judged = shown.filter(({ node }) => JUDGED.includes(node));
  const missed = judged.flatMap(({ node, tables }) => missedGoals(tables).map((each) => ({ ...each, node })));
  if (missed.length === 0) return [];
  const explained = missed.map(({ key, close, node }) => ({
    key: `${key} on ${node}`,
    why: notes[key] ?? (close ? TOO_CLOSE : NOT_PROFILED),
  }));
  const reasons = [...new Set(explained.map(({ why }) => why))];
  const paragraphs = reasons.map((why) => {
    const keys = explained.filter((each) => each.why === why).map(({ key }) => key);
    return `**${keys.join(', ')}.** ${why}`;
  });
  return ['## What stands in the way', ...paragraphs];
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
