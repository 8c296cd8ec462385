/**
 * Declarations that code generation uses in place of the framework's own. Here the types of columns carry a mark, while in the real
 * declarations `Int` is `number`: so the checker distinguishes them through aliases, generics and unions. It also saves every run from
 * reading the framework's many declarations.
 */
const ORM = `
/** A decorator of a property. */
export interface FieldMark { (target: unknown, context: unknown): void }
/** A decorator of a class. */
export interface ClassMark { (target: unknown, context?: unknown): void }
/** Says what a column holds. */
export interface Kind<Name extends string> { readonly 'fw:kind'?: Name }
/** Says that a property is a relation. */
export interface Relation<Name extends string> { readonly 'fw:relation'?: Name }

export type Int = number & Kind<'int'>;
export type Float = number & Kind<'float'>;
export type Decimal = string & Kind<'decimal'>;
export type Uuid = string & Kind<'uuid'>;
export type PlainDate = string & Kind<'plainDate'>;
export type PlainTime = string & Kind<'plainTime'>;
export type Interval = string & Kind<'interval'>;
export type Text = string & Kind<'text'>;
export type Json<Value> = 0 extends 1 & Value ? Kind<'json'>
  : unknown extends Value ? Kind<'json'>
  : Value extends null | undefined ? Value
  : Value & Kind<'json'>;

export type HasMany<Target extends object> = Target[] & Relation<'hasMany'>;
export type ManyToMany<Target extends object> = Target[] & Relation<'manyToMany'>;
export type HasOne<Target extends object> = (Target & Relation<'hasOne'>) | null;
export type BelongsTo<Target extends object> = (Target & Relation<'belongsTo'>) | null;

type ModelClass = abstract new (...args: never) => object;
export declare function table(name?: string, options?: object): ClassMark;
export declare function db(tag: string): FieldMark;
export declare function validate(tag: string): FieldMark;
export declare function json(tag: string): FieldMark;
export declare function hasMany(target: () => ModelClass, options?: object): FieldMark;
export declare function hasOne(target: () => ModelClass, options?: object): FieldMark;
export declare function belongsTo(target: () => ModelClass, options?: object): FieldMark;
export declare function manyToMany(target: () => ModelClass, options?: object): FieldMark;
`;

// The only type of Node's many declarations that a column can have, and the classes of Temporal, which a project gets from the library of
// TypeScript or from a polyfill: these merge with theirs.
const GLOBALS = `
declare namespace Temporal {
${['PlainDate', 'PlainTime', 'PlainDateTime', 'Instant', 'Duration', 'ZonedDateTime', 'PlainYearMonth', 'PlainMonthDay']
  .map((name) => `  interface ${name} { readonly [Symbol.toStringTag]: 'Temporal.${name}' }`)
  .join('\n')}
}
interface Buffer extends Uint8Array {}
declare module 'node:buffer' { const Buffer: { new (): globalThis.Buffer }; type Buffer = globalThis.Buffer; export { Buffer }; }
declare module 'buffer' { const Buffer: { new (): globalThis.Buffer }; type Buffer = globalThis.Buffer; export { Buffer }; }
`;

/** Folder of the files below, which exist only in memory. */
export const FRAMEWORK_FOLDER = '/fw-declarations';

/** File that declares `fw/orm`. */
export const ORM_FILE = `${FRAMEWORK_FOLDER}/orm.d.ts`;
/** File of global declarations that every program starts with. */
export const GLOBALS_FILE = `${FRAMEWORK_FOLDER}/globals.d.ts`;

/** Texts of the files above. */
export const FRAMEWORK_FILES: ReadonlyMap<string, string> = new Map([
  [ORM_FILE, ORM],
  [GLOBALS_FILE, GLOBALS],
]);

/** The file behind a specifier of the framework; undefined for its other modules, none of which declares a column. */
export const frameworkFile = (specifier: string): string | undefined => (specifier === 'fw/orm' ? ORM_FILE : undefined);

/** Whether a specifier is one of the framework's. */
export const isFramework = (specifier: string): boolean => specifier === 'fw' || specifier.startsWith('fw/');
