import { defineErrors } from '../../../kernel/index.js';

/** Codes of the tenant plugin. */
export const TENANT_ERRORS = defineErrors('orm/tenant', {
  FW_ORM_TENANT_MISSING: {
    message: 'No tenant is known for this call, so {model} cannot be touched.',
    status: 403,
    cause: 'The function that tells the tenant gave null or undefined.',
    remedy: 'Set the tenant before the query runs, e.g. in a middleware.',
  },
  FW_ORM_TENANT_FOREIGN: {
    message: 'A row of {model} carries another tenant than the current one.',
    status: 403,
    cause: 'An insert or update names a tenant by itself, or the key of an upsert belongs to a row of another tenant.',
    remedy: 'Leave the column out, it is filled; of an upsert, use a key that holds the tenant.',
  },
  FW_ORM_TENANT_TABLE: {
    message:
      'A query on {model} joins the table "{table}", which no model describes, so its rows cannot be kept apart by tenant.',
    cause:
      'The join names a table that the application has no model of, or writes its name in another way than the model does.',
    remedy:
      'Declare a model of the table and join that; where tenants share its rows, the model has no column of the tenant.',
  },
});
