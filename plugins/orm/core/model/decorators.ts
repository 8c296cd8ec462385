import { fwError } from '../../../../kernel/index.js';
import { validateRow } from '../validation/validate-row.js';
import type { ValidationError } from '../validation/validation-error.js';
import { ORM_ERRORS } from '../errors.js';
import { declaredFields, declaredMembers, declareTable, type FieldTags } from './declarations.js';
import { applyJsonTags } from './hidden-properties.js';
import type {
  BelongsToOptions,
  ManyToManyOptions,
  ModelClass,
  RelationOptions,
  TableIndex,
} from './model-definition.js';
import { tableNameOf } from './naming.js';
import type { CheckDbTag, CheckValidateTag } from './tag-grammar.js';

/** A decorator of a class that has the properties named, of either kind that TypeScript compiles. */
type ClassMark<Property extends string = never> = <Target extends ModelClass>(
  target: Target & OwnProperties<Target, Property>,
  context?: ClassDecoratorContext,
) => void;

type OwnProperties<Target extends ModelClass, Property extends string> = string extends Property
  ? unknown
  : [Property] extends [keyof InstanceType<Target>]
    ? unknown
    : { readonly 'this class has no property': Exclude<Property, keyof InstanceType<Target>> };

/** A decorator of a property, of either kind that TypeScript compiles. */
type FieldMark = (target: unknown, context: string | symbol | ClassFieldDecoratorContext) => void;

// A standard decorator of a field cannot access the class, but runs before the decorator of the class, which collects the fields.
let waiting: { property: string; tags: FieldTags }[] = [];

/** Options of a table, for migrations. */
export interface TableOptions<Property extends string = string> {
  /** Conditions that the database holds every row to: SQL by name, such as `{ positive_total: 'total >= 0' }`. */
  readonly checks?: Readonly<Record<string, string>>;
  /**
   * Indexes of several columns, of some rows or of expressions, such as
   * `[{ columns: ['tenantId'], expressions: ['lower(email)'], unique: true, where: 'deleted_at IS NULL' }]`.
   */
  readonly indexes?: readonly TableIndex<Property>[];
  /**
   * Makes it a view, whose rows are only read: its query as SQL, such as `'SELECT id, name FROM customers WHERE active'`, which migrations
   * create and change, or true where somebody else makes the view.
   */
  readonly view?: string | true;
  /** Whether rows have a primary key: the columns that say `pk`, or else the one called id. Default true. */
  readonly primaryKey?: boolean;
  /** What the database keeps about the table in words, where it keeps such; an empty text takes away what is there. */
  readonly comment?: string;
  /**
   * The named databases whose tables these are, `default` for the one without a name; default that one. Queries go to whichever handle
   * they are made on.
   */
  readonly database?: string | readonly string[];
}

/**
 * Makes a class a model.
 *
 * @param name - the table; plural of the class name in snake case when left out
 * @throws FwError `FW_ORM_MODEL` for a class without columns
 */
export function table<const Property extends string = never>(
  name?: string,
  options: TableOptions<Property> = {},
): ClassMark<Property> {
  return (target) => {
    const collected = waiting;
    waiting = [];
    for (const { property, tags } of collected) mergeTags(target.prototype as object, property, tags);
    declareTable(target, { name: name ?? tableNameOf(target.name), ...options });
    applyJsonTags(target.prototype as object, declaredFields(target));
  };
}

/**
 * Makes a property a column. The tag is the column name, then options: `pk`, `autoincrement`, `unique`, `generated`, `virtual`,
 * `default=<value>`, `nullable`, `index`, `filled` (by a hook, so that `create` may leave it out), `filled=create` and
 * `filled=update` (by the ORM, with the present time), `version` (counts the changes of the row), `type=<kind>`, `size=<n>`,
 * `enum=<check|native|none>`, `comment=<text>`, `format=<how a Date is held>`, `sql=<type>` (the last but `generated=`), `generated=<SQL>` (last: it takes
 * the rest of the tag); `-` keeps the property out of the database.
 *
 * @throws FwError `FW_ORM_TAG` when the model is first used and the tag has an unknown option
 */
export function db<const Tag extends string>(tag: Tag & CheckDbTag<Tag>): FieldMark {
  return fieldMark({ db: tag });
}

/**
 * Validation rules of a property, from left to right: `required`, `min=N`, `max=N`, `email`, `url`, `uuid`, `custom=<name>`,
 * `regex=<pattern>` (last: it takes the rest of the tag).
 */
export function validate<const Tag extends string>(tag: Tag & CheckValidateTag<Tag>): FieldMark;
/**
 * Checks a row against the rules of its class (SPEC "ORM operations", `Validate`).
 *
 * @returns an error whose `fields` map property to what is wrong with it, or null
 * @throws FwError `FW_ORM_MODEL` when the class of the row is no model
 */
export function validate(row: object): ValidationError | null;
export function validate(given: string | object): FieldMark | ValidationError | null {
  return typeof given === 'string' ? fieldMark({ validate: given }) : validateRow(given);
}

/**
 * Name of a property on the wire, then `omitempty` (it may be missing) or `writeonly` (clients send it, and it is neither read by
 * default nor sent, as a password is); or `-` for what is private and leaves nowhere (SPEC "API reference configuration", schema inference).
 *
 * @throws FwError `FW_ORM_TAG` when the model is first used and the tag has an unknown option
 */
export function json(tag: string): FieldMark {
  return fieldMark({ json: tag });
}

/** To-many relation: the target's table holds the key. Declare the property as `orders?: HasMany<Order>`. */
export function hasMany(target: () => ModelClass, options: RelationOptions = {}): FieldMark {
  return fieldMark({ relation: { kind: 'hasMany', target, ...options } });
}

/** To-one relation whose key is in the target's table. Declare the property as `profile?: HasOne<Profile>`. */
export function hasOne(target: () => ModelClass, options: RelationOptions = {}): FieldMark {
  return fieldMark({ relation: { kind: 'hasOne', target, ...options } });
}

/**
 * To-one relation whose key is in this table. Declare the property as `customer?: BelongsTo<Customer>`. With `constraint`,
 * `onDelete` or `onUpdate`, migrations make a foreign key of it.
 */
export function belongsTo(target: () => ModelClass, options: BelongsToOptions = {}): FieldMark {
  return fieldMark({ relation: { kind: 'belongsTo', target, ...options } });
}

/** To-many relation through a join table. Declare the property as `tags?: ManyToMany<Tag>`. */
export function manyToMany(target: () => ModelClass, options: ManyToManyOptions): FieldMark {
  return fieldMark({ relation: { kind: 'manyToMany', target, ...options } });
}

function fieldMark(tags: FieldTags): FieldMark {
  return (target, context) => {
    if (typeof context === 'object') waiting.push({ property: String(context.name), tags });
    else mergeTags(target as object, String(context), tags);
  };
}

function mergeTags(prototype: object, property: string, tags: FieldTags): void {
  const members = declaredMembers(prototype);
  const before = members.get(property) ?? {};
  for (const key of Object.keys(tags) as (keyof FieldTags)[]) {
    if (before[key] === undefined) continue;
    const model = prototype.constructor.name;
    throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model, problem: `the property ${property} carries @${key} twice` });
  }
  members.set(property, { ...before, ...tags });
}
