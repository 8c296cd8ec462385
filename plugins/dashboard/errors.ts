import { defineErrors } from '../../kernel/index.js';

/** Codes of the dashboard. */
export const DASHBOARD_ERRORS = defineErrors('dashboard', {
  FW_DASHBOARD_UI_MISSING: {
    message: 'The web UI is not in {folder}. The JSON API works without it.',
    status: 503,
    cause: 'The package was not built, or its dist folder is incomplete.',
    remedy: 'In a checkout run `npm run build`; otherwise install the package anew.',
  },
  FW_DASHBOARD_PAGE: {
    message: 'The dashboard page "{id}" is wrong: {problem}',
    cause: 'A plugin contributes a page that the dashboard cannot show.',
    remedy: 'Correct what the message names; docs/guides/dashboard.md shows a page.',
  },
});
