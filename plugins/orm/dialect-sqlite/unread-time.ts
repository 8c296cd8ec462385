import { fwError, type FwError } from '../../../kernel/index.js';
import { ORM_ERRORS, timeFormatText, type ColumnInfo } from '../dialect/index.js';
import { formatOfColumn } from './exact-times.js';
import { ISO_FORMAT } from './sqlite-times.js';
import { formOf } from './time-forms.js';

const MOST_SHOWN = 60;

/** The error for a time that is not of the form that its column is declared to hold. */
export function unreadTime(value: unknown, column?: ColumnInfo): FwError {
  const format = column && formatOfColumn(column);
  const found = formOf(value);
  return fwError(ORM_ERRORS.FW_ORM_TIME_FORMAT, {
    table: column?.model.table ?? 'the database',
    column: column?.name ?? 'a column',
    value: column?.hidden ? 'of a private column' : shown(value),
    format: format ?? ISO_FORMAT,
    advice: adviceOf(found && timeFormatText(found), format),
  });
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, MOST_SHOWN)) : String(value).slice(0, MOST_SHOWN);

function adviceOf(found: string | undefined, declared: string | undefined): string {
  if (found === undefined)
    return 'no format reads it without doubt; correct the rows, or declare format=<form> if all are of one';
  const either = `if all of its values are of that form, declare format=${found} in the tag of the column`;
  return declared === undefined ? either : `${either}; if they are of several, write all in one`;
}
