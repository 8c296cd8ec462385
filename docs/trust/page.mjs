import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CAMPAIGNS } from './campaigns.mjs';

const HERE = import.meta.dirname;
const number = new Intl.NumberFormat('en');

/**
 * @typedef {{ readonly rows: readonly import('./rows.mjs').MeasuredRow[], readonly seconds: number }} Measured
 * @typedef {Measured & { readonly cases: number, readonly environment: import('../benchmarks/harness/types.js').Environment, readonly seeds?: readonly number[] }} Kept
 */

/**
 * What a run tried, for a terminal.
 *
 * @param {import('./campaigns.mjs').Campaign} campaign
 * @param {Measured} measured
 */
export function summaryOf({ title }, { rows, seconds }) {
  const lines = rows.map(({ what, tried, failures, lost, notRun }) => {
    const skipped = notRun > 0 ? `  (${notRun} tests not run here)` : '';
    return `${number.format(tried).padStart(12)}${String(failures).padStart(10)}${String(lost).padStart(7)}  ${what}${skipped}`;
  });
  const sum = (/** @type {'tried' | 'failures' | 'lost'} */ count) => rows.reduce((all, row) => all + row[count], 0);
  return [
    `${title}: ${seconds} s`,
    '       cases  failures   lost',
    ...lines,
    `${number.format(sum('tried'))} cases, ${sum('failures')} failures, ${sum('lost')} lost`,
  ].join('\n');
}

/**
 * Keeps the results of a campaign, and writes the page of all.
 *
 * @param {string} name
 * @param {Kept} results
 */
export function keepResults(name, results) {
  writeFileSync(path.join(HERE, 'results', `${name}.json`), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(path.join(HERE, '../trust.md'), page());
}

/**
 * The kept results of a campaign; undefined before its first run for the page.
 *
 * @param {string} name
 * @returns {Kept | undefined}
 */
export function keptResults(name) {
  const file = path.join(HERE, 'results', `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Seeds of the runs behind results; none for those of earlier releases, which had others each time. @param {Kept} kept */
export const seedsOf = ({ seeds = [] }) => seeds;

/**
 * The results of several runs as one: their cases, failures and time add up. Only properties try other cases with another seed, so what
 * counts no cases counts once. Rows that only one of the two has stay as they are.
 *
 * @param {Kept} before
 * @param {Kept} run
 * @returns {Kept}
 */
export function together(before, run) {
  const sum = (
    /** @type {import('./rows.mjs').MeasuredRow} */ one,
    /** @type {import('./rows.mjs').MeasuredRow} */ other,
  ) => ({
    ...other,
    tried: one.tried + other.tried - Math.min(one.plain ?? 0, other.plain ?? 0),
    failures: one.failures + other.failures,
    lost: one.lost + other.lost,
  });
  const again = run.rows.map((row) => {
    const known = before.rows.find(({ what }) => what === row.what);
    return known ? sum(known, row) : row;
  });
  const rest = before.rows.filter(({ what }) => !run.rows.some((row) => row.what === what));
  const order = (/** @type {{ readonly what: string }} */ { what }) =>
    before.rows.findIndex((row) => row.what === what);
  return {
    ...run,
    rows: [...again, ...rest].sort((a, b) => (order(a) >>> 0) - (order(b) >>> 0)),
    seconds: before.seconds + run.seconds,
    cases: Math.max(before.cases, run.cases),
    seeds: [...seedsOf(before), ...seedsOf(run)],
  };
}

/** The page, of the results that are kept and of the list of defects. */
export function page() {
  const sections = Object.entries(CAMPAIGNS).map(([name, campaign]) => {
    const kept = keptResults(name);
    return kept ? sectionOf(name, campaign, kept) : notRun(name, campaign);
  });
  return [INTRODUCTION, ...sections, collectionsSection(), defectsSection()].join('\n\n').concat('\n');
}

const INTRODUCTION = `# Trust

Written by \`npm run trust -- <campaign> --page\`. Every number can be had again: \`npm run trust -- <campaign>\` prints such a table in minutes, with
\`--cases\`, \`--seconds\` and \`--seed\` for more; \`npm test\` tries some cases of each property in every run. Databases, brokers and a container
runtime are needed as for \`npm test\` ([contributing](CONTRIBUTING.md)).

A **case** is one value that a generator made, one point at which something was ended, or one test that counts nothing. **Lost** is what was
there before a fault and neither there nor told of after it.`;

/** @type {(name: string, campaign: import('./campaigns.mjs').Campaign, kept: Kept) => string} */
function sectionOf(name, { title, about }, { rows, seconds, cases, environment: at, seeds = [] }) {
  const runs = seeds.length > 1 ? `, ${seeds.length} runs with other seeds` : '';
  const lines = rows.map(({ what, tests, tried, failures, lost }) => {
    const names = tests.map((test) => `\`${test}\``).join(', ');
    return `| ${what} | ${names} | ${number.format(tried)} | ${failures} | ${lost} |`;
  });
  return `## ${title}

${about}

\`npm run trust -- ${name} --cases ${cases}\`, on ${at.date} at commit ${at.commit}: Node ${at.node} on ${at.platform}, ${at.cores} cores of ${at.cpu}, ${at.memoryGiB} GiB, ${Math.round(seconds / 60)} minutes${runs}.

| What | Tests | Cases | Failures | Lost |
| --- | --- | --- | --- | --- |
${lines.join('\n')}`;
}

function collectionsSection() {
  /** @type {readonly { readonly title: string, readonly files: Readonly<Record<string, string>> }[]} */
  const groups = JSON.parse(readFileSync(path.join(HERE, 'collections.json'), 'utf8'));
  const parts = groups.map(({ title, files }) => {
    const lines = Object.entries(files).map(([file, bound]) => `| \`${file}\` | ${bound} |`);
    return `### ${title}\n\n| Source | Bound |\n| --- | --- |\n${lines.join('\n')}`;
  });
  return `## What grows, and what bounds it

Every map, set and list that a class or module of a running server keeps and adds to. \`kernel/e2e/growing-collections.test.ts\` fails when a
source has one and is not listed.

${parts.join('\n\n')}`;
}

function defectsSection() {
  /** @type {readonly { readonly what: string, readonly test: string }[]} */
  const defects = JSON.parse(readFileSync(path.join(HERE, 'defects.json'), 'utf8'));
  const lines = defects.map(({ what, test }) => `| ${what} | \`${test}\` |`);
  return `## Defects found

Campaigns found ${defects.length}. Each is mended, and held by the test that is named.

| Defect | Test |
| --- | --- |
${lines.join('\n')}`;
}

/** @type {(name: string, campaign: import('./campaigns.mjs').Campaign) => string} */
function notRun(name, { title, about }) {
  return `## ${title}\n\n${about}\n\nNot run for this page yet; \`npm run trust -- ${name}\` does.`;
}
