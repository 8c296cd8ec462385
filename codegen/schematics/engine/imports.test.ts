import { expect, test } from '@jest/globals';
import { withImports } from './imports.js';

const OWN = { module: './app/environment.js', name: 'env', text: 'env' };
const ORM = { module: 'fw/orm', name: 'softDelete', text: 'softDelete' };

test.each([
  ["import { defineApp } from 'fw';\nimport { errors } from './app/errors.js';\n", "import { defineApp } from 'fw';\nimport { softDelete } from 'fw/orm';\nimport { errors } from './app/errors.js';\nimport { env } from './app/environment.js';\n"], // prettier-ignore
  ["// Of ours.\nimport { errors } from './app/errors.js';\n", "// Of ours.\nimport { softDelete } from 'fw/orm';\nimport { errors } from './app/errors.js';\nimport { env } from './app/environment.js';\n"], // prettier-ignore
  [
    "import { db } from 'fw/orm';\n",
    "import { db, softDelete } from 'fw/orm';\nimport { env } from './app/environment.js';\n",
  ],
  ["import { env } from './app/environment.js';\nimport { softDelete } from 'fw/orm';\n", "import { env } from './app/environment.js';\nimport { softDelete } from 'fw/orm';\n"], // prettier-ignore
])('packages come before the files of the project, as in %j', (before, after) => {
  expect(withImports(before, [ORM, OWN])).toBe(after);
});
