import { ts } from 'ts-morph';
import { fwError } from '../../../kernel/errors/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { assertParses, canonicalText } from './canonical.js';
import { laidOut } from './lay-out.js';
import { CONFIG_FILE } from './project.js';

/** An entry of the plugin list as the source has it. */
export interface ConfigEntry {
  /** What it imports; undefined for an entry of another form. */
  readonly module: string | undefined;
  /** The call, as written. */
  readonly text: string;
  /** Its options, as written; undefined when there are none. */
  readonly options: ts.ObjectLiteralExpression | undefined;
  /** Arguments of the call: what imports the plugin, its options, its variants. */
  readonly arguments: readonly ts.Expression[];
  readonly start: number;
  readonly end: number;
}

/** A parsed `app.config.ts`. Edits insert text without reprinting the rest, so that layout and comments stay. */
export class ConfigSource {
  readonly entries: readonly ConfigEntry[];
  readonly #list: ts.ArrayLiteralExpression;
  readonly #source: ts.SourceFile;

  /**
   * @param maker - function that takes the application: of the default export, or wherever the source calls `bootTestApp`
   * @throws FwError `FW_SCHEMATIC_CONFIG`
   */
  constructor(
    readonly text: string,
    private readonly maker: 'defineApp' | 'bootTestApp' = 'defineApp',
  ) {
    this.#source = ts.createSourceFile(CONFIG_FILE, text, ts.ScriptTarget.Latest, true);
    this.#list = this.#pluginList();
    this.entries = this.#list.elements.map((element) => this.#entry(element));
  }

  /** Value of a property of `defineApp`, when it is a literal text. */
  textOf(name: string): string | undefined {
    const value = this.#property(name);
    return value && ts.isStringLiteralLike(value) ? value.text : undefined;
  }

  find(module: string): ConfigEntry | undefined {
    return this.entries.find((entry) => entry.module === module);
  }

  /**
   * The text with a further entry.
   * @param priority - of the new entry; it is inserted after the last entry whose priority is not higher
   * @param priorityOf - priority of an existing entry; undefined for an unknown module, which is ignored
   */
  inserted(call: string, priority: number, priorityOf: (module: string) => number | undefined): string {
    const rank = (entry: ConfigEntry) => (entry.module === undefined ? undefined : priorityOf(entry.module));
    const next = this.entries.findIndex((entry) => (rank(entry) ?? -Infinity) > priority);
    const previous = this.entries[(next === -1 ? this.entries.length : next) - 1];
    const edited = previous ? this.#after(previous, call) : this.#first(call);
    assertParses(CONFIG_FILE, edited);
    return edited;
  }

  /** The text with an entry's call replaced. */
  replaced(entry: ConfigEntry, call: string): string {
    const edited =
      this.text.slice(0, entry.start) + laidOut(call, this.#indent(entry.start)) + this.text.slice(entry.end);
    assertParses(CONFIG_FILE, edited);
    return edited;
  }

  /**
   * The text with an option of an entry set, inserted or replaced in place.
   * @param profile - the variant that it belongs to; undefined for the options of every profile
   * @throws FwError `FW_SCHEMATIC_CONFIG` when the options are written in another form than an object literal
   */
  withOption(
    entry: ConfigEntry,
    {
      profile,
      option,
      value,
    }: { readonly profile?: string | undefined; readonly option: string; readonly value: string },
  ): string {
    const edited = profile
      ? this.#withVariant(entry, profile, option, value)
      : this.#withMember(entry, entry.arguments[1], option, value);
    assertParses(CONFIG_FILE, edited);
    // A manual layout is kept.
    if (laidOut(entry.text, this.#indent(entry.start)) !== entry.text) return edited;
    const call = edited.slice(entry.start, entry.end + edited.length - this.text.length);
    return this.replaced(entry, call);
  }

  /**
   * The text with one more element of an option that is a list; unless it is there.
   * @throws FwError `FW_SCHEMATIC_CONFIG` when the option is written in another form than an array literal
   */
  withElement(entry: ConfigEntry, option: string, value: string): string {
    const [, written] = entry.arguments;
    const list = written && memberOf(literalIn(written), option)?.initializer;
    if (list === undefined) return this.withOption(entry, { option, value: `[${value}]` });
    if (!ts.isArrayLiteralExpression(list)) throw refused(`its option ${option} is not an array literal`);
    if (list.elements.some((each) => canonicalText(each.getText()) === canonicalText(value))) return this.text;
    const last = list.elements.at(-1);
    const edited = last ? this.#insert(last.getEnd(), `, ${value}`) : this.#insert(list.getStart() + 1, value);
    assertParses(CONFIG_FILE, edited);
    return edited;
  }

  #withVariant(entry: ConfigEntry, profile: string, option: string, value: string): string {
    const [load, options, variants] = entry.arguments;
    const variant = `{ ${option}: ${value} }`;
    if (load && !options) return this.#insert(load.getEnd(), `, {}, { ${profile}: ${variant} }`);
    if (options && !variants) return this.#insert(options.getEnd(), `, { ${profile}: ${variant} }`);
    const inner = variants && memberOf(literalIn(variants), profile);
    if (inner === undefined) return this.#withMember(entry, variants, profile, variant);
    // `false` leaves the plugin out of the profile, so there is no option to set.
    if (inner.initializer.kind === ts.SyntaxKind.FalseKeyword) return this.text;
    return this.#withMember(entry, inner.initializer, option, value);
  }

  #withMember(entry: ConfigEntry, written: ts.Expression | undefined, name: string, value: string): string {
    if (written === undefined) {
      const load = entry.arguments[0] as ts.Expression;
      return this.#insert(load.getEnd(), `, { ${name}: ${value} }`);
    }
    const literal = literalIn(written);
    const member = memberOf(literal, name);
    if (member) {
      const { initializer } = member;
      if (canonicalText(initializer.getText()) === canonicalText(value)) return this.text;
      return this.text.slice(0, initializer.getStart()) + value + this.text.slice(initializer.getEnd());
    }
    const last = literal.properties.at(-1);
    if (!last) return this.#insert(literal.getStart() + 1, ` ${name}: ${value} `);
    return this.#insert(last.getEnd(), `, ${name}: ${value}`);
  }

  #insert(at: number, text: string): string {
    return this.text.slice(0, at) + text + this.text.slice(at);
  }

