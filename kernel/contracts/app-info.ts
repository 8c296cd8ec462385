import { token } from '../container/token.js';
import type { BootReport } from '../plugin/boot-report.js';

/** Facts about the running application. */
export interface AppInfo {
  /** Name from `app.config.ts`. */
  readonly name: string;
  /** Version from `app.config.ts`, `0.0.0` when it gives none. */
  readonly version: string;
  /** Active profile: dev, test or prod. */
  readonly profile: string;
  /** Folder that `app.config.ts` stands in. */
  readonly root: string;
  /** Folder of the database migrations, absolute. It need not be there. */
  readonly migrations: string;
  /** Index of this worker process, from 1, and their number (`fw start --workers`); 1 of 1 without workers. */
  readonly worker: { readonly index: number; readonly count: number };
  /** The boot report so far; complete once the application is up. */
  report(): BootReport;
  /** Options of each enabled plugin with secrets replaced, in start order. */
  configuration(): readonly { readonly plugin: string; readonly options: unknown }[];
}

export const AppInfo = token<AppInfo>('fw.AppInfo');
