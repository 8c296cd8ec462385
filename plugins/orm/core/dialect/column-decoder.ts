import { isFwError } from '../../../../kernel/index.js';
import type { ColumnInfo } from '../model/model-info.js';
import type { Dialect } from './dialect.js';
import { unreadable, type ColumnKind } from '../model/kinds.js';
import { temporalValue, type TemporalClass } from '../model/temporal.js';

type Decode = (value: unknown) => unknown;

/** The decoder of a column's non-null values; undefined if the driver's values need no change. */
export function columnDecoder(dialect: DecodingDialect, column: ColumnInfo): Decode | undefined {
  const { temporal } = column.definition;
  const decode = kindDecoder(dialect, column);
  return temporal ? temporalDecoder(temporal, decode ?? asItIs, dialect) : decode;
}

/** What of a dialect reads values. */
type DecodingDialect = Pick<Dialect, 'codecs' | 'columnDecoder' | 'isoDuration'>;

const asItIs: Decode = (value) => value;

function kindDecoder({ codecs, columnDecoder: own }: DecodingDialect, column: ColumnInfo): Decode | undefined {
  const found = own?.(column);
  if (found) return found;
  const decode = codecs[column.kind].decode as ((value: unknown, element?: ColumnKind) => unknown) | undefined;
  const { element } = column.definition;
  return decode && element ? (value) => decode(value, element) : decode;
}

/**
 * Decoder of values of Temporal.
 *
 * @param decode - what reads the form of the kind
 */
export function temporalDecoder(
  name: TemporalClass,
  decode: Decode,
  dialect: Pick<Dialect, 'isoDuration'>,
): (value: unknown) => unknown {
  const made = temporalMaker(name, dialect);
  return (value) => made(formRead(name, decode, value));
}

/** Makes values of Temporal of the form of their kind, as a codec has read it. */
export function temporalMaker(
  name: TemporalClass,
  { isoDuration }: Pick<Dialect, 'isoDuration'>,
): (form: unknown) => unknown {
  return (form) => {
    const text = name === 'Duration' ? (isoDuration?.(form as string) ?? form) : form;
    const value = temporalValue(name, text as Date | string);
    if (value !== undefined) return value;
    throw unread(name, form instanceof Date ? form.toISOString() : String(form));
  };
}

// The codec speaks of the class that its kind has without Temporal.
function formRead(name: TemporalClass, decode: Decode, value: unknown): unknown {
  try {
    return decode(value);
  } catch (error) {
    if (!isFwError(error) || error.code !== 'FW_ORM_UNREADABLE') throw error;
    throw unread(name, String(error.details['got']));
  }
}

const AS_TEXT = 'declare the property as string, with sql= and the type of the column, to have it as text';
const REMEDIES: Readonly<Record<TemporalClass, string>> = {
  PlainDate: 'declare the property as PlainDate of fw/orm, to have it as text',
  PlainTime: 'declare the property as PlainTime of fw/orm, to have it as text',
  Duration: 'declare the property as Interval of fw/orm, to have it as text',
  Instant: AS_TEXT,
  PlainDateTime: AS_TEXT,
};

const unread = (name: TemporalClass, got: string) => unreadable(`a Temporal.${name}`, got, REMEDIES[name]);
