import { openSqlite, sqlite } from '../index.js';
import { db as column, model, open, table, type Int } from '../../index.js';
import { createMissingTables } from '../../schema/index.js';

// Runs in a process of its own: a batch's memory is measured where nothing else allocates.

/** Eight columns of the usual kinds. */
@table('measured')
class Measured {
  @column('id,pk,type=int') id!: Int;
  @column('name,type=string') name!: string;
  @column('email,type=string') email!: string;
  @column('notes,type=text') notes!: string;
  @column('age,type=int') age!: Int;
  @column('score,type=float') score!: number;
  @column('active,type=boolean') active!: boolean;
  @column('at,type=date') at!: Date;
}

type MeasuredRow = Pick<Measured, 'name' | 'email' | 'notes' | 'score' | 'active' | 'at'> & { id: number; age: number };

// Read while the rows are made: the process's own high-water mark (`maxRSS`) begins at that of its parent
// (https://man7.org/linux/man-pages/man2/getrusage.2.html), which says nothing of the batch.
const SAMPLE_ROWS = 1000;
let peakBytes = 0;
const samplePeak = (): number => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss()));

function* rows(from: number, count: number): Generator<MeasuredRow> {
  for (let id = from; id < from + count; id++) {
    if (id % SAMPLE_ROWS === 0) samplePeak();
    yield {
      id,
      name: `name ${id}`,
      email: `${id}@example.org`,
      // Made anew for every row, so that rows which are kept weigh what real ones do.
      notes: Buffer.alloc(600, `${id} `).toString('latin1'),
      age: id % 100,
      score: id / 3,
      active: id % 2 === 0,
      at: new Date(id),
    };
  }
}

const [file = '', count = '0', how = 'generator'] = process.argv.slice(2);
const db = open(await openSqlite(file), sqlite);
await createMissingTables(db, [Measured]);
const WARM_UP = 2000;
await model(db, Measured).createBatch(rows(0, WARM_UP) as never);
const before = samplePeak();
const batch = rows(WARM_UP, Number(count));
const written = await model(db, Measured).createBatch((how === 'array' ? [...batch] : batch) as never);
const grownMiB = (samplePeak() - before) / 2 ** 20;
process.stdout.write(`${JSON.stringify({ written, stored: await model(db, Measured).count(), grownMiB })}\n`);
await db.close();
