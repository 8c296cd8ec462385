import type { DialectRemarks } from '../../contract/dialect-remarks.js';

const SETS = 'MySQL from 8.0.31 on, MariaDB from 10.3 on: an older server is told as FW_ORM_UNSUPPORTED';
const ALL_SETS = SETS.replace('10.3', '10.5');

export default {
  notes: { INTERSECT: SETS, EXCEPT: SETS, 'INTERSECT ALL': ALL_SETS, 'EXCEPT ALL': ALL_SETS },
  servers: [
    { title: 'MariaDB', name: 'MariaDB' },
    { title: 'MySQL 8 (not run here)', name: 'MySQL 8' },
  ],
} satisfies DialectRemarks;
