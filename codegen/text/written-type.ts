import { joined, laidOut, type Layout, LINE, SOFT_LINE } from './layout.js';
import { quotedText, type ValuePlace } from './written-value.js';

/** The TypeScript types that schemas can express. */
type Type =
  | { readonly is: 'word'; readonly text: string }
  | { readonly is: 'object'; readonly members: readonly (readonly [head: string, type: Type])[] }
  | { readonly is: 'list' | 'rest'; readonly of: Type }
  | { readonly is: 'tuple' | 'union' | 'both'; readonly of: readonly Type[] }
  | { readonly is: 'generic'; readonly name: string; readonly of: readonly Type[] };

/**
 * Writes a type over as many lines as it needs, the way Prettier does, from its text on one line, with texts in double quotes and members
 * of objects separated by `; `.
 */
export function writtenType(flat: string, place: ValuePlace): string {
  return laidOut(layoutOf(new TypeReader(flat).read()), place);
}

/** The declaration of a type, from its text on one line. */
export function typeAliasText(name: string, flat: string): string {
  const head = `export type ${name} =`;
  const type = writtenType(flat, { indent: 0, column: head.length + 1, after: 1 });
  return `${head}${type.startsWith('\n') ? '' : ' '}${type};`;
}

function layoutOf(type: Type): Layout {
  switch (type.is) {
    case 'word':
      return type.text;
    case 'rest':
      return ['...', layoutOf(type.of)];
    case 'list':
      return [type.of.is === 'union' || type.of.is === 'both' ? inParentheses(type.of) : layoutOf(type.of), '[]'];
    case 'object': {
      const members = type.members.map(([head, each]) => [`${head}: `, layoutOf(each)]);
      return { group: ['{', { indent: [LINE, joined(members, [';', LINE])] }, { broken: ';' }, LINE, '}'] };
    }
    case 'tuple': {
      const comma = type.of.at(-1)?.is === 'rest' ? '' : ',';
      return { group: ['[', { indent: [SOFT_LINE, listed(type.of)] }, { broken: comma }, SOFT_LINE, ']'] };
    }
    case 'generic':
      return { group: [`${type.name}<`, { indent: [SOFT_LINE, listed(type.of)] }, SOFT_LINE, '>'] };
    case 'both':
      return joined(
        type.of.map((each) => (each.is === 'union' ? inParentheses(each) : layoutOf(each))),
        ' & ',
      );
    case 'union':
      return isHugged(type.of) ? joined(type.of.map(layoutOf), ' | ') : { group: { indent: alternatives(type.of) } };
  }
}

const listed = (types: readonly Type[]): Layout => joined(types.map(layoutOf), [',', LINE]);

// Whether a union of one object with `null` and the like begins on the line of the name.
function isHugged(types: readonly Type[]): boolean {
  const nulls = types.filter((each) => each.is === 'word' && each.text === 'null').length;
  return types.length - 1 === nulls && types.some((each) => each.is === 'object');
}

function alternatives(types: readonly Type[]): Layout {
  const each = types.map((type) => ({ indent: type.is === 'both' ? inParentheses(type) : layoutOf(type) }));
  return [{ broken: [LINE, '| '] }, joined(each, [LINE, '| '])];
}

function inParentheses(type: Type): Layout {
  if (type.is !== 'union') return ['(', layoutOf(type), ')'];
  const inside = isHugged(type.of) ? layoutOf(type) : { group: [{ indent: alternatives(type.of) }, SOFT_LINE] };
  return ['(', inside, ')'];
}

const TEXT = /"(?:[^"\\]|\\.)*"/y;
const WORD = /[^\s"()[\]{}<>;,|&:?]+/y;

class TypeReader {
  #at = 0;

  constructor(readonly text: string) {}

  read(): Type {
    const types = this.#separated(' | ', () => this.#both());
    return types.length === 1 ? (types[0] as Type) : { is: 'union', of: types };
  }

  #both(): Type {
    const types = this.#separated(' & ', () => this.#postfix());
    return types.length === 1 ? (types[0] as Type) : { is: 'both', of: types };
  }

  #postfix(): Type {
    if (this.#take('...')) return { is: 'rest', of: this.#postfix() };
    let type = this.#primary();
    while (this.#take('[]')) type = { is: 'list', of: type };
    return type;
  }

  #primary(): Type {
    if (this.#take('(')) return this.#closed(this.read(), ')');
    if (this.#take('[')) return this.#closed({ is: 'tuple', of: this.#separated(', ', () => this.read()) }, ']');
    if (this.#take('{ '))
      return this.#closed({ is: 'object', members: this.#separated('; ', () => this.#member()) }, ' }');
    const name = this.#match(TEXT);
    if (name !== undefined) return { is: 'word', text: quotedText(JSON.parse(name) as string) };
    const word = this.#expected(this.#match(WORD));
    if (!this.#take('<')) return { is: 'word', text: word };
    return this.#closed({ is: 'generic', name: word, of: this.#separated(', ', () => this.read()) }, '>');
  }

  #member(): readonly [string, Type] {
    const before = this.#take('readonly ') ? 'readonly ' : '';
    const text = this.#match(TEXT);
    const name = text === undefined ? this.#expected(this.#match(WORD)) : quotedText(JSON.parse(text) as string);
    const optional = this.#take('?') ? '?' : '';
    this.#expected(this.#take(': ') ? '' : undefined);
    return [`${before}${name}${optional}`, this.read()];
  }

  #separated<Part>(between: string, read: () => Part): readonly Part[] {
    const parts = [read()];
    while (this.#take(between)) parts.push(read());
    return parts;
  }

  #closed(type: Type, close: string): Type {
    this.#expected(this.#take(close) ? '' : undefined);
    return type;
  }

  #take(text: string): boolean {
    if (!this.text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #expected(found: string | undefined): string {
    if (found === undefined) throw new SyntaxError(`a type was expected in ${this.text} at ${this.#at}`);
    return found;
  }
}
