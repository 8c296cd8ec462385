import { quotedLetters, type EnumValue, type Introspection } from '../core/index.js';

/** A condition that a column, or each element of an array, has one of some values. */
export interface ValueCondition {
  readonly column: string;
  readonly values: readonly EnumValue[];
  readonly ofElements: boolean;
}

type Words = Pick<Introspection, 'backslashes' | 'shownAs'>;

/**
 * Reads the text of a check of values, in the forms that databases write: `x IN ('a', 'b')`, PostgreSQL's `x = ANY (ARRAY['a'::text])` and
 * `x <@ ARRAY[...]`, SQL Server's `[x]=N'a' OR [x]=N'b'`.
 *
 * @returns undefined for any other condition
 */
export function readValueCondition(sql: string, { backslashes = false }: Words): ValueCondition | undefined {
  const read = (text: string) => {
    const tokens = tokensOf(text, backslashes);
    return tokens && new Reader(tokens).condition();
  };
  // MySQL shows a quote, and a backslash between quotes, with a backslash more
  // (https://dev.mysql.com/doc/refman/8.0/en/information-schema-check-constraints-table.html).
  return read(sql) ?? (backslashes ? read(sql.replace(/\\([\s\S])/g, '$1')) : undefined);
}

/** Whether two conditions allow the same values, in any order. */
export function sameValues(one: ValueCondition, other: ValueCondition, words: Words): boolean {
  const { shownAs = (text: string) => text } = words;
  // A value that the catalog shows without some letters matches every text with the same remaining letters.
  const among = (values: readonly EnumValue[], all: readonly EnumValue[]) => {
    const known = new Set(all);
    const shown = new Set(all.map((value) => (typeof value === 'string' ? shownAs(value) : value)));
    return values.every((value) => known.has(value) || (typeof value === 'string' && shown.has(shownAs(value))));
  };
  return (
    one.column === other.column &&
    one.ofElements === other.ofElements &&
    among(one.values, other.values) &&
    among(other.values, one.values)
  );
}

type Token =
  { readonly is: 'text' | 'name' | 'sign'; readonly text: string } | { readonly is: 'number'; readonly text: string };

const NUMBER = String.raw`\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?`;
const NAME = String.raw`"(?:[^"]|"")*"|\x60(?:[^\x60]|\x60\x60)*\x60|\[[a-z_]\w*\]|[a-z_][\w$]*`;
const PLAIN = String.raw`(?:N|_\w+\s*)?'(?:[^']|'')*'`;
const ESCAPED = String.raw`(?:N|_\w+\s*)?'(?:[^'\\]|''|\\[\s\S])*'`;
// PostgreSQL's own form of a text with escapes.
const WITH_E = String.raw`E'(?:[^'\\]|''|\\[\s\S])*'`;

function tokensOf(sql: string, backslashes: boolean): readonly Token[] | undefined {
  const quoted = `${WITH_E}|${backslashes ? ESCAPED : PLAIN}`;
  const lexer = new RegExp(`\\s+|(${quoted})|(${NUMBER})|(${NAME})|(::|<@|[=(),\\[\\]-])`, 'giy');
  const tokens: Token[] = [];
  while (lexer.lastIndex < sql.length) {
    const [, text, number, name, sign] = lexer.exec(sql) ?? [undefined];
    if (lexer.lastIndex === 0) return undefined;
    if (text !== undefined) tokens.push({ is: 'text', text: lettersOf(text, backslashes) });
    else if (number !== undefined) tokens.push({ is: 'number', text: number });
    else if (name !== undefined) tokens.push({ is: 'name', text: name });
    else if (sign !== undefined) tokens.push({ is: 'sign', text: sign });
  }
  return tokens;
}

function lettersOf(quoted: string, backslashes: boolean): string {
  const at = quoted.indexOf("'");
  return quotedLetters(quoted.slice(at + 1, -1), backslashes || /^E/i.test(quoted));
}

const NUMERIC = /^(?:smallint|integer|bigint|numeric|decimal|real|double precision|int|float)$/;

/** Reads tokens; each method returns undefined if they do not match, and the position is then undefined. */
class Reader {
  #at = 0;

  constructor(readonly tokens: readonly Token[]) {}

  condition(): ValueCondition | undefined {
    const found = this.#either();
    return found && this.#at === this.tokens.length && found.values.length > 0 ? found : undefined;
  }

