import path from 'node:path';
import { brief, changesIn, defineTool, type Static, Type } from '../../../kernel/index.js';
import { Integer, optional, optionalText, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { bodyDigest } from '../../docs/index.js';
import { llmsOf } from './llms-files.js';

const File = Type.Object({
  name: Text,
  bytes: Integer,
  digest: Type.String({ description: 'SHA-256 of the content without its stamp' }),
  content: optionalText('with detail; otherwise the beginning of an unwritten llms.txt'),
  written: YesNo,
});

export const fwGenerateLlmsTxt = defineTool({
  name: 'fw_generate_llms_txt',
  description:
    'Make llms.txt and llms-full.txt of a project from its sources, without running it; writes them only with write.',
  input: Type.Object({
    path: optionalText('project root'),
    write: optional(Type.Boolean({ description: 'write the files; default false' })),
    detail: optional(Type.Boolean({ description: 'the files in full' })),
  }),
  output: Type.Object({
    path: Text,
    files: Type.Array(File),
    routes: Integer,
    models: Integer,
    notes: Texts,
  }),
  paths: ['path'],
  reach: 'workspace',
  effects: ['writes-files'],
  idempotent: true,
  run: async ({ path: given, write = false, detail = false }, context) => {
    const root = given ?? context.workspace;
    const { doc, folder, files, notes } = await llmsOf(root, context);
    const recovered: string[] = [];
    if (write) {
      const { changes, folder: target } = await changesIn(root, await context.confine(folder));
      for (const [name, content] of Object.entries(files)) {
        await changes.write(await context.confine(path.join(target, name)), content);
      }
      await changes.commit({ onRecovered: ({ text }) => recovered.push(text) });
    }
    const made = Object.entries(files).map(([name, content]) => ({
      name,
      bytes: Buffer.byteLength(content),
      digest: bodyDigest(content),
      ...contentOf(name, content, { write, detail }),
      written: write,
    }));
    const next = write
      ? 'Written. fw_check_llms_txt_freshness tells when they are out of date.'
      : 'Not written; repeat with write=true to write them.';
    const summary = `${doc.routes.length} routes and ${doc.models.length} models. ${next}`;
    return {
      summary,
      text: [summary, ...made.map(shown), ...recovered, ...notes].join('\n'),
      structured: {
        path: root,
        files: made,
        routes: doc.routes.length,
        models: doc.models.length,
        notes: [...recovered, ...notes],
      },
    };
  },
});

const SHOWN_CHARACTERS = 2_500;

// A written file can be read where it lies, and llms-full.txt repeats llms.txt in full.
function contentOf(name: string, content: string, { write, detail }: Readonly<Record<'write' | 'detail', boolean>>) {
  if (detail) return { content };
  return write || name !== 'llms.txt' ? {} : { content: brief(content, SHOWN_CHARACTERS) };
}

const shown = ({ name, bytes, digest, content }: Static<typeof File>): string =>
  [`${name}: ${bytes} bytes, digest ${digest}`, ...(content === undefined ? [] : [content])].join('\n');
