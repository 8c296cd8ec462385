import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const FRAMEWORK = path.resolve(HERE, '../..');

/** A small project in one text: `=== <path>` begins a file, `=== expect` the expected result. */
export interface CorpusProject {
  readonly name: string;
  /** The form of declaration that the project tests, and where it occurs. */
  readonly about: string;
  readonly files: ReadonlyMap<string, string>;
  /** Symbolic links by their path. */
  readonly links: ReadonlyMap<string, string>;
  /** Lines of models, or of problems: `file:line text`. */
  readonly expected: string;
  /** Why the project cannot be run; undefined if it can. */
  readonly notRun: string | undefined;
  /** Part of the message that the compiler is expected to give for the sources; undefined if it accepts them. */
  readonly compiler: string | undefined;
}

/** All projects of the corpus, by name. */
export function corpusProjects(): readonly CorpusProject[] {
  const folder = path.join(HERE, 'projects');
  return readdirSync(folder)
    .sort()
    .map((file) => parse(path.basename(file, '.txt'), readFileSync(path.join(folder, file), 'utf8')));
}

function parse(name: string, text: string): CorpusProject {
  const [head = '', ...sections] = text.split(/^=== /m);
  const files = new Map<string, string>(Object.entries(DEFAULTS));
  const links = new Map<string, string>();
  const facts = new Map<string, string>();
  let change = (content: string) => content;
  for (const section of sections) {
    const end = section.indexOf('\n');
    const title = section.slice(0, end);
    const body = section.slice(end + 1);
    const [word = '', from = '', to = ''] = title.split(' ');
    if (word === 'link') links.set(from, to);
    else if (word === 'crlf') change = (content) => content.replaceAll('\n', '\r\n');
    else if (word === 'bom') change = (content) => `\uFEFF${content}`;
    else if (word === 'not-run') facts.set(word, title.slice(word.length + 1));
    else if (word === 'without') files.delete(from);
    else if (word === 'expect' || word === 'compiler') facts.set(word, body.trim());
    else files.set(title, body);
  }
  const changed = [...files].map(([file, content]) => [file, file.endsWith('ts') ? change(content) : content] as const);
  return {
    name,
    about: head.replace(/^# /, '').trim(),
    files: new Map(changed),
    links,
    expected: facts.get('expect') ?? '',
    compiler: facts.get('compiler'),
    notRun: facts.get('not-run'),
  };
}

const DEFAULTS = {
  'package.json': '{ "name": "corpus", "type": "module" }\n',
  'app.config.ts': `import { defineApp } from 'fw';

export default defineApp({ name: 'corpus', models: ['app/models/**/*.ts'], plugins: [] });
`,
  'tsconfig.json': `{
  "compilerOptions": {
    "target": "ES2022", "module": "nodenext", "strict": true, "experimentalDecorators": true,
    "useDefineForClassFields": false, "skipLibCheck": true, "noEmit": true, "types": []
  },
  "include": ["app", "generated"]
}
`,
};

/** Writes a project to an empty folder; the framework is linked where a package manager would put it. */
export function writeProject(project: CorpusProject, folder: string): void {
  for (const [file, content] of project.files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  const links = new Map([...project.links].map(([at, to]) => [at, path.join(folder, to)]));
  for (const [at, to] of links.set('node_modules/fw', FRAMEWORK)) {
    mkdirSync(path.dirname(path.join(folder, at)), { recursive: true });
    symlinkSync(to, path.join(folder, at), 'dir');
  }
}
