import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildConfig, type LoadedAhead, RepeatedBuild, settingsOf } from '../../kernel/build/index.js';
import type { CommandOutput } from '../../kernel/contracts/command.js';
import { RunningEntry, type ServingState } from '../../kernel/running/index.js';
import { type RepeatedCodegen, repeatedCodegen } from '../engine/run-codegen.js';
import { Bell, WatchedFolders } from '../engine/watch-inputs.js';
import { isOfRouteList, keepRouteList, ROUTE_LIST } from '../schematics/engine/route-list.js';
import type { AppProcess, Outcome } from './app-process.js';
import { ErrorServer } from './error-server.js';
import { HeldSockets } from './held-sockets.js';
import { NextProcess } from './next-process.js';
import { appProblem, buildProblem, codegenProblem, otherProblem, type Problem, problemText } from './problem.js';
import { type FileEvent, type LookedAt, ProjectFiles } from './project-files.js';
import { DevTerminal } from './dev-terminal.js';
import { type TypeCheck, type TypeReport, watchTypes } from './type-check.js';

/** How a development server runs. */
interface DevOptions {
  readonly root: string;
  /** The program `fw`. */
  readonly fw: string;
  readonly profile: string;
  /** Whether types are checked in the background. */
  readonly types: boolean;
  /** Further files and folders of which every change counts; absolute. */
  readonly watch: readonly string[];
  readonly output: CommandOutput;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Milliseconds in which several changes count as one. */
const BURST_MS = 25;
/** From so many files on, a change is taken for a checkout of Git and not for a save of an editor: more files will follow. */
const MANY = 10;
const MANY_BURST_MS = 150;
/** How often the lock of Git is looked at during a checkout; after a crash of Git the lock would stay forever. */
const GIT_LOOKS = 100;
const GIT_LOOK_MS = 50;

/** Sources of every project that `fw new` makes. */
const SOURCES = ['app', 'src'];

/**
 * Runs an application during development: builds and restarts it when a file changes. The sockets stay open all the time: a request during
 * a restart waits for its answer, and one while the application cannot run is answered with the reason.
 */
export class DevServer {
  readonly #files = new ProjectFiles();
  readonly #sockets = new HeldSockets();
  readonly #entry: RunningEntry;
  readonly #errors: ErrorServer;
  readonly #terminal: DevTerminal;
  readonly #codegen: RepeatedCodegen;
  readonly #build: RepeatedBuild;
  readonly #bell: Bell;
  readonly #folders: WatchedFolders;
  readonly #next: NextProcess;
  #app: AppProcess | undefined;
  #ahead: LoadedAhead | undefined;
  /** Changes of files while the application was built. */
  #during: readonly FileEvent[] = [];
  #reads: readonly string[] = [];
  #inputs: readonly string[] = [];
  #outDir: string;
  #name = '';
  #addresses: ServingState['addresses'] = [];
  #hasGreeted = false;
  #problem: Problem | undefined;
  #checking: TypeCheck | undefined;

  constructor(private readonly options: DevOptions) {
    const { root, fw, profile, signal, output } = options;
    this.#next = new NextProcess({ root, fw, profile, sockets: this.#sockets });
    this.#entry = new RunningEntry(root, { command: 'dev', profile });
    this.#errors = new ErrorServer(`/__fw_dev/${this.#entry.nonce}`);
    this.#terminal = new DevTerminal(output);
    this.#codegen = repeatedCodegen(root);
    this.#build = new RepeatedBuild(root);
    this.#bell = new Bell(BURST_MS, signal);
    this.#folders = new WatchedFolders(
      () => this.#touched(),
      (folder, reason) => this.#terminal.note(`${path.relative(root, folder) || '.'} is not watched: ${reason}`),
    );
    this.#outDir = path.join(root, 'generated');
  }

