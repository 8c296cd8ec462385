import {
  belongsTo,
  db,
  hasMany,
  hasOne,
  model,
  modelInfoOf,
  registerModel,
  table,
} from '../../../../plugins/orm/index.js';
import type { BelongsTo, Database, HasMany, HasOne, Int } from '../../../../plugins/orm/index.js';

@table('agents_buyers')
class Buyer {
  @db('id,pk,autoincrement,type=int') id!: Int;
  @db('name,type=string') name!: string;
  @hasMany(() => Purchase, { fk: 'buyer_id' }) purchases?: HasMany<Purchase>;
  @hasOne(() => Address, { fk: 'buyer_id' }) address?: HasOne<Address>;
}

@table('agents_purchases')
class Purchase {
  @db('id,pk,autoincrement,type=int') id!: Int;
  @db('buyer_id,index,type=int') buyerId!: Int;
  @db('sum,type=int') sum!: Int;
  @belongsTo(() => Buyer, { fk: 'buyer_id' }) buyer?: BelongsTo<Buyer>;
}

@table('agents_addresses')
class Address {
  @db('id,pk,autoincrement,type=int') id!: Int;
  @db('buyer_id,index,type=int') buyerId!: Int;
  @db('city,type=string') city!: string;
}

const MODELS = { Buyer, Purchase, Address };
// Tables are made for models with generated code.
for (const each of Object.values(MODELS)) registerModel(each as never, modelInfoOf(each as never).definition);

/** The rows of a model, by its name. */
export function rowsIn(database: Database, name: string): unknown {
  return model(database, MODELS[name as keyof typeof MODELS] as typeof Buyer);
}

/** Fills the tables of the shop: so many buyers, each with a purchase and an address. */
export async function stock(database: Database, buyers: number): Promise<void> {
  for (let at = 1; at <= buyers; at++) {
    const { id } = await model(database, Buyer).create({ name: `Buyer ${at}` });
    await model(database, Purchase).create({ buyerId: id, sum: at });
    await model(database, Address).create({ buyerId: id, city: `City ${at}` });
  }
}
