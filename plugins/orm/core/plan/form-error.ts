import { fwError, type FwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { ModelInfo } from '../model/model-info.js';

/** The error for a query that cannot be made in this form: `FW_ORM_QUERY_FORM`. */
export function formError(model: ModelInfo, problem: string): FwError {
  return fwError(ORM_ERRORS.FW_ORM_QUERY_FORM, { model: model.name, problem });
}
