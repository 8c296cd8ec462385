import type { CommandCompletion } from '../../kernel/contracts/command.js';
import { SCHEMATICS } from '../schematics/index.js';
import { flagCandidates } from './flag-candidates.js';

/** Completion after `fw generate resource`: flags of the kind. */
const complete: CommandCompletion = ({ words: [kind, ...rest] }) => {
  const schematic = SCHEMATICS.find((each) => each.kind === kind);
  return schematic === undefined || rest.length === 0 ? [] : flagCandidates(schematic.flags, rest);
};

export default complete;
