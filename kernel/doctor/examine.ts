import { loadConfig } from '../config/index.js';
import type { DoctorCheck, DoctorContext, Finding } from '../contracts/doctor.js';
import { isFwError, messageOf } from '../errors/index.js';
import { fwCommand } from '../invocation/index.js';
import {
  type CheckManifest,
  type Contributor,
  loadFunction,
  packageManifests,
  roomManifests,
} from '../manifests/index.js';
import { finding } from './finding.js';

/** Options of {@link examine}. */
export interface Examination {
  readonly root: string;
  readonly profile?: string | undefined;
  readonly config?: string | undefined;
  /** Names of the checks to run; default all. */
  readonly only?: readonly string[] | undefined;
  /** Told which check runs. */
  readonly onCheck?: (summary: string) => void;
  /** Milliseconds that a check may take; default a minute. */
  readonly deadlineMs?: number;
}

/** A finding with the name of its check. */
export interface CheckFinding extends Finding {
  readonly check: string;
}

interface BroughtCheck {
  readonly by: Contributor;
  readonly field: string;
  readonly check: CheckManifest;
}

const DEADLINE_MS = 60_000;

/** The checks of fw and of the packages of a project, and the problems that keep others from being loaded. */
export async function allChecks(root: string) {
  const [rooms, packages] = await Promise.all([roomManifests(), packageManifests(root)]);
  // The kernel's checks (Node, packages) first, because the others depend on what they check.
  const own = [...rooms].sort((a, b) => Number(b.owner === 'kernel/doctor') - Number(a.owner === 'kernel/doctor'));
  const checks = [...own, ...packages.found].flatMap((by) =>
    (by.manifest.checks ?? []).map((check, at): BroughtCheck => ({ by, field: `checks[${at}]`, check })),
  );
  return { checks, problems: packages.problems };
}

/** Runs every check by itself: an exception or a timeout of a check becomes a finding of that check. Nothing is changed. */
export async function examine(examination: Examination): Promise<readonly CheckFinding[]> {
  const { root, only, onCheck } = examination;
  const { checks, problems } = await allChecks(root);
  const found: CheckFinding[] = problems.map((error) => ({ check: 'packages', ...findingOf(error) }));
  let loading: ReturnType<DoctorContext['config']> | undefined;
  const config = () => (loading ??= loadConfig(examination.config, { cwd: root, profile: examination.profile }));
  for (const each of checks) {
    const { name, summary } = each.check;
    if (only !== undefined && !only.includes(name)) continue;
    onCheck?.(`looking at ${summary}`);
    for (const finding of await run(each, config, examination)) found.push({ check: name, ...finding });
  }
  return found;
}

async function run(
  { by, field, check }: BroughtCheck,
  config: DoctorContext['config'],
  { root, profile, deadlineMs = DEADLINE_MS }: Examination,
): Promise<readonly Finding[]> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Finding[]>((resolve) => {
    timer = setTimeout(() => {
      deadline.abort();
      const message = `The check ${check.name} did not come to an end within ${deadlineMs / 1000} s.`;
      resolve([finding('error', 'FW_DOCTOR_TIMEOUT', message)]);
    }, deadlineMs);
  });
  try {
    const action = await loadFunction<DoctorCheck>({ by, field: `${field}.module`, module: check.module });
    return await Promise.race([action({ root, profile, config, signal: deadline.signal }), late]);
  } catch (error) {
    return [findingOf(error)];
  } finally {
    clearTimeout(timer);
  }
}

/** Turns an error into a finding; for an error of the framework the command shows its page. */
export function findingOf(
  error: unknown,
  severity: Finding['severity'] = 'error',
  command = isFwError(error) ? fwCommand(`docs ${error.code}`) : undefined,
): Finding {
  const known = isFwError(error) ? error.code : (error as NodeJS.ErrnoException | undefined)?.code;
  const found = finding(severity, 'FW_DOCTOR_FAILED', messageOf(error), command === undefined ? {} : { command });
  return known === undefined ? found : { ...found, code: known };
}
