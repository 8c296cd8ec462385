import type { CommandCompletion } from '../../kernel/contracts/command.js';
import { knownDialects } from '../../plugins/orm/registry/index.js';
import { findFeature } from '../../plugins/tools/introspection/index.js';
import { flagCandidates, openFlag } from './flag-candidates.js';
import { REPLACE } from './general-flags.js';

/** Completion after `fw add orm`: flags of the feature, and the dialects that the project can use. */
const complete: CommandCompletion = async ({ words: [name = '', ...rest], cwd }) => {
  const feature = findFeature(name.toLowerCase());
  if (feature === undefined || rest.length === 0) return [];
  const flags = [...feature.flags, REPLACE];
  if (openFlag(flags, rest)?.name !== 'driver') return flagCandidates(flags, rest);
  return (await knownDialects(cwd)).map((dialect) => ({ word: dialect.name, about: dialect.title }));
};

export default complete;
