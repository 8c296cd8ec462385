import { Column } from './expression/column.js';
import type { ModelClass, ModelDefinition } from './model/model-definition.js';
import type { ModelInfo } from './model/model-info.js';

/**
 * The accessor of one column, as generated code exports it.
 *
 * @throws FwError `FW_ORM_UNKNOWN_COLUMN`
 */
export function columnOf<Model extends object, Key extends string, Value>(
  info: ModelInfo<Model>,
  property: Key,
): Column<Model, Key, Value> {
  // A column of that name may belong to another property.
  return new Column(info.columns.find((column) => column.property === property) ?? info.column(property));
}

/** A model as generated code exports it: the class, and what is known about it. */
export interface GeneratedModel<Model extends object = object> {
  readonly target: ModelClass<Model>;
  readonly info: ModelInfo<Model>;
}

export type { ModelDefinition };
