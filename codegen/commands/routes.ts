import type { CommandAction, CommandOutput } from '../../kernel/contracts/command.js';
import { routesReport } from '../report/routes-report.js';
import { readRouteRegistry } from '../routes/registry.js';

/** Options of `fw routes`. */
interface RoutesCommand {
  /** Project folder. */
  readonly root: string;
  /** Prints the entries as a JSON array, `[]` when there are none. */
  readonly json?: boolean;
  readonly output: CommandOutput;
}

/**
 * `fw routes`: prints the registry that `fw codegen` wrote; nothing is parsed or started.
 *
 * @returns exit code 0
 * @throws FwError `FW_ROUTES_NO_REGISTRY`, `FW_ROUTES_DAMAGED`
 */
export async function routesCommand({ root, json = false, output }: RoutesCommand): Promise<number> {
  const { routes } = readRouteRegistry(root);
  output.out(json ? `${JSON.stringify(routes, null, 2)}\n` : routesReport(routes));
  return 0;
}

/** `fw routes`: prints the routes that `fw codegen` read from the sources. */
const routes: CommandAction<{ readonly json?: boolean }> = ({ options, cwd, out, err }) =>
  routesCommand({ root: cwd, ...options, output: { out, err } });

export default routes;
