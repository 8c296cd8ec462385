import { createRequire } from 'node:module';
import type { Ajv as AjvClass, ErrorObject, Options } from 'ajv';
import { fwError } from '../errors/index.js';
import { replaceEqualityKeywords } from '../schema/equality.js';
import { FOREIGN_SCHEMA_ERRORS } from './errors.js';
import { SchemaReferences } from './schema-references.js';

const require = createRequire(import.meta.url);

/** `$id` under which the document is registered; no document uses it. */
const ROOT = 'fw:document';
/** Longest generated code of one schema, in characters: compiling it cannot be interrupted. */
const MAX_CODE = 4 * 1024 * 1024;

/** A failure of a value against somebody else's schema. */
export interface ForeignIssue {
  /** JSON pointer into the value (RFC 6901), without the member that is missing or too much. */
  readonly path: string;
  readonly keyword: string;
  /** Where the keyword stands in the schema, as a JSON pointer. */
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The schema object that holds the keyword. */
  readonly parentSchema: Readonly<Record<string, unknown>>;
}

/** Checks values against one foreign schema; the value is never changed. */
export interface ForeignValidator {
  check(value: unknown): readonly ForeignIssue[];
}

/** Called before and after each match of a pattern: only the end of its thread can interrupt a match. */
export interface PatternWatch {
  begin(): void;
  end(): void;
}

/**
 * The JSON Schemas of a document that is not ours, e.g. of another service's OpenAPI document. A schema that several refer to is compiled
 * once. Unknown formats and keywords are passed over; remote `$ref`s are not followed.
 *
 * The author of a document or value can make compiling and checking take unlimited time (`^(a+)+$`) and memory: use this only in a thread
 * that is ended after a deadline.
 */
export class ForeignSchemas {
  readonly #ajv: AjvClass;
  readonly #validators = new Map<string, ForeignValidator>();
  /** JSON pointers of the document's schemas; made on first use. */
  #pointers: ReadonlyMap<object, string> | undefined;
  #references: SchemaReferences | undefined;

  /**
   * @param document - what `$ref`s point into
   * @throws Error of Ajv when two schemas have the same id
   */
  constructor(
    private readonly document: Readonly<Record<string, unknown>>,
    patterns?: PatternWatch,
  ) {
    const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: Options) => AjvClass };
    this.#ajv = new Ajv2020({
      allErrors: true,
      strict: false,
      validateSchema: false,
      validateFormats: true,
      verbose: true,
      logger: false,
      code: { optimize: false, process: boundedCode, regExp: watched(patterns) },
    });
    (require('ajv-formats') as { default: (instance: AjvClass) => void }).default(this.#ajv);
    replaceEqualityKeywords(this.#ajv);
    this.#ajv.addSchema(document, ROOT);
  }

  /**
   * The validator of a schema of the document, compiled on first use.
   *
   * @param pointer - where the schema is (RFC 6901)
   * @throws FwError `FW_FOREIGN_SCHEMA_MISSING`, `FW_FOREIGN_SCHEMA_CODE`; Error of Ajv when the schema cannot be compiled
   */
  validator(pointer: string): ForeignValidator {
    let validator = this.#validators.get(pointer);
    if (validator === undefined) this.#validators.set(pointer, (validator = this.#compiled(pointer)));
    return validator;
  }

  /**
   * Validators of the alternatives of a failed `anyOf` or `oneOf`, each on its own, because the list of all failures does not say which
   * alternative each belongs to.
   *
   * @returns in the order of the schema; none for another keyword
   * @throws as `validator` does
   */
  alternatives({ keyword, parentSchema }: ForeignIssue): readonly ForeignValidator[] {
    const parts = keyword === 'anyOf' || keyword === 'oneOf' ? parentSchema[keyword] : undefined;
    const pointer = this.#pointersOfAll().get(parentSchema);
    if (!Array.isArray(parts) || pointer === undefined) return [];
    return parts.map((_, index) => this.validator(`${pointer}/${keyword}/${index}`));
  }

  /**
   * Whether a failure is one of a schema in a failed composition: of an alternative, or of what an alternative refers to, directly or through
   * others. The path of the failed keyword does not tell, because it begins anew at each schema that is compiled on its own.
   */
  isWithin({ parentSchema }: ForeignIssue, composition: ForeignIssue): boolean {
    const pointers = this.#pointersOfAll();
    const place = pointers.get(parentSchema);
    const outer = pointers.get(composition.parentSchema);
    if (place === undefined || outer === undefined) return false;
    this.#references ??= new SchemaReferences(pointers);
    return this.#references.leadFrom(`${outer}/${composition.keyword}`, place);
  }

  #pointersOfAll(): ReadonlyMap<object, string> {
    return (this.#pointers ??= pointersIn(this.document));
  }

  #compiled(pointer: string): ForeignValidator {
    const check = this.#ajv.getSchema(`${ROOT}#${pointer}`);
    if (check === undefined) throw fwError(FOREIGN_SCHEMA_ERRORS.FW_FOREIGN_SCHEMA_MISSING, { pointer });
    return { check: (value) => (check(value) ? [] : (check.errors ?? []).map(toIssue)) };
  }
}

// Iterative, because a document may be nested deeper than the stack allows.
function pointersIn(document: object): ReadonlyMap<object, string> {
  const pointers = new Map<object, string>([[document, '']]);
  for (const [value, pointer] of pointers) {
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'object' || member === null || pointers.has(member as object)) continue;
      pointers.set(
        member as object,
        `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
      );
    }
  }
  return pointers;
}

function boundedCode(code: string): string {
  if (code.length <= MAX_CODE) return code;
  throw fwError(FOREIGN_SCHEMA_ERRORS.FW_FOREIGN_SCHEMA_CODE, { length: code.length, limit: MAX_CODE });
}

// Ajv generates `pattern.test(text)`, and uses the text of the returned value as the pattern's name.
function watched(watch: PatternWatch | undefined): NonNullable<NonNullable<Options['code']>['regExp']> {
  const engine = (pattern: string) => {
    const compiled = compiledPattern(pattern);
    const test = (text: string) => {
      watch?.begin();
      const fits = compiled?.test(text) ?? true;
      watch?.end();
      return fits;
    };
    return { test, toString: () => pattern };
  };
  return Object.assign(engine, { code: 'new RegExp' });
}

// A pattern of another regex dialect, such as `(?i)a` of PCRE, is ignored; the rest of the schema applies.
function compiledPattern(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

function toIssue({ instancePath, keyword, schemaPath, params, parentSchema }: ErrorObject): ForeignIssue {
  return { path: instancePath, keyword, schemaPath, params, parentSchema: parentSchema ?? {} };
}
