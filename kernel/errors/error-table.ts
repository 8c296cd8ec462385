/**
 * Names between braces in a message template: `'Port {port} is in use'` has the placeholder `port`. Braces with a blank
 * inside, as in `defineApp({ ... })`, are just text, and `{fw}` is filled with what calls the command here.
 */
type Placeholder<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Placeholder<Rest> | (Name extends `${string} ${string}` | 'fw' ? never : Name)
  : never;

/** Values that fill a message template, and further values for programs. */
export type DetailsOf<Template extends string> = Readonly<Record<Placeholder<Template>, unknown>> &
  Readonly<Record<string, unknown>>;

/** What an author writes for one code. */
export interface ErrorEntry {
  /** One sentence or two: what happened, what was expected, what to do. `{name}` is filled from the details, `{fw}` with how `fw` is called. */
  readonly message: string;
  /** Sentence for clients in a 4xx response, if `message` contains something that they must not see. */
  readonly clientMessage?: string;
  /** HTTP status when the error ends a request; 500 when left out. */
  readonly status?: number;
  /** The usual cause; printed in the error reference. */
  readonly cause: string;
  /** What to do about it; printed in the error reference. */
  readonly remedy: string;
  /** Guide with more about it, or section of one, as `fw docs` takes it: `migrations.md#what-happens-at-start`. */
  readonly guide?: string;
}

/** An entry together with its code, as {@link FwError} takes it. */
export interface ErrorDefinition<Message extends string = string> extends ErrorEntry {
  readonly code: string;
  readonly area: string;
  readonly message: Message;
}

type DefinitionsOf<Table extends Record<string, ErrorEntry>> = {
  readonly [Code in keyof Table & string]: ErrorDefinition<Table[Code]['message']> & { readonly code: Code };
};

const declared = new Map<string, ErrorDefinition>();
const CODE = /^FW_[A-Z0-9]+(_[A-Z0-9]+)+$/;

/**
 * Declares the error codes of one area, once. A code is part of the public interface: it is never reused for another
 * meaning, and `docs/reference/errors.md` is generated from these tables.
 *
 * @param area - the plugin or kernel room that owns the codes, e.g. `kernel/config`
 * @param table - code to entry; a code reads `FW_<AREA>_<WHAT>`
 * @throws TypeError when a code is malformed or was declared before
 */
export function defineErrors<const Table extends Record<string, ErrorEntry>>(
  area: string,
  table: Table,
): DefinitionsOf<Table> {
  const entries = Object.entries(table).map(([code, entry]) => {
    const definition: ErrorDefinition = Object.freeze({ ...entry, code, area });
    declare(definition);
    return [code, definition] as const;
  });
  return Object.fromEntries(entries) as unknown as DefinitionsOf<Table>;
}

function declare(definition: ErrorDefinition): void {
  const { code, area } = definition;
  if (!CODE.test(code)) throw new TypeError(`Error code ${code} of ${area} must read FW_<AREA>_<WHAT>.`);
  const owner = declared.get(code);
  if (owner) throw new TypeError(`Error code ${code} of ${area} is already declared by ${owner.area}.`);
  declared.set(code, definition);
}

/** Every code declared by the modules that are loaded, sorted by code. */
export function declaredErrors(): readonly ErrorDefinition[] {
  return [...declared.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}
