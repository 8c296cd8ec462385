/** What an entry describes. */
export type SectionKind =
  'guide' | 'export' | 'member' | 'option' | 'error' | 'command' | 'tool' | 'sql' | 'mapping' | 'project';

/** One answer that can be found: a part of a guide, an export, an option, an error, ... */
export interface Section {
  readonly kind: SectionKind;
  /** `Soft delete`, `Query.preload`, `FW_ORM_NO_ROWS`. */
  readonly title: string;
  /** Where it stands: `docs/guides/orm-plugins.md#soft-delete`. */
  readonly place: string;
  /** Headings above it, outermost first. */
  readonly trail: readonly string[];
  /** As it stands there, in Markdown, without its heading. */
  readonly text: string;
  /** Names that mean it and nothing else: a query that is one of them finds it first. */
  readonly names?: readonly string[];
  /** Whether a guide shows it: what guides leave out is for authors of plugins and dialects, as a rule. */
  readonly isShown?: boolean;
  /** What others call it, each a word or a few. */
  readonly aliases?: readonly string[];
}
