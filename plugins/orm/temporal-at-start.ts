import { hasTemporal, temporalMissing, type ModelInfo } from './core/index.js';

/**
 * Refuses the start where a model has columns of Temporal and the process has none, so that no request is the first to know.
 *
 * @throws FwError `FW_ORM_TEMPORAL`
 */
export function assertTemporal(models: readonly ModelInfo[]): void {
  if (hasTemporal()) return;
  for (const { name, columns } of models)
    for (const { property, definition } of columns)
      if (definition.temporal) throw temporalMissing(`${name}.${property} (Temporal.${definition.temporal})`);
}
