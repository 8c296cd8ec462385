import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RepeatedBuild, settingsOf } from '../../kernel/build/index.js';
import type { CommandOutput } from '../../kernel/contracts/command.js';
import { type RepeatedCodegen, repeatedCodegen } from '../engine/run-codegen.js';
import { Bell, WatchedFolders } from '../engine/watch-inputs.js';
import { keepRouteList } from '../schematics/engine/route-list.js';
import { AppProcess, type Outcome } from './app-process.js';
import { ErrorServer } from './error-server.js';
import { HeldSockets } from './held-sockets.js';
import { appProblem, buildProblem, codegenProblem, otherProblem, type Problem, problemText } from './problem.js';
import { type FileEvent, type LookedAt, ProjectFiles } from './project-files.js';
import { Registration } from './registration.js';
import { DevTerminal } from './dev-terminal.js';
import { type TypeReport, watchTypes } from './type-check.js';

/** How a development server runs. */
export interface DevOptions {
  readonly root: string;
  /** The program `fw`. */
  readonly fw: string;
  readonly profile: string;
  /** Whether types are checked beside. */
  readonly types: boolean;
  /** Further files and folders of which every change counts; absolute. */
  readonly watch: readonly string[];
  readonly output: CommandOutput;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Milliseconds in which several changes count as one. */
const BURST_MS = 25;
/** From so many files on it is no save of an editor: somebody changes branches, and more will come. */
const MANY = 10;
const MANY_BURST_MS = 150;
/** How long Git may take for a checkout, in looks at its lock; after a crash of Git the lock stays. */
const GIT_LOOKS = 100;
const GIT_LOOK_MS = 50;

/** Sources of every project that `fw new` makes. */
const SOURCES = ['app', 'src'];

/**
 * Runs an application while somebody works on it: builds and starts it anew when a file changes. The sockets stay open all the time;
 * whoever asks while it is replaced waits for the answer, and whoever asks while it cannot run is told why.
 */
export class DevServer {
  readonly #files = new ProjectFiles();
  readonly #sockets = new HeldSockets();
  readonly #registration: Registration;
  readonly #errors: ErrorServer;
  readonly #terminal: DevTerminal;
  readonly #codegen: RepeatedCodegen;
  readonly #build: RepeatedBuild;
  readonly #bell: Bell;
  readonly #folders: WatchedFolders;
  #app: AppProcess | undefined;
  #reads: readonly string[] = [];
  #inputs: readonly string[] = [];
  #outDir: string;
  #urls: readonly string[] = [];
  #hasGreeted = false;
  #problem: Problem | undefined;

  constructor(private readonly options: DevOptions) {
    const { root, signal, output } = options;
    this.#registration = new Registration(root);
    this.#errors = new ErrorServer(`/__fw_dev/${this.#registration.nonce}`);
    this.#terminal = new DevTerminal(output);
    this.#codegen = repeatedCodegen(root);
    this.#build = new RepeatedBuild(root);
    this.#bell = new Bell(BURST_MS, signal);
    this.#folders = new WatchedFolders(() => this.#touched(), undefined);
    this.#outDir = path.join(root, 'generated');
  }

