import type { DialectRemarks } from '../../contract/dialect-remarks.js';

export default { servers: [{ title: 'SQL Server (not run here)', name: 'SQL Server' }] } satisfies DialectRemarks;
