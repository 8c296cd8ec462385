import { type Proof, type Requirement } from './requirement.js';
import { SPEC_SECTIONS } from './sections.js';
import { citationsIn, REQUIREMENT_ID, type TestFile } from './test-titles.js';

/** For each test file the ids that its titles cite, with true when at least one citing test runs. */
type Citations = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

/**
 * Compares the manifest with the tests in both directions: the rows are well-formed, every proof of a `proven` row cites the row in a title
 * that runs, and every id cited in a title belongs to a `proven` row that lists that file.
 *
 * @param rows the manifest
 * @param testFiles every test file of the repository
 * @returns one sentence per problem, empty when there is none
 */
export function checkRequirements(rows: readonly Requirement[], testFiles: readonly TestFile[]): readonly string[] {
  const citations: Citations = new Map(testFiles.map((file) => [file.path, citedIds(file)]));
  return [
    ...repeatedIds(rows),
    ...rows.flatMap((row) => [...malformed(row), ...unproven(row, citations)]),
    ...[...citations].flatMap(([path, cited]) => strayCitations(path, cited, rows)),
  ];
}

function citedIds(file: TestFile): ReadonlyMap<string, boolean> {
  const runs = new Map<string, boolean>();
  for (const { id, isSkipped } of citationsIn(file)) runs.set(id, runs.get(id) === true || !isSkipped);
  return runs;
}

function repeatedIds(rows: readonly Requirement[]): readonly string[] {
  const ids = rows.map(({ id }) => id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [...repeated].map((id) => `${id}: stands more than once in the manifest; give each row an id of its own.`);
}

function malformed({ id, section, says }: Requirement): readonly string[] {
  const problems: string[] = [];
  if (!REQUIREMENT_ID.test(id))
    problems.push(`${id}: is not an id of the form <PART>-<TOPIC>-<nn> in capitals, digits and dashes.`);
  if (says.trim() === '') problems.push(`${id}: says nothing; write the statement in one sentence.`);
  if (!SPEC_SECTIONS.includes(section)) problems.push(`${id}: the specification has no section "${section}".`);
  return problems;
}

function unproven(row: Requirement, citations: Citations): readonly string[] {
  if (row.status === 'planned') return [];
  if (row.proofs.length === 0)
    return [`${row.id}: is proven by no test file; list one, or make the row planned again.`];
  const tests = row.proofs.map(({ test }) => test);
  const repeated = new Set(tests.filter((test, index) => tests.indexOf(test) !== index));
  return [
    ...[...repeated].map((test) => `${row.id}: lists ${test} more than once; put its mutations into one proof.`),
    ...row.proofs.flatMap((proof) => weakProof(row.id, proof, citations)),
  ];
}

function weakProof(id: string, { test, mutation }: Proof, citations: Citations): readonly string[] {
  const problems: string[] = [];
  const cited = citations.get(test);
  const isRun = cited?.get(id);
  if (!cited) problems.push(`${id}: there is no test file ${test}; write its path from the root of the repository.`);
  else if (isRun === undefined)
    problems.push(`${id}: no title in ${test} cites [${id}]; cite it, or remove the proof.`);
  else if (!isRun) problems.push(`${id}: ${test} cites it only in tests that are skipped, to do or expected to fail.`);
  if (mutation.trim() === '') problems.push(`${id}: does not say what was broken once to see ${test} fail.`);
  return problems;
}

function strayCitations(
  path: string,
  cited: ReadonlyMap<string, boolean>,
  rows: readonly Requirement[],
): readonly string[] {
  return [...cited].flatMap(([id, isRun]) => {
    const row = rows.find((each) => each.id === id);
    if (!row) return [`${path}: cites [${id}], which is not in the manifest; correct the id or add the row.`];
    if (!isRun) return [];
    if (row.status === 'planned') return [`${path}: cites [${id}], which is still planned; make the row proven.`];
    const isListed = row.proofs.some(({ test }) => test === path);
    return isListed ? [] : [`${path}: cites [${id}], but the proofs of that row do not list this file; add it.`];
  });
}
