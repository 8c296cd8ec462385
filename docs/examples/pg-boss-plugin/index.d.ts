import type { Plugin, Token } from 'fw';

/** What the plugin is told. */
export interface JobsOptions {
  /** Address of the PostgreSQL database that the jobs are kept in. */
  readonly url: string;
  /** Schema of its tables. Default `pgboss`. */
  readonly schema?: string;
  /** Seconds between two looks for work. Default 2. */
  readonly pollSeconds?: number;
  /** Whether this process runs jobs, or sends them only. Default true. */
  readonly work?: boolean;
}

/** What a run of a job is told besides its data. */
export interface JobRun {
  readonly id: string;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Aborted when the process is about to end: what is not over then is tried again by another one. */
  readonly signal: AbortSignal;
}

/** A kind of work. Plugins contribute them. */
export interface Job<Data extends object = object> {
  /** Letters, digits, `-`, `_`, `.` and `/`. */
  readonly name: string;
  /** How often it is tried again after it threw. Default 2. */
  readonly retries?: number;
  /** Seconds before it is tried again; each further wait is twice as long. Default 5. */
  readonly retryDelaySeconds?: number;
  /** How many this process runs at a time. Default 1. */
  readonly concurrency?: number;
  /** When it is sent by itself: a line of cron with five fields. */
  readonly schedule?: string;
  /** Time zone of the schedule, such as `Europe/Berlin`. Default UTC. */
  readonly timeZone?: string;
  run(data: Data, run: JobRun): unknown;
}

/** Kinds of work, for `contribute`. */
export declare const Job: Token<Job>;

/** How a job is sent. */
export interface SendOptions {
  /** Not before: seconds from now, or a moment. */
  readonly startAfter?: number | Date;
  /** Of several with the same key one waits or runs at a time; a further one is not sent. */
  readonly singletonKey?: string;
  /** Higher ones go first. Default 0. */
  readonly priority?: number;
}

/** Sends work. */
export interface Jobs {
  /**
   * Sends a job. When the promise is fulfilled it is in the database, and runs even when this process ends.
   *
   * @returns its id; null where one of the same `singletonKey` is there already
   * @throws FwError `FW_JOBS_UNKNOWN`
   */
  send(name: string, data?: object, options?: SendOptions): Promise<string | null>;
  /** Lets a job that has failed for good run once more. @throws FwError `FW_JOBS_UNKNOWN` */
  retry(name: string, id: string): Promise<void>;
}

/** The service, for `services.get`. */
export declare const Jobs: Token<Jobs>;

declare const plugin: Plugin<JobsOptions>;
export default plugin;
