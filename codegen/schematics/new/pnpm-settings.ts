import { stringify } from 'yaml';
import { fileAbove } from '../../../kernel/fs/index.js';
import { newManifest } from './template.js';

/** Where pnpm reads settings since its release 11; it heeds none of package.json. */
export const PNPM_SETTINGS = 'pnpm-workspace.yaml';

/**
 * What `allowScripts` of package.json says, for pnpm, which refuses an installation with scripts that nobody decided about
 * (https://pnpm.io/settings/build).
 */
export const pnpmSettings = (): string =>
  `# The install scripts that pnpm runs and leaves out; npm reads allowScripts of package.json.\n${stringify(
    { allowBuilds: newManifest().allowScripts },
    { singleQuote: true },
  )}`;

/** Whether a folder lies in a workspace of pnpm: the settings of that one count for every project in it. */
export const isInPnpmWorkspace = (folder: string): boolean => fileAbove(folder, PNPM_SETTINGS) !== undefined;
