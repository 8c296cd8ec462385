import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { livenessOf, ownIdentity, type ProcessIdentity } from '../../kernel/fs/index.js';

/** Where a running `fw dev` can be found, relative to the project. */
export const REGISTRATION = '.fw/dev.json';

/** What stands there. */
export interface DevRegistration extends ProcessIdentity {
  /** When it was started, ISO 8601. */
  readonly startedAt: string;
  /** Tells it apart from every other one that ran here. */
  readonly nonce: string;
  /** `starting` until the first outcome, `running`, `building` while a change is on its way, `failed` when something is to be mended. */
  readonly state: 'starting' | 'running' | 'building' | 'failed';
  /** Where the application can be reached. */
  readonly urls: readonly string[];
  /** What is wrong, in words; with `failed`. */
  readonly problem?: string;
}

/** The `fw dev` that runs for a project; undefined where there is none. What a killed one left behind is none. */
export function runningDev(root: string): DevRegistration | undefined {
  try {
    const found = JSON.parse(readFileSync(path.join(root, REGISTRATION), 'utf8')) as DevRegistration;
    return typeof found.pid === 'number' && livenessOf(found) !== 'dead' ? found : undefined;
  } catch {
    // There is none, or it is half of one, which nobody wrote who still runs.
    return undefined;
  }
}

/** The entry of this process, which only its user can read. */
export class Registration {
  readonly nonce = randomBytes(16).toString('hex');
  readonly #file: string;
  readonly #startedAt = new Date().toISOString();

  constructor(root: string) {
    this.#file = path.join(root, REGISTRATION);
    // However this process ends, unless it is killed; then the next one sees that it is gone.
    process.once('exit', () => this.remove());
  }

  /** Writes what is the case now. */
  write(now: Pick<DevRegistration, 'state' | 'urls' | 'problem'>): void {
    const entry: DevRegistration = { ...ownIdentity(), startedAt: this.#startedAt, nonce: this.nonce, ...now };
    mkdirSync(path.dirname(this.#file), { recursive: true });
    const beside = `${this.#file}.${process.pid}`;
    writeFileSync(beside, `${JSON.stringify(entry, null, 2)}\n`, { mode: 0o600 });
    renameSync(beside, this.#file);
  }

  /** Removes the entry. */
  remove(): void {
    rmSync(this.#file, { force: true });
  }
}
