import { defineErrors } from '../../../kernel/index.js';

/** Codes of the metrics. */
export const METRICS_ERRORS = defineErrors('fleet/metrics', {
  FW_METRICS_UNAUTHORIZED: {
    message: 'the metrics want their token: Authorization: Bearer <token>',
    status: 401,
    cause: 'The option token of fw/fleet/metrics is set, and the request has another one or none.',
    remedy: 'Give the scraper the token: `authorization.credentials` of a scrape_config of Prometheus.',
  },
  FW_METRICS_BUCKETS: {
    message: 'The option buckets of fw/fleet/metrics is not ascending at {bucket}.',
    cause: 'Upper bounds of a histogram have to grow.',
    remedy: 'List them in ascending order, each once.',
  },
});
