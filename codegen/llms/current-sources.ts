import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fwError } from '../../kernel/errors/index.js';
import { CODEGEN_ERRORS } from '../engine/errors.js';
import { inWords } from '../engine/index.js';
import { parseRouteRegistry, REGISTRY_FILE, type RouteEntry } from '../routes/index.js';
import { LLMS_ERRORS } from './errors.js';
import { parseReferenceFacts, REFERENCE_FILE, type ReferenceFacts } from './reference-facts.js';

/** `generated/routes.json` and `generated/reference.json` as `fw codegen` would write them now. */
interface CurrentSources {
  readonly entries: readonly RouteEntry[];
  readonly facts: ReferenceFacts;
  /** Files of `generated/` that are not up to date, relative to the project. */
  readonly stale: readonly string[];
}

/**
 * Reads the sources of a project without running it or writing anything, so that changes count before `fw codegen` has run.
 *
 * @throws FwError `FW_CODEGEN_NO_CONFIG`, `FW_LLMS_SOURCES`
 */
export async function currentSources(root: string): Promise<CurrentSources> {
  const config = path.join(root, 'app.config.ts');
  if (!existsSync(config)) throw fwError(CODEGEN_ERRORS.FW_CODEGEN_NO_CONFIG, { path: config });
  // Loaded here: the parser takes longer than everything else.
  const { CodegenSession } = await import('../engine/session.js');
  const { builtInGenerators } = await import('../generators.js');
  const session = new CodegenSession({ root, config, generators: builtInGenerators() });
  const { plan, problems, config: project } = await session.pass();
  if (!plan) {
    throw fwError(LLMS_ERRORS.FW_LLMS_SOURCES, { problems: problems.map((each) => inWords(each, root)).join('\n') });
  }
  const textOf = (name: string) => {
    const file = path.join(project.outDir, name);
    const change = plan.changes.find((each) => each.path === file);
    return { file, text: change?.text ?? readFileSync(file, 'utf8') };
  };
  const [routes, reference] = [textOf(REGISTRY_FILE), textOf(REFERENCE_FILE)];
  return {
    entries: parseRouteRegistry(routes.text, routes.file),
    facts: parseReferenceFacts(reference.text, reference.file),
    stale: plan.changes.map((change) => path.relative(root, change.path).split(path.sep).join('/')),
  };
}
