import { existsSync } from 'node:fs';
import { degraded, HitCounter, off, ok, type ProbeReport } from '../../../kernel/index.js';

interface Mount {
  readonly prefix: string;
  /** The folder as given, and with every link resolved. */
  readonly folder: string;
  readonly root: string;
}

/** The folders that an application serves, with counts of the requests for their files. */
export class StaticMounts {
  readonly files = new HitCounter({ hit: 'files_served', miss: 'not_found' });
  readonly #mounts: Mount[] = [];

  add(mount: Mount): void {
    this.#mounts.push(mount);
  }

  /** What the `static` subsystem reports. */
  report(): ProbeReport {
    if (this.#mounts.length === 0) {
      return off("No folder is served. Add plugin(() => import('fw/static')) to app.config.ts, or call router.static.");
    }
    // One synchronous check per folder, which is cheap enough for a probe.
    const mounts = this.#mounts.map(({ prefix, folder, root }) => ({ prefix, root: folder, root_abs: root, root_found: existsSync(root) })); // prettier-ignore
    const gone = mounts.filter(({ root_found }) => !root_found);
    const more = { detail: { mounts, ...this.files.detail() }, notes: this.files.notes() };
    if (gone.length > 0)
      return degraded(`${gone.map(({ root }) => root).join()} is gone: its files are answered 404`, more);
    return ok(mounts.map(({ prefix, root }) => `${prefix} from ${root}`).join(', '), more);
  }
}