  /** Runs until the signal is aborted. */
  async run(): Promise<void> {
    const { root, types, signal } = this.options;
    this.#say('starting');
    try {
      this.#look();
      const tsconfig = types ? await settingsOf(root, []) : undefined;
      await this.#renew([]);
      this.#checking = await watchTypes(root, tsconfig, (report) => this.#tellTypes(report));
      // Loads what the start did not need, so that the first change does not wait for it.
      void this.#codegen
        .remember()
        .then(() => this.#codegen.warm())
        .catch(() => undefined);
      for (;;) {
        // Includes changes during the last restart.
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
      await Promise.all([
        this.#app?.stop(),
        this.#next.stop(),
        this.#checking?.stop(),
        this.#build.close(),
        this.#codegen.remember(),
      ]);
      this.#entry.remove();
    }
  }

  #touched(): void {
    this.#checking?.saved();
    // The change may fix the problem: new requests wait for the result.
    if (this.#problem) this.#sockets.give(undefined);
    this.#bell.ring();
  }

  // Waits until a checkout, which writes many files one after the other, has ended.
  async #settled(): Promise<readonly FileEvent[]> {
    const lock = path.join(this.options.root, '.git/index.lock');
    let events = merged(this.#during, this.#look());
    this.#during = [];
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
    // One more look finds changes between the look and the watch of a new folder.
    if (this.#folders.set(folders)) this.#bell.ring();
    return events;
  }

  #lookedAt(): LookedAt {
    const { root, watch } = this.options;
    const inputs = this.#inputs.filter((file) => path.dirname(file) !== root);
    const folders = [...SOURCES.map((name) => path.join(root, name)), ...inputs.map((file) => path.dirname(file))];
    return { root, sources: outermost(folders), whole: [...this.#reads, ...watch], never: [this.#outDir] };
  }

  /** Generates, builds and replaces the application, and prints the outcome. */
  async #renew(events: readonly FileEvent[]): Promise<void> {
    const from = performance.now();
    this.#say(this.#hasGreeted ? 'building' : 'starting');
    // Requests wait instead of being answered with a problem that may be fixed.
    if (this.#problem) this.#sockets.give(undefined);
    const { signal } = this.options;
    // The process starts during the build, because it takes a while to load the framework.
    this.#next.begin(events);
    const unbuilt = await this.#prepare(events);
    const problem = unbuilt ?? (await this.#start());
    if (signal.aborted) return;
    if (problem) {
      this.#fail(problem, events);
      if (unbuilt && !this.#sockets.areOpen) await this.#foretell();
      return;
    }
    this.#problem = undefined;
    this.#say('running');
    // Reloads pages that show the earlier problem.
    this.#errors.reload();
    if (events.length > 0) this.#terminal.restarted(events, performance.now() - from);
    if (this.#ahead) void this.#next.wait(this.#ahead);
  }

  async #start(): Promise<Problem | undefined> {
    const next = await this.#next.take(this.#ahead);
    const problem = await this.#replace(next);
    if (this.#app !== next) void next.stop();
    return problem;
  }

  // Opens the addresses of an application that has never been built, so that whoever asks there is told why.
  async #foretell(): Promise<void> {
    try {
      await buildConfig(this.options.root);
    } catch {
      // Nothing says where it will listen.
      return;
    }
    const next = await this.#next.take(undefined);
    await next.foretell();
    await next.stop();
  }

  /** Brings generated/ and dist/ up to date. */
  async #prepare(events: readonly FileEvent[]): Promise<Problem | undefined> {
    const { root } = this.options;
    try {
      if (events.length === 0 || events.some(({ path: file }) => this.#mayGenerate(file))) {
        const result = await keepRouteList(
          root,
          (line) => this.#terminal.note(line),
          () => this.#codegen.run(),
        );
        this.#outDir = path.resolve(root, result.outDir);
        if (!result.ok) return codegenProblem(root, result.problems);
        this.#terminal.notes(result.notes);
      }
      const { files, ahead } = await this.#build.build(path.relative(root, this.#outDir).split(path.sep).join('/'));
      this.#ahead = ahead;
      // What was saved since the build began may be missing in it. The list of routes was written here.
      this.#during = this.#look().filter(({ path: file }) => file !== ROUTE_LIST);
      this.#inputs = files
        .map((file) => path.join(root, file))
        .filter((file) => !file.startsWith(this.#outDir + path.sep));
      // Looks once more, because the build may have led to files that were not known before.
      this.#during = merged(
        this.#during,
        this.#look().filter(({ became }) => became !== 'added'),
      );
      return undefined;
    } catch (error) {
      return buildProblem(root, error);
    }
  }

  #mayGenerate(file: string): boolean {
    return !this.#isRead(file) && (isOfRouteList(file) || this.#codegen.concerns(path.join(this.options.root, file)));
  }

  // Whether the application reads the file at run time, so that no build notices its change.
  #isRead(file: string): boolean {
    const at = path.join(this.options.root, file);
    return [...this.#reads, ...this.options.watch].some((each) => at === each || at.startsWith(each + path.sep));
  }

  /** Starts the built application. The running one serves until the new one is loaded. */
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
    this.#name = outcome.report.name;
    this.#addresses = outcome.report.addresses;
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
    // The running application no longer corresponds to the sources, so it is stopped.
    void before?.stop();
    this.#terminal.failed(events, problem);
    this.#say('failed', problemText(problem));
    this.#errors.show(problem);
    this.#sockets.give(this.#errors);
  }

  /** Says below `.fw/running` what is the case. */
  #say(state: ServingState['state'], problem?: string): void {
    this.#entry.write({
      state,
      app: this.#name,
      addresses: this.#addresses,
      ...(problem !== undefined && { problem }),
    });
  }

  #tellTypes({ errors }: TypeReport): void {
    this.#terminal.types(this.options.root, errors, this.#problem);
  }
}

function merged(first: readonly FileEvent[], second: readonly FileEvent[]): readonly FileEvent[] {
  const byPath = new Map([...first, ...second].map((event) => [event.path, event]));
  return [...byPath.values()];
}

// Drops folders inside others, which are watched with these.
function outermost(folders: readonly string[]): readonly string[] {
  const sorted = [...new Set(folders)].sort();
  return sorted.filter((folder) => !sorted.some((other) => folder !== other && folder.startsWith(other + path.sep)));
}
