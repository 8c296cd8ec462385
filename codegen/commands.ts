import { untilSignal } from '../kernel/cli/signals.js';
import type { CodegenResult } from './engine/result.js';
import { readRouteRegistry } from './routes/registry.js';
import { codegenReport } from './report/codegen-report.js';
import { routesReport } from './report/routes-report.js';

/** Where a command prints. */
export interface CommandOutput {
  out(text: string): void;
  err(text: string): void;
}

const STANDARD: CommandOutput = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** Options of `fw codegen`. */
export interface CodegenCommand {
  /** Project folder. */
  readonly root: string;
  readonly check?: boolean;
  readonly watch?: boolean;
  /** Prints results as JSON; of a watch, one line each. */
  readonly json?: boolean;
  readonly output?: CommandOutput;
  /** Ends a watch; default SIGINT and SIGTERM do. */
  readonly signal?: AbortSignal;
}

/**
 * `fw codegen`: generates, checks or watches, and prints what happened.
 * @returns exit code: 0 when all is well, 1 when sources have mistakes or a check found something stale
 */
export async function codegenCommand(command: CodegenCommand): Promise<number> {
  const { root, check = false, watch = false, json = false, output = STANDARD } = command;
  // Loaded here, so that `fw routes` does without it.
  const { runCodegen } = await import('./engine/run-codegen.js');
  const { keepRouteList } = await import('./schematics/engine/route-list.js');
  const print = (result: CodegenResult) => printResult(result, { check, json, watch, output });
  if (!watch) {
    if (!check) await keepRouteList(root, (line) => void (json || output.out(`${line}\n`)));
    const result = await runCodegen({ root, check });
    print(result);
    return result.ok ? 0 : 1;
  }
  const signal = command.signal ?? untilSignal().aborted;
  const last = await runCodegen({ root, check, watch, signal, onResult: print });
  return check && !last.ok ? 1 : 0;
}

interface Printing {
  readonly check: boolean;
  readonly json: boolean;
  readonly watch: boolean;
  readonly output: CommandOutput;
}

function printResult(result: CodegenResult, { check, json, watch, output }: Printing): void {
  if (json) {
    output.out(`${JSON.stringify(result, null, watch ? undefined : 2)}\n`);
    return;
  }
  const { out, err } = codegenReport(result, { check, watch });
  if (out !== '') output.out(out);
  if (err !== '') output.err(err);
}

/** Options of `fw routes`. */
export interface RoutesCommand {
  /** Project folder. */
  readonly root: string;
  /** Prints the entries as a JSON array, `[]` when there are none. */
  readonly json?: boolean;
  readonly output?: CommandOutput;
}

/**
 * `fw routes`: prints the registry that `fw codegen` wrote; nothing is parsed or started.
 *
 * @returns exit code 0
 * @throws FwError `FW_ROUTES_NO_REGISTRY`, `FW_ROUTES_DAMAGED`
 */
export async function routesCommand({ root, json = false, output = STANDARD }: RoutesCommand): Promise<number> {
  const { routes } = readRouteRegistry(root);
  output.out(json ? `${JSON.stringify(routes, null, 2)}\n` : routesReport(routes));
  return 0;
}
