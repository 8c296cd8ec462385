import { defineTool, Type } from '../../../kernel/index.js';
import { LLMS_FULL } from '../../docs/index.js';
import { llmsOf, textOnDisk } from './llms-files.js';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 200;
const EXCERPT = 300;

const Match = Type.Object({
  heading: Type.String({ description: 'nearest heading above' }),
  line: Type.Integer({ description: 'from 1' }),
  excerpt: Type.String(),
});

export const fwSearchLlmsTxt = defineTool({
  name: 'fw_search_llms_txt',
  description:
    'Search the full reference of a project: the file llms-full.txt, or what it would say when there is none.',
  input: Type.Object({
    query: Type.String({ pattern: '\\S', description: 'words, compared without regard to case' }),
    path: Type.Optional(Type.String({ description: 'project root' })),
    limit: Type.Optional(Type.Integer({ description: `most matches; default ${DEFAULT_LIMIT}` })),
  }),
  output: Type.Object({
    path: Type.String(),
    query: Type.String(),
    source: Type.String(),
    matches: Type.Array(Match),
    count: Type.Integer({ description: 'matches in all' }),
    truncated: Type.Boolean(),
  }),
  paths: ['path'],
  texts: ['query'],
  reach: 'workspace',
  effects: [],
  run: async ({ query, path: given, limit = DEFAULT_LIMIT }, context) => {
    const root = given ?? context.workspace;
    const onDisk = await textOnDisk(root, LLMS_FULL, context);
    const text = onDisk ?? (await llmsOf(root, context)).files[LLMS_FULL] ?? '';
    const source = onDisk === undefined ? 'the sources, because there is no llms-full.txt' : LLMS_FULL;
    const all = matchesIn(text, query.trim().toLowerCase());
    const matches = all.slice(0, limit > 0 ? Math.min(limit, MAX_LIMIT) : DEFAULT_LIMIT);
    return {
      summary: `${all.length} match(es) for "${query}" in ${source}.`,
      structured: { path: root, query, source, matches, count: all.length, truncated: all.length > matches.length },
    };
  },
});

function matchesIn(text: string, query: string) {
  let heading = '';
  return text.split('\n').flatMap((line, at) => {
    if (/^#+ /.test(line)) heading = line.replace(/^#+ /, '');
    return line.toLowerCase().includes(query)
      ? [{ heading, line: at + 1, excerpt: line.trim().slice(0, EXCERPT) }]
      : [];
  });
}
