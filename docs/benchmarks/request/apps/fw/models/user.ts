import { db, type Int, json, table } from 'fw/orm';

@table('users')
export class User {
  @db('id,pk,autoincrement')
  id!: Int;

  @db('email,unique')
  email!: string;

  @db('name')
  name!: string;

  @db('active')
  active!: boolean;

  @db('password_hash')
  @json('-')
  passwordHash!: string;

  @db('created_at')
  createdAt!: Date;
}