  /** Runs until the signal is aborted. */
  async run(): Promise<void> {
    const { root, types, signal } = this.options;
    this.#registration.write({ state: 'starting', urls: [] });
    this.#look();
    const tsconfig = types ? await settingsOf(root, []) : undefined;
    await this.#renew([]);
    const checking = await watchTypes(root, tsconfig, (report) => this.#tellTypes(report));
    // The first change shall not wait for what the start could leave out.
    void this.#codegen.warm().catch(() => undefined);
    try {
      for (;;) {
        // What changed since the last look, also while the application was replaced.
        const events = await this.#settled();
        if (events.length > 0) await this.#renew(events);
        else {
          if (this.#problem) this.#sockets.give(this.#errors);
          if (!(await this.#bell.next())) break;
        }
        if (signal.aborted) break;
      }
    } finally {
      this.#folders.set(new Set());
      await Promise.all([this.#app?.stop(), checking?.stop({ graceMs: 0 }), this.#build.close()]);
      this.#registration.remove();
    }
  }

  #touched(): void {
    // What is wrong may be mended by this: whoever asks from here on waits for a look.
    if (this.#problem) this.#sockets.give(undefined);
    this.#bell.ring();
  }

  // A checkout writes many files, one after the other: the last of them tells when it is over.
  async #settled(): Promise<readonly FileEvent[]> {
    const lock = path.join(this.options.root, '.git/index.lock');
    let events = this.#look();
    for (let looks = 0; events.length > 0 && existsSync(lock) && looks < GIT_LOOKS; looks++) await delay(GIT_LOOK_MS);
    while (events.length >= MANY) {
      await delay(MANY_BURST_MS);
      const more = this.#look();
      if (more.length === 0) break;
      events = merged(events, more);
    }
    return events.length > 0 && existsSync(lock) ? merged(events, this.#look()) : events;
  }

  #look(): readonly FileEvent[] {
    const { events, folders } = this.#files.look(this.#lookedAt());
    // What came between the look and the watch of a new folder is found by one more look.
    if (this.#folders.set(folders)) this.#bell.ring();
    return events;
  }

  #lookedAt(): LookedAt {
    const { root, watch } = this.options;
    const inputs = this.#inputs.filter((file) => path.dirname(file) !== root);
    const folders = [...SOURCES.map((name) => path.join(root, name)), ...inputs.map((file) => path.dirname(file))];
    return { root, sources: outermost(folders), whole: [...this.#reads, ...watch], never: [this.#outDir] };
  }

  /** Generates, builds and replaces the application; says what became of it. */
  async #renew(events: readonly FileEvent[]): Promise<void> {
    const from = performance.now();
    this.#registration.write({ state: this.#hasGreeted ? 'building' : 'starting', urls: this.#urls });
    // Nobody shall be told about what is being mended.
    if (this.#problem) this.#sockets.give(undefined);
    const { root, fw, profile, signal } = this.options;
    // A process takes a while to get to where it can load something: that while is the one of the build.
    const starting = AppProcess.start({ root, fw, profile, sockets: this.#sockets });
    const problem = (await this.#prepare(events)) ?? (await this.#replace(await starting));
    if (this.#app !== (await starting)) void (await starting).stop();
    if (signal.aborted) return;
    if (problem) return this.#fail(problem, events);
    this.#problem = undefined;
    this.#registration.write({ state: 'running', urls: this.#urls });
    // Pages that showed what was wrong.
    this.#errors.reload();
    if (events.length > 0) this.#terminal.restarted(events, performance.now() - from);
  }

  /** Brings generated/ and dist/ up to date. */
  async #prepare(events: readonly FileEvent[]): Promise<Problem | undefined> {
    const { root } = this.options;
    try {
      if (events.length === 0 || events.some(({ path: file }) => !this.#isRead(file))) {
        const log = (line: string) => this.#terminal.note(line);
        const result = await keepRouteList(root, log, () => this.#codegen.run());
        this.#outDir = path.resolve(root, result.outDir);
        if (!result.ok) return codegenProblem(root, result.problems);
        this.#terminal.notes(result.notes);
      }
      const { files } = await this.#build.build();
      this.#inputs = files
        .map((file) => path.join(root, file))
        .filter((file) => !file.startsWith(this.#outDir + path.sep));
      // Of files that only this build has led to nothing was known before.
      this.#look();
      return undefined;
    } catch (error) {
      return buildProblem(root, error);
    }
  }

  // Read at run time, and by no compiler.
  #isRead(file: string): boolean {
    const at = path.join(this.options.root, file);
    return [...this.#reads, ...this.options.watch].some((each) => at === each || at.startsWith(each + path.sep));
  }

  /** Starts the application that was built. The one that runs serves until the new one is loaded. */
  async #replace(next: AppProcess): Promise<Problem | undefined> {
    const { signal } = this.options;
    const before = this.#app;
    before?.retire();
    const stopNext = () => void next.stop();
    signal.addEventListener('abort', stopNext, { once: true });
    const loaded = await next.load();
    // From here on connections wait.
    this.#sockets.give(undefined);
    this.#app = undefined;
    await before?.stop();
    const outcome = loaded.is === 'loaded' ? await next.go(!this.#hasGreeted) : loaded;
    signal.removeEventListener('abort', stopNext);
    if (outcome.is !== 'ready') return this.#outcomeProblem('The application does not start', outcome);
    this.#app = next;
    this.#hasGreeted = true;
    this.#reads = outcome.report.reads;
    this.#urls = outcome.report.addresses.map(({ url }) => url);
    this.#sockets.keep(new Set(next.addresses.keys()));
    this.#sockets.give(next);
    void next.crashed.then((ending) => this.#crashed(next, ending));
    return undefined;
  }

  #crashed(app: AppProcess, ending: Outcome): void {
    if (this.#app !== app || this.options.signal.aborted) return;
    this.#app = undefined;
    this.#fail(this.#outcomeProblem('The application has ended', ending), []);
  }

  #outcomeProblem(title: string, outcome: Outcome): Problem {
    if (outcome.is === 'failed') return appProblem(this.options.root, title, outcome.error);
    const how = outcome.is === 'ended' ? outcome.how : outcome.is;
    return otherProblem(title, `It ended with ${how}; what it printed stands above. Save a file to start it again.`);
  }

  #fail(problem: Problem, events: readonly FileEvent[]): void {
    this.#problem = problem;
    const before = this.#app;
    this.#app = undefined;
    // What runs is not what the sources say any more.
    void before?.stop();
    this.#terminal.failed(events, problem);
    this.#registration.write({ state: 'failed', urls: this.#urls, problem: problemText(problem) });
    this.#errors.show(problem);
    this.#sockets.give(this.#errors);
  }

  #tellTypes({ errors }: TypeReport): void {
    this.#terminal.types(this.options.root, errors);
  }
}

function merged(first: readonly FileEvent[], second: readonly FileEvent[]): readonly FileEvent[] {
  const byPath = new Map([...first, ...second].map((event) => [event.path, event]));
  return [...byPath.values()];
}

// A folder inside another one of them is looked at with it.
function outermost(folders: readonly string[]): readonly string[] {
  const sorted = [...new Set(folders)].sort();
  return sorted.filter((folder) => !sorted.some((other) => folder !== other && folder.startsWith(other + path.sep)));
}
