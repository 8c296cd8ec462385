import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  add,
  belongsTo,
  concat,
  countAll,
  cte,
  db as column,
  derived,
  excluded,
  exists,
  from,
  hasMany,
  manyToMany,
  max,
  model,
  not,
  open,
  or,
  over,
  raw,
  recursive,
  rowNumber,
  scalar,
  sum,
  table,
  tenant,
  transaction,
  withBatchPreload,
  withPlugins,
  withPreloadLimit,
  withPreloadOrder,
  withPreloadWhere,
  type BelongsTo,
  type Database,
  type HasMany,
  type Int,
  type ManyToMany,
  type Session,
} from '../index.js';
import type { Subject, TestDatabase } from './subject.js';
import { columnsOf, registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('t_teams')
class Team {
  @column('id,pk,type=int') id!: Int;
  @column('name,type=string,size=20') name!: string;
  @column('over_id,type=int,nullable') overId!: Int | null;
  @column('house,type=string,size=10,filled') house!: string;
  @hasMany(() => Task, { fk: 'team_id' }) tasks?: HasMany<Task>;
  // No model has its join table.
  @manyToMany(() => Label, { join: 't_team_labels', joinFk: 'team_id', joinRefFk: 'label_id' })
  labels?: ManyToMany<Label>;
}

@table('t_tasks')
class Task {
  @column('id,pk,type=int') id!: Int;
  @column('title,unique,type=string,size=20') title!: string;
  @column('team_id,type=int,nullable') teamId!: Int | null;
  @column('points,type=int') points!: Int;
  @column('house,type=string,size=10,filled') house!: string;
  @belongsTo(() => Team, { fk: 'team_id', constraint: false }) team?: BelongsTo<Team>;
  @manyToMany(() => Label, { join: 't_task_labels', joinFk: 'task_id', joinRefFk: 'label_id' })
  labels?: ManyToMany<Label>;
}

@table('t_labels')
class Label {
  @column('id,pk,type=int') id!: Int;
  @column('house,type=string,size=10,filled') house!: string;
  @manyToMany(() => Task, { join: 't_task_labels', joinFk: 'label_id', joinRefFk: 'task_id' })
  tasks?: ManyToMany<Task>;
}

@table('t_task_labels')
class TaskLabel {
  @column('task_id,pk,type=int') taskId!: Int;
  @column('label_id,pk,type=int') labelId!: Int;
  @column('house,type=string,size=10,filled') house!: string;
}

const MODELS = [Team, Task, Label, TaskLabel] as const;
registerDeclared(...MODELS);

const team = columnsOf(Team);
const task = columnsOf(Task);

// Rows of both houses take turns, and refer to rows of the other one, too.
const houseOf = (at: number) => (at % 2 === 0 ? 'own' : 'other');
const TEAMS = [1, 2, 3, 4].map((id) => ({
  id,
  name: `team ${id}`,
  overId: id === 1 ? null : id - 1,
  house: houseOf(id),
}));
const TASKS = Array.from({ length: 16 }, (_, at) => ({
  id: at + 1,
  title: `task ${at + 1}`,
  teamId: at % 5 === 4 ? null : (at % 4) + 1,
  points: (at * 7) % 11,
  house: houseOf(Math.trunc(at / 3)),
}));
const LABELS = [1, 2, 3, 4].map((id) => ({ id, house: houseOf(id) }));
const LINKS = TASKS.flatMap(({ id }) =>
  LABELS.filter((label) => (label.id + id) % 3 === 0).map((label) => ({
    taskId: id,
    labelId: label.id,
    house: houseOf(Math.trunc((id - 1) / 3)),
  })),
);
const ROWS = [TEAMS, TASKS, LABELS, LINKS] as const;

const onTeam = team.id.of('g').eq(task.teamId);
const tasks = (db: Session) => model(db, Task);
const inOrder = (db: Session) => tasks(db).orderBy(task.id.asc());
const sums = (db: Session) => tasks(db).select('teamId', sum(task.points).as('held')).groupBy('teamId');

const READS: Readonly<Record<string, (db: Database) => Promise<unknown>>> = {
  find: (db) => inOrder(db).find(),
  'a condition of alternatives': (db) =>
    inOrder(db)
      .where(or(task.points.gt(3), task.points.lte(3)))
      .find(),
  'a negated condition': (db) =>
    inOrder(db)
      .where(not(task.points.gt(3)))
      .find(),
  'a condition of raw SQL': (db) => inOrder(db).where(raw('1 = 1 OR 1 = 1')).find(),
  'one by its key': async (db) =>
    Promise.all(
      TASKS.map(({ id }) =>
        tasks(db)
          .where({ id: id as Int })
          .find(),
      ),
    ),
  'by the tenant of another': (db) => tasks(db).where({ house: 'other' }).find(),
  count: (db) => tasks(db).count(),
  'count of distinct rows': (db) => tasks(db).select('teamId').distinct().count(),
  exists: async (db) =>
    Promise.all(
      TASKS.map(({ id }) =>
        tasks(db)
          .where({ id: id as Int })
          .exists(),
      ),
    ),
  aggregates: async (db) => [
    await tasks(db).sum('points'),
    await tasks(db).max('title'),
    await tasks(db).avg('points'),
  ],
  'groups and having': (db) =>
    tasks(db).select('teamId', countAll().as('n')).groupBy('teamId').having(countAll().gte(1)).orderBy(task.teamId.asc()).find(), // prettier-ignore
  'inner join': (db) => inOrder(db).innerJoin(Team, 'g', onTeam).select('id', team.name.of('g')).find(),
  'inner join by the name of the table': (db) =>
    inOrder(db)
      .innerJoin('t_teams', 'g', onTeam as never)
      .select('id', team.name.of('g') as never)
      .find(),
  'left join': (db) => inOrder(db).leftJoin(Team, 'g', onTeam).select('id', team.name.of('g')).find(),
  'left join by the name of the table': (db) =>
    inOrder(db)
      .leftJoin('t_teams', 'g', onTeam as never)
      .select('id', team.name.of('g') as never)
      .find(),
  'right join': (db) =>
    tasks(db).rightJoin(Team, 'g', onTeam).select('id', team.id.of('g').as('team')).orderBy(team.id.of('g').asc(), task.id.asc()).find(), // prettier-ignore
  'right join by the name of the table': (db) =>
    tasks(db).rightJoin('t_teams', 'g', onTeam as never).select('id', team.id.of('g').as('team') as never).orderBy(team.id.of('g').asc() as never, task.id.asc()).find(), // prettier-ignore
  'cross join': (db) =>
    inOrder(db).crossJoin(Team, 'g').select('id', team.id.of('g').as('team')).orderBy(team.id.of('g').asc()).find(),
  'cross join by the name of the table': (db) =>
    inOrder(db).crossJoin('t_teams', 'g').select('id', team.id.of('g').as('team') as never).orderBy(team.id.of('g').asc() as never).find(), // prettier-ignore
  'a table twice': (db) =>
    model(db, Team).innerJoin(Team, 'u', team.id.of('u').eq(team.overId)).select('id', team.id.of('u').as('over')).orderBy(team.id.asc()).find(), // prettier-ignore
  'a join of a join': (db) =>
    inOrder(db).innerJoin(Team, 'g', onTeam).leftJoin(Team, 'u', team.id.of('u').eq(team.overId.of('g'))).select('id', team.id.of('u').as('over')).find(), // prettier-ignore
  'exists in a condition': (db) =>
    model(db, Team)
      .where(exists(tasks(db).where(task.teamId.eq(team.id.of('t_teams')))))
      .orderBy(team.id.asc())
      .find(),
  'no row in a condition': (db) =>
    model(db, Team).where(not(exists(tasks(db).where(task.teamId.eq(team.id.of('t_teams')))))).orderBy(team.id.asc()).find(), // prettier-ignore
  'in a query': (db) =>
    inOrder(db)
      .where(task.teamId.in(model(db, Team).select('id')))
      .find(),
  'in a query, within the condition of a join': (db) =>
    inOrder(db).leftJoin(Team, 'g', task.teamId.in(model(db, Team).where({ overId: 2 as Int }).select('id'))).select('id', team.id.of('g').as('team')).orderBy(team.id.of('g').asc()).find(), // prettier-ignore
  'a query as a value': (db) =>
    model(db, Team).select('id', scalar(tasks(db).where(task.teamId.eq(team.id.of('t_teams'))).select(countAll())).as('n')).orderBy(team.id.asc()).find(), // prettier-ignore
  'an order by a query': (db) =>
    model(db, Team).orderBy(scalar(tasks(db).where(task.teamId.eq(team.id.of('t_teams'))).select(sum(task.points).as('all'))).desc(), team.id.asc()).find(), // prettier-ignore
  'groups by a query': (db) =>
    model(db, Team).select(scalar(tasks(db).where(task.teamId.eq(team.id.of('t_teams'))).select(countAll())).as('n'), countAll().as('teams')).groupBy(scalar(tasks(db).where(task.teamId.eq(team.id.of('t_teams'))).select(countAll()))).find(), // prettier-ignore
  'a query as a table': (db) => {
    const held = derived('held', sums(db));
    return inOrder(db).innerJoin(held, held.columns.teamId.eq(task.teamId)).select('id', held.columns.held).find();
  },
  'a named query': (db) => {
    const held = cte('held', sums(db));
    return from(db, held).innerJoin(Team, 'g', team.id.of('g').eq(held.columns.teamId)).select(held.columns.held, team.id.of('g').as('team')).orderBy(team.id.of('g').asc()).find(); // prettier-ignore
  },
  'a recursive query': (db) => {
    const rows = recursive('rows', model(db, Team).select('id'), (so) =>
      model(db, Team).innerJoin(so, so.columns.id.eq(team.overId)).select('id'),
    );
    return from(db, rows).orderBy(rows.columns.id.asc()).find();
  },
  unions: (db) =>
    tasks(db).select(task.title.as('text')).unionAll(model(db, Team).select(team.name.as('text'))).orderBy({ column: 'text' }).find(), // prettier-ignore
  except: (db) => tasks(db).select('teamId').except(model(db, Team).select(team.id.as('teamId'))).orderBy({ column: 'teamId' }).find(), // prettier-ignore
  intersect: (db) => tasks(db).select('teamId').intersect(model(db, Team).select(team.id.as('teamId'))).orderBy({ column: 'teamId' }).find(), // prettier-ignore
  windows: (db) =>
    inOrder(db)
      .select('id', over(rowNumber(), { orderBy: [task.id.asc()] }).as('n'))
      .find(),
  'the first of each': (db) => tasks(db).distinctOn('teamId').orderBy(task.points.desc(), task.id.asc()).find(),
  'pages by a cursor': async (db) => {
    const pages: unknown[] = [];
    let cursor: string | null = null;
    do {
      const query = tasks(db).orderBy(task.points.desc(), task.id.asc()).limit(3).after(cursor);
      const rows = await query.find();
      pages.push(rows);
      const last = rows.at(-1);
      cursor = rows.length === 3 && last !== undefined ? query.cursorOf(last) : null;
    } while (cursor !== null);
    return pages;
  },
  'a stream': async (db) => {
    const rows: unknown[] = [];
    for await (const row of inOrder(db).preload('team').stream({ batchSize: 2 })) rows.push(row);
    return rows;
  },
  preloads: (db) =>
    inOrder(db).preload('team.tasks', withPreloadOrder(task.id.asc()), 'labels.tasks', withPreloadOrder(task.id.asc())).find(), // prettier-ignore
  'preloads with a limit': (db) =>
    model(db, Team).orderBy(team.id.asc()).preload('tasks', withPreloadOrder(task.points.desc(), task.id.asc()), withPreloadLimit(2)).find(), // prettier-ignore
  'preloads with a condition': (db) =>
    model(db, Team).orderBy(team.id.asc()).preload('tasks', withPreloadOrder(task.id.asc()), withPreloadWhere(or(task.points.gt(3), task.points.lte(3)))).find(), // prettier-ignore
  'preloads through a join table without a model': (db) =>
    model(db, Team).orderBy(team.id.asc()).preload('labels').find(),
  'preloads in a batch': (db) =>
    model(db, Team).orderBy(team.id.asc()).preload('tasks', withPreloadOrder(task.id.asc()), withBatchPreload()).find(),
  'preloads of links with a limit': (db) =>
    model(db, Label).orderBy({ column: 'id' }).preload('tasks', withPreloadOrder(task.id.desc()), withPreloadLimit(1)).find(), // prettier-ignore
  'in a transaction': (db) => transaction.run(db, null, null, (tx) => inOrder(tx).lock('update').find()),
};

const WRITES: Readonly<Record<string, (db: Database) => Promise<unknown>>> = {
  'update of all': (db) => tasks(db).updateAll(task.points.set(99)),
  'update of a row': async (db) =>
    Promise.allSettled(TASKS.map(({ id }) => tasks(db).update({ id: id as Int, points: 50 as Int }))).then(outcomes),
  'save of a row': async (db) => {
    const rows = await inOrder(db).find();
    for (const row of rows) await tasks(db).save(Object.assign(row, { points: 51 }));
    return rows;
  },
  'update with a join': (db) => tasks(db).innerJoin(Team, 'g', onTeam).updateAll(task.points.set(add(task.points, team.id.of('g')))), // prettier-ignore
  'update with a join by the name of the table': (db) =>
    tasks(db)
      .innerJoin('t_teams', 'g', onTeam as never)
      .updateAll(task.points.set(98)),
  'update from a query': (db) =>
    model(db, Team).updateAll(team.overId.set(scalar(tasks(db).where(task.teamId.eq(team.id.of('t_teams'))).select(countAll())) as never)), // prettier-ignore
  'update by a query': (db) =>
    tasks(db)
      .where(task.teamId.in(model(db, Team).select('id')))
      .updateAll(task.points.set(97)),
  'delete of all': (db) => tasks(db).delete(),
  'delete by raw SQL': (db) => tasks(db).where(raw('1 = 1 OR 1 = 1')).delete(),
  'delete of a row': async (db) =>
    Promise.allSettled(TASKS.map(({ id }) => tasks(db).remove({ id: id as Int }))).then(outcomes),
  'delete with a join': (db) => tasks(db).innerJoin(Team, 'g', onTeam).delete(),
  'delete by a query': (db) => model(db, Team).where(exists(tasks(db).where(task.teamId.eq(team.id.of('t_teams'))))).delete(), // prettier-ignore
  create: (db) => tasks(db).create({ id: 101, title: 'new', teamId: null, points: 1 }),
  'create of many': async (db) => {
    const rows = Array.from({ length: 300 }, (_, at) => ({ id: 200 + at, title: `n${at}`, teamId: null, points: at }));
    return [await tasks(db).createBatch(rows), await tasks(db).count()];
  },
  'create from a query': (db) =>
    tasks(db).createFrom(inOrder(db).select(add(task.id, 500).as('id'), concat('x', task.title).as('title'), 'teamId', 'points').limit(1)), // prettier-ignore
  'create with a computed value': (db) =>
    tasks(db).create({ id: 102, title: 'computed', teamId: null, points: scalar(tasks(db).select(max(task.points).as('most'))) as never }), // prettier-ignore
  links: async (db) => {
    const own = await inOrder(db).first();
    return [
      await tasks(db).attach(own, 'labels', [2]),
      await tasks(db).sync(own, 'labels', [4]),
      await tasks(db).detach(own, 'labels', 'all'),
    ];
  },
};

const UPSERTS: typeof WRITES = {
  'upsert of a new row': (db) =>
    tasks(db).upsert({ id: 103, title: 'upserted', teamId: null, points: 1 }, { conflict: 'id' }),
  'upserts of rows that are there': async (db) =>
    tasks(db).upsertBatch((await inOrder(db).find()).map(({ house: _, ...row }) => ({ ...row, points: 40 as Int })), { conflict: 'id' }), // prettier-ignore
  'upserts that compute': async (db) =>
    tasks(db).upsertBatch((await inOrder(db).find()).map(({ house: _, ...row }) => row), { conflict: 'id', update: 'none', set: [task.points.set(add(task.points, excluded(task.points)))] }), // prettier-ignore
};

/** What one house cannot do to the other. */
const REFUSED: Readonly<Record<string, readonly [code: string, run: (db: Database) => Promise<unknown>]>> = {
  'a new row of another': ['FW_ORM_TENANT_FOREIGN', (db) => tasks(db).create({ id: 900, title: 'x', teamId: null, points: 1, house: 'other' })], // prettier-ignore
  'a row of another among new ones': [
    'FW_ORM_TENANT_FOREIGN',
    (db) => tasks(db).createBatch(['own', 'other'].map((house, at) => ({ id: 900 + at, title: `x${at}`, teamId: null, points: 1, house }))), // prettier-ignore
  ],
  'rows that are given away': ['FW_ORM_TENANT_FOREIGN', (db) => tasks(db).updateAll(task.house.set('other'))],
  'rows that are given away by an expression': ['FW_ORM_TENANT_FOREIGN', (db) => tasks(db).updateAll(task.house.set(concat('oth', 'er')))], // prettier-ignore
  'a row that is given away': [
    'FW_ORM_TENANT_FOREIGN',
    async (db) => tasks(db).update({ id: (await inOrder(db).first()).id, house: 'other' }),
  ],
  'rows of a query that brings its own tenant': [
    'FW_ORM_TENANT_FOREIGN',
    (db) => tasks(db).createFrom(tasks(db).select('id', 'title', 'teamId', 'points', 'house')),
  ],
  'a join with a table that no model has': [
    'FW_ORM_TENANT_TABLE',
    (db) =>
      tasks(db)
        .innerJoin('T_Teams', 'g', onTeam as never)
        .find(),
  ],
  'an update by a table that no model has': [
    'FW_ORM_TENANT_TABLE',
    (db) =>
      tasks(db)
        .innerJoin('others', 'g', onTeam as never)
        .updateAll(task.points.set(1)),
  ],
  'a table that no model has, within a query': [
    'FW_ORM_TENANT_TABLE',
    (db) =>
      model(db, Team)
        .where(exists(tasks(db).crossJoin('others', 'g')))
        .find(),
  ],
};

const outcomes = (ended: readonly PromiseSettledResult<unknown>[]) =>
  ended.map((each) => (each.status === 'fulfilled' ? 'done' : (each.reason as { code?: string }).code));

/** Tenants kept apart: as if the database had the rows of one alone, and those of others stay as they are. */
export function tenantsContract({ name, dialect, create, habits = {} }: Subject): void {
  const spares = habits.conditionalUpsert ?? true;
  const writes = { ...WRITES, ...(spares && UPSERTS) };

  describe(`tenants on ${name}`, () => {
    let shared: Database;
    let own: Database;
    let alone: Database;
    let made: TestDatabase;
    withTables(create, dialect, MODELS, (opened, its) => {
      [shared, made] = [opened, its];
      own = open(made.handle, dialect, withPlugins(tenant('house', () => 'own')));
    });
    withTables(create, dialect, MODELS, (_, its) => {
      alone = open(its.handle, dialect, withPlugins(tenant('house', () => 'own')));
    });

    const fill = async (db: Database, house?: string) => {
      for (const [at, each] of MODELS.entries()) {
        await model<object>(db, each as new () => object).delete();
        const rows = (ROWS[at] as readonly { house: string }[]).filter(
          (row) => house === undefined || row.house === house,
        );
        await model<object>(db, each as new () => object).createBatch(rows);
      }
    };
    const rowsOf = async (db: Database, house: string) => {
      const all = await Promise.all(MODELS.map((each) => model<object>(db, each as new () => object).find()));
      return all.map((rows) =>
        (rows as { house: string }[])
          .filter((row) => row.house === house)
          .map((row) => JSON.stringify(row))
          .sort(),
      );
    };

    describe('a read gives what it would give of the rows of one tenant', () => {
      let isFilled = false;
      beforeEach(async () => {
        if (isFilled) return;
        await fill(shared);
        await fill(alone, 'own');
        isFilled = true;
      });
      test.each(Object.entries(READS))('%s', async (_, read) => {
        expect(await read(own)).toEqual(await read(alone));
      });
    });

    describe('a write leaves the rows of others alone', () => {
      beforeEach(async () => {
        await fill(shared);
        await fill(alone, 'own');
      });
      test.each(Object.entries(writes))('%s', async (_, write) => {
        const before = await rowsOf(shared, 'other');
        expect(await write(own)).toEqual(await write(alone));
        expect(await rowsOf(shared, 'own')).toEqual(await rowsOf(alone, 'own'));
        expect(await rowsOf(shared, 'other')).toEqual(before);
      });
    });

    test.each(Object.entries(REFUSED))('%s is refused', async (_, [code, run]) => {
      await fill(shared);
      const before = await Promise.all(['own', 'other'].map((house) => rowsOf(shared, house)));
      await expect(run(own)).rejects.toMatchObject({ code });
      expect(await Promise.all(['own', 'other'].map((house) => rowsOf(shared, house)))).toEqual(before);
    });

    test('an upsert meets the row of another', async () => {
      await fill(shared);
      const before = await rowsOf(shared, 'other');
      const [taken] = TASKS.filter(({ house }) => house === 'other');
      const row = { id: taken?.id as Int, title: 'mine', teamId: null, points: 1 as Int };
      const code = spares ? 'FW_ORM_TENANT_FOREIGN' : 'FW_ORM_UNSUPPORTED';
      await expect(tasks(own).upsert(row, { conflict: 'id' })).rejects.toMatchObject({ code });
      await expect(tasks(own).upsertBatch([{ ...row, id: 901 as Int, title: 'fresh' }, row], { conflict: 'id' })).rejects.toMatchObject({ code }); // prettier-ignore
      await tasks(own).upsertBatch([row], { conflict: 'id', update: 'none' });
      expect(await rowsOf(shared, 'other')).toEqual(before);
      expect(
        await tasks(own)
          .where({ id: 901 as Int })
          .count(),
      ).toBe(0);
    });

    test('nothing runs without a tenant', async () => {
      await fill(shared);
      const before = await rowsOf(shared, 'own');
      for (const none of [null, undefined]) {
        const nobody = open(made.handle, dialect, withPlugins(tenant('house', () => none)));
        for (const run of Object.values({ ...READS, ...writes })) {
          const ended = await run(nobody).catch((error: { code: string }) => [error.code]);
          expect(new Set(ended as string[])).toEqual(new Set(['FW_ORM_TENANT_MISSING']));
        }
      }
      expect(await rowsOf(shared, 'own')).toEqual(before);
    });

    test('a tenant of another type is no tenant', async () => {
      await fill(shared);
      for (const value of [0, true, {}, [], ['own'], Number.NaN, 1n, Symbol.iterator]) {
        const odd = open(made.handle, dialect, withPlugins(tenant('house', () => value)));
        for (const run of [() => tasks(odd).find(), () => tasks(odd).delete()])
          await expect(run()).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
      }
    });

    test('another spelling is another tenant', async () => {
      await fill(shared);
      for (const value of ['OWN', 'own ', 'Own', 'öwn', '']) {
        const odd = open(made.handle, dialect, withPlugins(tenant('house', () => value)));
        expect([await tasks(odd).count(), await tasks(odd).updateAll(task.points.set(1))]).toEqual([0, 0]);
      }
    });

    test('the tenant is that of the call, for plans that others share', async () => {
      await fill(shared);
      let house = 'own';
      const both = open(made.handle, dialect, withPlugins(tenant('house', () => house)));
      const query = inOrder(both).preload('team');
      for (let at = 0; at < 6; at++) {
        house = houseOf(at);
        const rows = await query.find();
        expect(rows.map((each) => each.id)).toEqual(TASKS.filter((each) => each.house === house).map(({ id }) => id));
        expect(rows.flatMap((each) => each.team?.house ?? []).every((each) => each === house)).toBe(true);
      }
    });
  });
}
