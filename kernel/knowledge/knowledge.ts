import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ofDialect } from './dialect-text.js';
import { frameworkFolder } from '../plugin/index.js';
import { frameworkPages, frameworkSections } from './framework-pages.js';
import { partsOf } from './markdown-page.js';
import type { Page } from './reference-sections.js';
import { type Found, SearchIndex, type WrittenIndex } from './search-index.js';
import type { Section } from './section.js';

/** A page as a list shows it. */
export interface ListedPage {
  /** `docs/guides/orm.md` */
  readonly file: string;
  readonly title: string;
}

/** Options of a search. */
export interface SearchOptions {
  /** Sections of the project. */
  readonly further?: readonly Section[];
  /** Name of the project's dialect: lines about other dialects are left out. */
  readonly dialect?: string | undefined;
}

/** The documentation of the installed framework: guides and reference, searched and read without a network. */
export class Knowledge {
  constructor(
    private readonly index: SearchIndex,
    /** Every page, guides first. */
    readonly pages: readonly ListedPage[],
  ) {}

  /** Builds the index over pages. */
  static of(pages: readonly Page[]): Knowledge {
    const listed = pages.map(({ file, text }) => ({ file, title: partsOf(text)[0]?.title ?? file }));
    return new Knowledge(SearchIndex.over(frameworkSections(pages)), listed);
  }

  /** Reads the index that {@link Knowledge.written} wrote. */
  static read(text: string): Knowledge {
    const { pages, index } = JSON.parse(text) as { pages: ListedPage[]; index: WrittenIndex };
    return new Knowledge(SearchIndex.read(index), pages);
  }

  /** Index and pages as text, for the framework's build. */
  written(): string {
    return JSON.stringify({ pages: this.pages, index: this.index });
  }

  get sections(): readonly Section[] {
    return this.index.sections;
  }

  /** The sections that match a question, best first. */
  search(query: string, { further, dialect }: SearchOptions = {}): readonly Found[] {
    const found = this.index.search(query, further);
    if (dialect === undefined) return found;
    return found.map(({ section, score }) => ({
      section: { ...section, text: ofDialect(section.text, dialect) },
      score,
    }));
  }

  /** The page that a path names, with the heading after `#`: `docs/guides/orm.md`, `guides/orm.md#read`, `orm.md`, `fw://docs/guides/orm.md`. */
  pageOf(named: string): { readonly page: ListedPage; readonly anchor: string | undefined } | undefined {
    const [, path = '', anchor] = /^(?:\.\/|fw:\/\/)?([^#\s]+\.md)(?:#(\S+))?$/.exec(named) ?? [];
    const page = this.pages.find(({ file }) => path !== '' && (file === path || file.endsWith(`/${path}`)));
    return page && { page, anchor };
  }

  /** The text of a page, as it stands in the package. */
  async textOf({ file }: ListedPage): Promise<string> {
    return readFile(path.join(frameworkFolder(), file), 'utf8');
  }
}

let known: Promise<Knowledge> | undefined;

/** The knowledge of the installed framework; read once per process, when it is first asked for. */
export function frameworkKnowledge(): Promise<Knowledge> {
  return (known ??= read());
}

async function read(): Promise<Knowledge> {
  const { preparedKnowledge } = await import('#knowledge');
  return preparedKnowledge === undefined ? Knowledge.of(frameworkPages()) : Knowledge.read(preparedKnowledge);
}
