import { defineTool, isFwError, type ToolContext, Type } from '../../../kernel/index.js';
import {
  answerOf,
  frameworkKnowledge,
  projectSections,
  type Section,
  wholeSectionOf,
} from '../../../kernel/knowledge/index.js';
import { optional, optionalText, Text, YesNo } from '../../../kernel/schema/index.js';
import { LLMS_FULL } from '../../docs/index.js';
import { llmsOf, textOnDisk } from './llms-files.js';
import { dialectOf } from './project-dialect.js';
import { partOf } from './section-part.js';

const DEFAULT_LIMIT = 6;
const MAX_LIMIT = 50;

const Match = Type.Object({
  heading: Text,
  kind: Type.String({
    description: 'project, or what of fw it is: guide, export, member, option, error, command, tool',
  }),
  place: Type.String({ description: `page#heading of the documentation of fw, or line of ${LLMS_FULL}` }),
  excerpt: Type.String({ description: 'of the first match all of it, with its snippet' }),
});

export const fwSearchLlmsTxt = defineTool({
  name: 'fw_search_llms_txt',
  description: "Search fw's documentation (how-to, exports, options, errors) and the project's reference, offline.",
  input: Type.Object({
    query: Type.String({
      pattern: '\\S',
      maxLength: 1000,
      description: 'question, name, error code, or place of an answer: given whole',
    }),
    path: optionalText('project root'),
    limit: optional(Type.Integer({ description: `most matches; default ${DEFAULT_LIMIT}` })),
    part: optional(Type.Integer({ description: 'of a place' })),
  }),
  output: Type.Object({
    path: Text,
    source: Text,
    matches: Type.Array(Match),
    count: Type.Integer({ description: 'matches in all' }),
    truncated: YesNo,
  }),
  paths: ['path'],
  texts: ['query'],
  reach: 'workspace',
  effects: [],
  run: async ({ query, path: given, limit = DEFAULT_LIMIT, part = 1 }, context) => {
    const root = given ?? context.workspace;
    const [knowledge, project] = await Promise.all([frameworkKnowledge(), projectAt(root, context)]);
    const whole = await wholeSectionOf(knowledge, query, project.dialect);
    if (whole !== undefined) {
      const { text, match, more } = partOf(whole, part);
      const source = 'the documentation of fw';
      return {
        summary: `${whole.place}, part ${part} of ${whole.parts.length}.`,
        text,
        structured: { path: root, source, matches: [match], count: 1, truncated: more },
      };
    }
    const found = knowledge.search(query, { further: project.sections, dialect: project.dialect });
    const most = limit > 0 ? Math.min(limit, MAX_LIMIT) : DEFAULT_LIMIT;
    const { results, text, count } = answerOf(found, { limit: most });
    const source = `the documentation of fw, and ${project.source}`;
    const summary = count === 0 ? `Nothing fits "${query}" in ${source}.` : `${count} match(es) in ${source}.`;
    return {
      summary,
      text: count === 0 ? summary : `${project.missing ?? ''}${text}`,
      structured: { path: root, source, matches: results, count, truncated: count > results.length },
    };
  },
});

interface ProjectKnowledge {
  readonly sections: readonly Section[];
  readonly dialect: string | undefined;
  /** Description of the source of the sections. */
  readonly source: string;
  /** A note for the reader when there is no project. */
  readonly missing?: string;
}

// Without a readable project, the tool still searches the documentation of the framework.
async function projectAt(root: string, context: ToolContext): Promise<ProjectKnowledge> {
  try {
    const onDisk = await textOnDisk(root, LLMS_FULL, context);
    const [text, dialect] = await Promise.all([
      onDisk ?? llmsOf(root, context).then(({ files }) => files[LLMS_FULL] ?? ''),
      dialectOf(root, context),
    ]);
    const source = onDisk === undefined ? `the sources of the project, which has no ${LLMS_FULL}` : LLMS_FULL;
    return { sections: projectSections(LLMS_FULL, text), dialect, source };
  } catch (error) {
    if (!isFwError(error)) throw error;
    const source = `nothing of a project (${error.code}: ${error.message})`;
    return { sections: [], dialect: undefined, source, missing: `(No project is read: ${error.message})\n` };
  }
}
