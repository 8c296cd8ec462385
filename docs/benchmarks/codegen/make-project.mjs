import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PRODUCT_ROOT } from '../harness/index.mjs';

/**
 * Writes a project with models like those of a shop: ten columns of the usual kinds with rules, a relation to the model
 * before and one back, so that preload paths reach three models deep. The framework stands where npm would put it.
 *
 * @param {string} folder - made when it is not there
 * @param {number} models
 */
export async function makeProject(folder, models) {
  await mkdir(path.join(folder, 'app/models'), { recursive: true });
  await mkdir(path.join(folder, 'app/use'), { recursive: true });
  await mkdir(path.join(folder, 'node_modules'), { recursive: true });
  await symlink(PRODUCT_ROOT, path.join(folder, 'node_modules/fw'), 'dir');
  await symlink(path.join(PRODUCT_ROOT, 'node_modules/@types'), path.join(folder, 'node_modules/@types'), 'dir');
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }\n');
  await writeFile(path.join(folder, 'app.config.ts'), CONFIG);
  await writeFile(path.join(folder, 'tsconfig.json'), `${JSON.stringify(TSCONFIG, null, 2)}\n`);
  for (let index = 0; index < models; index++) {
    await writeFile(path.join(folder, modelFile(index)), modelText(index, models));
    await writeFile(path.join(folder, `app/use/item${index}.ts`), useText(index));
  }
}

/** @param {number} index */
export const modelName = (index) => `Item${index}`;

/** @param {number} index */
export const modelFile = (index) => `app/models/item${index}.ts`;

const CONFIG = `import { defineApp } from 'fw';

export default defineApp({
  name: 'bench',
  models: ['app/models/*.ts'],
  generated: () => import('./generated/index.js'),
  plugins: [],
});
`;

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    experimentalDecorators: true,
    useDefineForClassFields: false,
    skipLibCheck: true,
    types: ['node'],
  },
  include: ['app.config.ts', 'app', 'generated'],
};

/**
 * What an application does with a model: typed conditions, an order, a preload path, an update and an insert.
 *
 * @param {number} index
 */
const useText = (index) => `import { type DatabaseHandle, model } from 'fw/orm';
import { item${index} } from '../../generated/item${index}.js';
import { Item${index} } from '../models/item${index}.js';

export async function use(db: DatabaseHandle) {
  const rows = await model(db, Item${index})
    .where(item${index}.email.eq('a@b.c'))
    .where(item${index}.priceCents.gt(10))
    .orderBy(item${index}.createdAt.desc())
    .preload('owner')
    .limit(10)
    .find();
  await model(db, Item${index}).where(item${index}.id.eq(1)).updateAll(item${index}.name.set('x'));
  const more = { ownerId: 1, priceCents: 5, ratio: 0.5, active: true, createdAt: new Date() };
  await model(db, Item${index}).create({ name: 'x', email: 'a@b.c', status: 'open', ...more });
  return rows.map((row) => [row.id, row.owner?.name, row.note?.length]);
}
`;

/**
 * @param {number} index
 * @param {number} models - in the project; the relations close a ring
 * @param {string} [extra] - further members
 */
export function modelText(index, models, extra = '') {
  const [before, after] = [(index + models - 1) % models, (index + 1) % models];
  const others = [...new Set([before, after])].filter((each) => each !== index);
  const imports = others.map((each) => `import { ${modelName(each)} } from './item${each}.js';\n`).join('');
  return `import { belongsTo, type BelongsTo, db, hasMany, type HasMany, type Int, json, table, validate } from 'fw/orm';
${imports}
/** Model ${index}. */
@table('items_${index}')
export class ${modelName(index)} {
  @db('id,pk,autoincrement')
  id!: Int;

  @db('owner_id,index')
  ownerId!: Int;

  @db('name,unique,size=120')
  @validate('required,max=120')
  name!: string;

  @db('email')
  @validate('required,email')
  @json('mail')
  email!: string;

  @db('note,nullable')
  note!: string | null;

  @db('status,default=open')
  status!: 'open' | 'paid' | 'shipped';

  @db('price_cents')
  @validate('min=0')
  priceCents!: Int;

  @db('ratio')
  ratio!: number;

  @db('active')
  active!: boolean;

  @db('created_at')
  createdAt!: Date;
${extra}
  @belongsTo(() => ${modelName(before)}, { fk: 'owner_id' })
  owner?: BelongsTo<${modelName(before)}>;

  @hasMany(() => ${modelName(after)}, { fk: 'owner_id' })
  items?: HasMany<${modelName(after)}>;
}
`;
}
