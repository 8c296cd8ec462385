import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ESLint } from 'eslint';
import prettier from 'prettier';
import tseslint from 'typescript-eslint';
import { type CorpusProject, corpusProjects, writeProject } from '../corpus/corpus-project.js';
import { runCodegen } from '../engine/index.js';
import { typeAliasText } from './index.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const GENERATED = path.join(ROOT, 'generated');
// As in new projects.
const STYLE = { printWidth: 120, singleQuote: true, trailingComma: 'all', parser: 'typescript' } as const;

const LONG = 'aVeryLongNameOfATypeThatFillsTheLine';
const OBJECT = `{ one: string; two?: "a" | "b"; three: { deep: number }[] }`;

describe('types in a generated client', () => {
  test.each([
    'string',
    OBJECT,
    `{ a: ${OBJECT}; b: ${OBJECT}; "c-d": ${OBJECT} }`,
    `{ readonly body?: ${OBJECT}; readonly output: (${OBJECT})[] }`,
    `{ a: ${Array(5).fill(LONG).join(' | ')} }`,
    `{ a: (${Array(5).fill(LONG).join(' | ')})[] }`,
    `{ a: (string | null)[]; b: (${OBJECT}) | null; c: "it's" | "say \\"x\\"" }`,
    `{ a: { x: ${LONG}; y: ${LONG}; z: ${LONG}; w: ${LONG} } | null }`,
    `{ a: { x: ${LONG}; y: ${LONG}; z: ${LONG} } | { x: ${LONG}; y: ${LONG}; w: ${LONG} } | string }`,
    `{ a: Record<string, { x: ${LONG}; y: ${LONG}; z: ${LONG}; w: ${LONG} }> }`,
    `{ a: [${LONG}, ${LONG}, ${LONG}, ${LONG}]; b: [string, ...(number | string)[]] }`,
    `${LONG} | ${LONG} | ${LONG} | ${LONG} | ${LONG}`,
  ])('are written as Prettier does: %s', async (flat) => {
    const text = `${typeAliasText('It', flat)}\n`;
    expect(await prettier.format(text, STYLE)).toBe(text);
    // The same type as before.
    expect(text).toBe(await prettier.format(`export type It = ${flat};\n`, { ...STYLE, objectWrap: 'collapse' }));
  });
});

describe('one more column', () => {
  let root: string;
  beforeEach(async () => (root = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-column-')))));
  afterEach(() => rm(root, { recursive: true, force: true }));

  const model = (more: string) => `import { db, hasMany, type HasMany, type Int, table } from 'fw/orm';
import { Song } from './song.js';
@table('albums')
export class Album {
  @db('id,pk,autoincrement') id!: Int;
  @db('title') title!: string;
  @db('subtitle_of_the_album') subtitleOfTheAlbum!: string;
  @db('name_of_the_label') nameOfTheLabel!: string;
${more}  @hasMany(() => Song) songs?: HasMany<Song>;
}
`;
  const song = `import { belongsTo, type BelongsTo, db, type Int, table } from 'fw/orm';
import { Album } from './album.js';
@table('songs')
export class Song {
  @db('id,pk,autoincrement') id!: Int;
  @db('album_id') albumId!: Int;
  @belongsTo(() => Album) album?: BelongsTo<Album>;
}
`;

  test('changes one file of its model, and only lines about it', async () => {
    await mkdir(path.join(root, 'node_modules'));
    await symlink(ROOT, path.join(root, 'node_modules/fw'), 'dir');
    await writeFile(
      path.join(root, 'app.config.ts'),
      "export default defineApp({ models: ['*.model.ts', 'album.ts', 'song.ts'], plugins: [] });",
    );
    await writeFile(path.join(root, 'song.ts'), song);
    await writeFile(path.join(root, 'album.ts'), model(''));
    expect(await runCodegen({ root })).toMatchObject({ ok: true, problems: [] });
    // The second is what the documentation knows of all models, one line for each fact.
    const files = ['generated/album.ts', 'generated/reference.json'];
    const textsOf = () => Promise.all(files.map((file) => readFile(path.join(root, file), 'utf8')));
    const before = (await textsOf()).join('\n').split('\n');
    await writeFile(path.join(root, 'album.ts'), model("  @db('released_on') releasedOn!: Date | null;\n"));
    const { written, removed } = await runCodegen({ root });
    expect([written, removed]).toEqual([files, []]);
    const after = (await textsOf()).join('\n').split('\n');
    const gone = before.filter((line) => !after.includes(line));
    const strangers = after.filter((line) => !before.includes(line) && !/released|date/i.test(line));
    expect(strangers).toEqual([]);
    // Lists of names that have one more, on the line that they had.
    expect(gone.length).toBeLessThanOrEqual(6);
  });
});

describe('generated/ of the reference application', () => {
  const files = readdirSync(GENERATED).filter((file) => file.endsWith('.ts'));

  test.each(files)('%s is as Prettier writes it', async (file) => {
    const text = readFileSync(path.join(GENERATED, file), 'utf8');
    expect(await prettier.format(text, STYLE)).toBe(text);
  });

  test('passes the rules that ESLint recommends for TypeScript', async () => {
    expect(await lintMessages(ROOT, files)).toEqual([]);
  });
});

describe('generated/ of projects of the corpus', () => {
  let root: string;
  beforeEach(async () => (root = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-lint-')))));
  afterEach(() => rm(root, { recursive: true, force: true }));

  // Between them: every kind of column, values, relations of every kind, hooks and names that mean something elsewhere.
  test.each(['kinds', 'relations', 'names-of-the-language'])(
    '%s passes the rules that ESLint recommends',
    async (name) => {
      const project = corpusProjects().find((each) => each.name === name) as CorpusProject;
      writeProject(project, root);
      expect(await runCodegen({ root })).toMatchObject({ ok: true });
      const generated = readdirSync(path.join(root, 'generated')).filter((file) => file.endsWith('.ts'));
      expect(generated.length).toBeGreaterThan(1);
      expect(await lintMessages(root, generated)).toEqual([]);
    },
  );
});

/** What typescript-eslint's recommended rules say of generated files. */
async function lintMessages(root: string, files: readonly string[]): Promise<readonly string[]> {
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: [{ files: ['**/*.ts'] }, ...tseslint.configs.recommended] as ESLint.Options['overrideConfig'],
    ignore: false,
  });
  const found = await eslint.lintFiles(files.map((file) => path.join(root, 'generated', file)));
  return found.flatMap(({ filePath, messages }) =>
    messages.map(({ line, ruleId, message }) => `${path.basename(filePath)}:${line} ${ruleId} ${message}`),
  );
}
