import { db, type Int, table } from 'fw/orm';

@table('posts')
export class Post {
  @db('id,pk,autoincrement')
  id!: Int;

  @db('user_id')
  userId!: Int;

  @db('title')
  title!: string;

  @db('views')
  views!: Int;

  @db('published_at')
  publishedAt!: Date;
}
