import type { DialectRemarks } from '../../contract/dialect-remarks.js';

export default {
  servers: [
    { title: 'MariaDB', name: 'MariaDB' },
    { title: 'MySQL 8 (not run here)', name: 'MySQL 8' },
  ],
} satisfies DialectRemarks;
