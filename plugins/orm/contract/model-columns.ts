import { columnOf, modelInfoOf, registerModel, type Column, type ModelClass } from '../index.js';

type Columns<Model extends object> = { readonly [Key in keyof Model & string]-?: Column<Model, Key, Model[Key]> };

/** The columns of a model by property, as its generated file exports them. */
export function columnsOf<Model extends object>(target: ModelClass<Model>): Columns<Model> {
  const info = modelInfoOf(target);
  return Object.fromEntries(info.columns.map(({ property }) => [property, columnOf(info, property)])) as never;
}

/** Makes declared models known as generated ones are: the link of a relation is found by its table. */
export function registerDeclared(...models: readonly ModelClass[]): void {
  for (const each of models) registerModel(each, modelInfoOf(each).definition);
}
