import { fwError } from '../../../../kernel/index.js';
import { objectOf, parsedJson } from '../../../../kernel/values/index.js';
import { VERIFICATION_ERRORS } from '../errors.js';
import { type NodeCoverage, parseNodeCoverage } from '../node/node-test.js';
import { type CountedLines, type FileCoverage, fileCoverage } from './file-coverage.js';

/**
 * `coverage-final.json` of Istanbul, which jest, vitest, nyc and c8 write.
 * @throws FwError `FW_TOOLS_COVERAGE`
 */
export function istanbulCoverage(text: string, root: string): readonly FileCoverage[] {
  const files = parsedJson(text);
  if (typeof files !== 'object' || files === null)
    throw unreadable(root, 'coverage-final.json is not what Istanbul writes');
  return Object.values(files).flatMap((each: unknown) => {
    const { path, statementMap, s: counts } = objectOf(each);
    if (typeof path !== 'string') return [];
    const counted = Object.entries(objectOf(statementMap)).map(([id, statement]) => {
      const { start, end } = objectOf(statement);
      const ran = Number(objectOf(counts)[id]) > 0;
      // A statement that ran counts with its first line only, because its inner statements are counted separately.
      return { from: lineIn(start), to: lineIn(ran ? start : end), ran };
    });
    return fileCoverage(root, path, counted) ?? [];
  });
}

const lineIn = (place: unknown): number => Number(objectOf(place)['line']);

/**
 * `lcov.info` (geninfo(1), "FILES"), which c8, `node --test` and most editors' plugins write.
 * @throws FwError `FW_TOOLS_COVERAGE`
 */
export function lcovCoverage(text: string, root: string): readonly FileCoverage[] {
  if (!/^SF:/m.test(text)) throw unreadable(root, 'lcov.info names no file');
  return text.split(/^end_of_record/m).flatMap((record) => {
    const file = /^SF:(.+)$/m.exec(record)?.[1]?.trim();
    const counted = [...record.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) =>
      lineOf(Number(line), Number(count)),
    );
    return file === undefined ? [] : (fileCoverage(root, file, counted) ?? []);
  });
}

/** What `node --test --experimental-test-coverage` counted. */
export function nodeCoverage(text: string, root: string, isTest: (file: string) => boolean): readonly FileCoverage[] {
  const files: readonly NodeCoverage[] = parseNodeCoverage(text) ?? [];
  return files.flatMap(({ path, lines }) => {
    const found = fileCoverage(
      root,
      path,
      lines.map(({ line, count }) => lineOf(line, count)),
    );
    return found && !isTest(found.file) ? found : [];
  });
}

/**
 * A cover profile of `go test -coverprofile` (https://pkg.go.dev/cmd/cover): `file:line.column,line.column statements count`.
 * @param module - path of the module, which the files in the profile begin with
 * @throws FwError `FW_TOOLS_COVERAGE`
 */
export function goCoverage(text: string, root: string, module: string): readonly FileCoverage[] {
  if (!text.startsWith('mode: ')) throw unreadable(root, 'the cover profile does not begin with its mode');
  const files = new Map<string, CountedLines[]>();
  for (const [, name = '', from, to, statements, count] of text.matchAll(
    /^(.+):(\d+)\.\d+,(\d+)\.\d+ (\d+) (\d+)$/gm,
  )) {
    const file = name.startsWith(`${module}/`) ? name.slice(module.length + 1) : name;
    const counted = { from: Number(from), to: Number(to), statements: Number(statements), ran: Number(count) > 0 };
    const known = files.get(file);
    if (known) known.push(counted);
    else files.set(file, [counted]);
  }
  return [...files].flatMap(([file, counted]) => fileCoverage(root, file, counted) ?? []);
}

const lineOf = (line: number, count: number): CountedLines => ({ from: line, to: line, ran: count > 0 });

/** The error for missing or unreadable coverage. */
export function unreadable(path: string, problem: string): Error {
  return fwError(VERIFICATION_ERRORS.FW_TOOLS_COVERAGE, { path, problem });
}
