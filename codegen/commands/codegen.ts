import type { CommandAction, CommandOutput, Progress } from '../../kernel/contracts/command.js';
import { untilAskedToStop } from '../../kernel/process/index.js';
import type { CodegenResult } from '../engine/result.js';
import { runCodegen } from '../engine/run-codegen.js';
import { codegenReport } from '../report/codegen-report.js';
import { keepRouteList } from '../schematics/engine/route-list.js';

/** Options of `fw codegen`. */
export interface CodegenOptions {
  readonly check?: boolean;
  readonly watch?: boolean;
  /** Prints results as JSON; of a watch, one line each. */
  readonly json?: boolean;
}

/** What `fw codegen` is called with. */
interface CodegenCommand extends CodegenOptions {
  /** Project folder. */
  readonly root: string;
  readonly output: CommandOutput;
  /** Shows progress; default nothing does. */
  readonly progress?: Progress;
  /** Ends a watch; default a request to stop the process. */
  readonly signal?: AbortSignal;
}

/**
 * `fw codegen`: generates, checks or watches, and prints what happened.
 * @returns exit code: 0 when all is well, 1 when sources have mistakes or a check found something stale
 */
export async function codegenCommand(command: CodegenCommand): Promise<number> {
  const { root, check = false, watch = false, json = false, output, progress = silently } = command;
  const print = (result: CodegenResult) => printResult(result, { check, json, watch, output });
  if (!watch) {
    const log = (line: string) => void (json || output.out(`${line}\n`));
    const generate = () => progress('looking at the sources', (onStep) => runCodegen({ root, check, onStep }));
    const result = check ? await generate() : await keepRouteList(root, log, generate);
    print(result);
    return result.ok ? 0 : 1;
  }
  const signal = command.signal ?? untilAskedToStop().aborted;
  const last = await runCodegen({ root, check, watch, signal, onResult: print });
  return check && !last.ok ? 1 : 0;
}

const silently: Progress = (_doing, work) => work(() => undefined);

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

/** `fw codegen`: writes generated/ from the model and route declarations. */
const codegen: CommandAction<CodegenOptions> = ({ options, cwd, out, err, progress }) =>
  codegenCommand({ root: cwd, ...options, output: { out, err }, progress });

export default codegen;
