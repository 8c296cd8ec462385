import { projectRoot } from '../fs/index.js';
import { suggestion } from '../errors/index.js';
import type { CommandAction } from '../contracts/command.js';
import { allChecks, type CheckFinding, examine } from './examine.js';

interface DoctorOptions {
  readonly config?: string;
  readonly profile?: string;
  readonly only?: readonly string[];
  readonly json?: boolean;
}

/** `fw doctor`: what is wrong, how bad it is, and what to do. Exit code 1 when something does not work. */
const doctor: CommandAction<DoctorOptions> = async ({ options, cwd, out, err, progress }) => {
  const { json, ...given } = options;
  const root = projectRoot(cwd);
  const unknown = await unknownCheck(root, given.only);
  if (unknown !== undefined) {
    err(`${unknown}\n`);
    return 2;
  }
  const findings = await progress('looking around', (next) => examine({ root, ...given, onCheck: next }));
  const count = (severity: string) => findings.filter((each) => each.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (json) out(`${JSON.stringify({ ok: errors === 0, errors, warnings, findings }, null, 2)}\n`);
  else out(`${findings.map(lineOf).join('')}\n${summaryOf(errors, warnings)}\n`);
  return errors === 0 ? 0 : 1;
};

export default doctor;

async function unknownCheck(root: string, only: readonly string[] | undefined): Promise<string | undefined> {
  if (only === undefined) return undefined;
  const names = (await allChecks(root)).checks.map(({ check }) => check.name);
  const wrong = only.find((name) => !names.includes(name));
  if (wrong === undefined) return undefined;
  return `There is no check "${wrong}". ${suggestion(wrong, names)}Checks: ${names.join(', ')}`;
}

const MARKS = { ok: 'ok   ', note: 'note ', warning: 'WARN ', error: 'ERROR' } as const;

function lineOf({ severity, check, code, message, command }: CheckFinding): string {
  const isWrong = severity === 'error' || severity === 'warning';
  const [first = '', ...rest] = message.split('\n');
  const lines = [`${MARKS[severity]} ${check.padEnd(13)} ${isWrong ? `${code}: ` : ''}${first}`, ...rest.map(indented)];
  if (command !== undefined) lines.push(indented(`$ ${command}`));
  return lines.map((line) => `${line}\n`).join('');
}

const indented = (line: string): string => `${' '.repeat(20)}${line}`;

function summaryOf(errors: number, warnings: number): string {
  if (errors + warnings === 0) return 'Nothing is wrong.';
  const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
  return [counted(errors, 'error'), counted(warnings, 'warning')].join(', ');
}
