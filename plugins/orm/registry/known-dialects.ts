import { fwError } from '../../../kernel/index.js';
import { packageManifests } from '../../../kernel/manifests/index.js';
import { ORM_ERRORS } from '../core/index.js';
import { builtInDialects } from './built-in.js';
import { type DialectFacts, factsProblem } from './facts.js';

/**
 * The dialects that a project can use: the built-in ones, and those of the packages in its package.json. Does not run their code.
 *
 * @param root - folder of the project's package.json; without it, only the built-in dialects
 * @throws FwError `FW_ORM_DIALECT_FACTS` for a package with invalid facts, or with the name of another dialect
 */
export async function knownDialects(root?: string): Promise<readonly DialectFacts[]> {
  if (root === undefined) return builtInDialects;
  const { found } = await packageManifests(root);
  const installed = found.map(({ owner, manifest }) => declared(owner, manifest.dialects));
  const known = [...builtInDialects];
  for (const { from, facts } of installed.flat()) {
    const taken = known.find(({ name }) => name === facts.name);
    if (taken) throw wrongFacts(from, `the name ${facts.name} is that of ${taken.module}`);
    known.push(facts);
  }
  return known;
}

interface Installed {
  readonly from: string;
  readonly facts: DialectFacts;
}

function declared(from: string, dialects: unknown): readonly Installed[] {
  if (dialects === undefined) return [];
  if (!Array.isArray(dialects)) throw wrongFacts(from, 'fw.dialects is no list');
  return dialects.map((facts: unknown) => {
    const problem = factsProblem(facts);
    if (problem !== undefined) throw wrongFacts(from, problem);
    const known = facts as DialectFacts;
    if (known.module === from || known.module.startsWith(`${from}/`)) return { from, facts: known };
    throw wrongFacts(from, `module is ${known.module}, which is not of this package`);
  });
}

const wrongFacts = (from: string, problem: string) =>
  fwError(ORM_ERRORS.FW_ORM_DIALECT_FACTS, { package: from, problem });
