/** Kind of thing that an entry describes. */
export type SectionKind =
  'guide' | 'export' | 'member' | 'option' | 'error' | 'command' | 'tool' | 'sql' | 'mapping' | 'project';

/** One answer that can be found: a part of a guide, an export, an option, an error, ... */
export interface Section {
  readonly kind: SectionKind;
  /** `Soft delete`, `Query.preload`, `FW_ORM_NO_ROWS`. */
  readonly title: string;
  /** Its place: `docs/guides/orm-plugins.md#soft-delete`. */
  readonly place: string;
  /** Headings above it, outermost first. */
  readonly trail: readonly string[];
  /** Markdown text without the heading. */
  readonly text: string;
  /** Names that identify it: a query that is one of them finds it first. */
  readonly names?: readonly string[];
  /** Whether a guide shows it; the rest is mostly for authors of plugins and dialects. */
  readonly isShown?: boolean;
  /** Its names in other frameworks. */
  readonly aliases?: readonly string[];
}
