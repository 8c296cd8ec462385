import path from 'node:path';
import type { CommandCompletion } from '../../contracts/command.js';
import { frameworkKnowledge } from '../knowledge.js';

/** Completion after `fw docs`: guides by their names, and every page by its path where a word has a slash. Questions are free. */
const complete: CommandCompletion = async ({ words }) => {
  const [word = '', ...further] = words;
  if (further.length > 0 || word.startsWith('-')) return [];
  const { pages } = await frameworkKnowledge();
  return word.includes('/')
    ? pages.map(({ file, title }) => ({ word: file.replace(/^docs\//, ''), about: title }))
    : pages
        .filter(({ file }) => path.posix.dirname(file) === 'docs/guides')
        .map(({ file, title }) => ({ word: path.posix.basename(file), about: title }));
};

export default complete;