  #either(): ValueCondition | undefined {
    let joined = this.#primary();
    while (joined && this.#word('or')) {
      const next = this.#primary();
      if (next?.column !== joined.column || next.ofElements !== joined.ofElements) return undefined;
      joined = { ...joined, values: [...joined.values, ...next.values] };
    }
    return joined;
  }

  #primary(): ValueCondition | undefined {
    const from = this.#at;
    const compared = this.#comparison();
    if (compared) return compared;
    this.#at = from;
    if (!this.#sign('(')) return undefined;
    const inner = this.#either();
    return inner && this.#sign(')') ? inner : undefined;
  }

  #comparison(): ValueCondition | undefined {
    const column = this.#column();
    if (column === undefined) return undefined;
    if (this.#sign('<@')) return this.#found(column, this.#array(), true);
    if (this.#word('in')) return this.#found(column, this.#sign('(') ? this.#list(')') : undefined);
    // A check accepts null in any case.
    if (this.#word('is')) return this.#word('null') ? { column, values: [], ofElements: false } : undefined;
    if (!this.#sign('=')) return undefined;
    if (this.#word('any')) {
      const values = this.#sign('(') ? this.#array() : undefined;
      return values && this.#sign(')') ? this.#found(column, values) : undefined;
    }
    const value = this.#value();
    return this.#found(column, value === undefined ? undefined : [value]);
  }

  #found(column: string, values: readonly EnumValue[] | undefined, ofElements = false): ValueCondition | undefined {
    return values && { column, values, ofElements };
  }

  #column(): string | undefined {
    if (this.#sign('(')) {
      const inner = this.#column();
      if (inner === undefined || !this.#sign(')')) return undefined;
      this.#casts();
      return inner;
    }
    const token = this.tokens[this.#at];
    if (token?.is !== 'name') return undefined;
    this.#at++;
    this.#casts();
    const quote = /^["`[]/.exec(token.text)?.[0];
    if (quote === undefined) return token.text;
    const inner = token.text.slice(1, -1);
    return quote === '[' ? inner : inner.replaceAll(quote + quote, quote);
  }

  #array(): readonly EnumValue[] | undefined {
    if (this.#sign('(')) {
      const inner = this.#array();
      if (inner === undefined || !this.#sign(')')) return undefined;
      this.#casts();
      return inner;
    }
    const values = this.#word('array') && this.#sign('[') ? this.#list(']') : undefined;
    this.#casts();
    return values;
  }

  #list(end: string): readonly EnumValue[] | undefined {
    const values: EnumValue[] = [];
    do {
      const value = this.#value();
      if (value === undefined) return undefined;
      values.push(value);
    } while (this.#sign(','));
    return this.#sign(end) ? values : undefined;
  }

  #value(): EnumValue | undefined {
    if (this.#sign('(')) {
      const inner = this.#value();
      if (inner === undefined || !this.#sign(')')) return undefined;
      return this.#cast(inner);
    }
    const isNegative = this.#sign('-');
    const token = this.tokens[this.#at];
    if (token?.is === 'number') {
      this.#at++;
      return this.#cast(isNegative ? -Number(token.text) : Number(token.text));
    }
    if (isNegative) return this.#sign('(') ? this.#negative() : undefined;
    if (token?.is !== 'text') return undefined;
    this.#at++;
    return this.#cast(token.text);
  }

  #negative(): EnumValue | undefined {
    const inner = this.#value();
    return typeof inner === 'number' && this.#sign(')') ? -inner : undefined;
  }

  // `'-2'::integer` is a number.
  #cast(value: EnumValue): EnumValue {
    return this.#casts().some((type) => NUMERIC.test(type)) ? Number(value) : value;
  }

  #casts(): readonly string[] {
    const types: string[] = [];
    while (this.#sign('::')) {
      const words: string[] = [];
      while (this.tokens[this.#at]?.is === 'name' && !(words.length > 0 && this.#isWord('or'))) {
        words.push(this.tokens[this.#at]?.text ?? '');
        this.#at++;
      }
      if (words.length > 0 && this.#sign('(')) {
        while (this.tokens[this.#at]?.is === 'number') this.#at++;
        this.#sign(')');
      }
      if (this.#sign('[')) this.#sign(']');
      types.push(words.join(' ').toLowerCase());
    }
    return types;
  }

  #isWord(word: string): boolean {
    const token = this.tokens[this.#at];
    return token?.is === 'name' && token.text.toLowerCase() === word;
  }

  #word(word: string): boolean {
    if (!this.#isWord(word)) return false;
    this.#at++;
    return true;
  }

  #sign(sign: string): boolean {
    const token = this.tokens[this.#at];
    if (token?.is !== 'sign' || token.text !== sign) return false;
    this.#at++;
    return true;
  }
}
