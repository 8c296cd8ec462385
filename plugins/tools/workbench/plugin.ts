import { definePlugin, ToolContribution } from '../../../kernel/index.js';
import { fwInstall } from './fw-install.js';
import { fwMigrate, fwMigrationDiff, fwMigrationStatus, fwWriteMigration } from './fw-migrate.js';
import { fwReadDatabase } from './fw-read-database.js';
import { fwReadSchema } from './fw-read-schema.js';
import { fwRunTest } from './fw-run-test.js';
import { fwStartApp } from './fw-start-app.js';
import { fwStopApp } from './fw-stop-app.js';

const TOOLS = [
  fwInstall,
  fwMigrate,
  fwMigrationDiff,
  fwMigrationStatus,
  fwReadDatabase,
  fwReadSchema,
  fwRunTest,
  fwStartApp,
  fwStopApp,
  fwWriteMigration,
];

export default definePlugin({
  id: 'tools/workbench',
  category: 'verification',
  description:
    'Tools that install packages, start and stop a project, run one test and migrations, and ask its development database.',
  // Their parts run a test and find what serves; their tools are not asked for.
  optionalNeeds: ['tools/generation', 'tools/verification', 'tools/runtime'],
  register: ({ contribute }) => {
    for (const tool of TOOLS) contribute(ToolContribution, () => tool);
  },
});