  /** Whether an entry has the same tokens as a call. */
  says(entry: ConfigEntry, call: string): boolean {
    return canonicalText(entry.text) === canonicalText(call);
  }

  #after(previous: ConfigEntry, call: string): string {
    const comma = /^\s*,/.exec(this.text.slice(previous.end))?.[0].length;
    const end = previous.end + (comma ?? 0);
    // A comment after the entry on its line belongs to the entry.
    const comment = /^[ \t]*\/\/[^\n]*/.exec(this.text.slice(end))?.[0].length ?? 0;
    const multiline = this.text.slice(this.#list.getStart(), this.#list.getEnd()).includes('\n');
    const indent = this.#indent(previous.start);
    const entry = multiline ? `\n${indent}${laidOut(call, indent)},` : ` ${call},`;
    const separator = comma === undefined ? ',' : '';
    return (
      this.text.slice(0, end) + separator + this.text.slice(end, end + comment) + entry + this.text.slice(end + comment)
    );
  }

  #first(call: string): string {
    const at = this.#list.getStart() + 1;
    const indent = `${this.#indent(this.#list.getStart())}  `;
    const next = this.entries.length > 0 ? '' : `\n${this.#indent(this.#list.getStart())}`;
    return `${this.text.slice(0, at)}\n${indent}${laidOut(call, indent)},${next}${this.text.slice(at)}`;
  }

  #indent(position: number): string {
    const line = this.text.lastIndexOf('\n', position - 1) + 1;
    return /^[ \t]*/.exec(this.text.slice(line))?.[0] ?? '';
  }

  #entry(element: ts.Expression): ConfigEntry {
    const call = ts.isCallExpression(element) ? element : undefined;
    const [load, options] = call?.arguments ?? [];
    return {
      module: load && importedIn(load),
      text: element.getText(),
      arguments: call ? [...call.arguments] : [],
      options: options && ts.isObjectLiteralExpression(options) ? options : undefined,
      start: element.getStart(),
      end: element.getEnd(),
    };
  }

  #property(name: string): ts.Expression | undefined {
    for (const property of this.#app().properties) {
      if (ts.isPropertyAssignment(property) && property.name.getText() === name) return property.initializer;
    }
    return undefined;
  }

  #pluginList(): ts.ArrayLiteralExpression {
    const value = this.#property('plugins');
    if (value && ts.isArrayLiteralExpression(value)) return value;
    throw refused('its list of plugins is not an array literal');
  }

  #app(): ts.ObjectLiteralExpression {
    const exported = this.#source.statements.find((statement) => ts.isExportAssignment(statement));
    const call = this.maker === 'bootTestApp' ? callOf(this.maker, this.#source) : exported?.expression;
    const argument = call && ts.isCallExpression(call) ? call.arguments[0] : undefined;
    if (argument && ts.isObjectLiteralExpression(argument)) return argument;
    throw refused('its default export is not defineApp with an object literal');
  }
}

function callOf(name: string, node: ts.Node): ts.CallExpression | undefined {
  if (ts.isCallExpression(node) && node.expression.getText() === name) return node;
  return ts.forEachChild(node, (child) => callOf(name, child));
}

function literalIn(written: ts.Expression): ts.ObjectLiteralExpression {
  if (ts.isObjectLiteralExpression(written)) return written;
  throw refused(`"${written.getText()}" is not an object literal, so that no option can be set in it`);
}

function memberOf(literal: ts.ObjectLiteralExpression, name: string): ts.PropertyAssignment | undefined {
  return literal.properties.find(
    (each): each is ts.PropertyAssignment => ts.isPropertyAssignment(each) && each.name.getText() === name,
  );
}

function refused(problem: string): Error {
  return fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_CONFIG, { file: CONFIG_FILE, problem });
}

function importedIn(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    return argument && ts.isStringLiteralLike(argument) ? argument.text : undefined;
  }
  return ts.forEachChild(node, importedIn);
}
