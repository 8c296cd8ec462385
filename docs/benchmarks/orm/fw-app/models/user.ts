import { db, hasMany, type HasMany, type Int, table } from 'fw/orm';
import { Post } from './post.js';

@table('users')
export class User {
  @db('id,pk,autoincrement')
  id!: Int;

  @db('email')
  email!: string;

  @db('name')
  name!: string;

  @db('active')
  active!: boolean;

  @db('age')
  age!: Int;

  @db('score')
  score!: number;

  @db('bio')
  bio!: string | null;

  @db('created_at')
  created_at!: Date;

  @hasMany(() => Post, { fk: 'user_id' })
  posts?: HasMany<Post>;
}
