import {
  belongsTo,
  db,
  hasMany,
  hasOne,
  manyToMany,
  modelInfoOf,
  registerModel,
  table,
  validate,
  type BelongsTo,
  type Decimal,
  type HasMany,
  type HasOne,
  type HookContext,
  type Int,
  type Json,
  type ManyToMany,
  type ModelInfo,
} from '../index.js';
import { columnsOf } from './model-columns.js';

/** Every kind of column, with and without null. */
@table('everything')
export class Everything {
  @db('id,pk,autoincrement,type=int') id!: Int;
  @db('big,type=bigint') big!: bigint;
  @db('ratio,type=float') ratio!: number;
  @db('price,type=decimal,precision=12,scale=3') price!: Decimal;
  @db('name,type=string') name!: string;
  @db('notes,type=text,nullable') notes!: string | null;
  @db('active,type=boolean,default=true') active!: boolean;
  @db('at,type=date') at!: Date;
  @db('seen_at,type=date,nullable') seenAt!: Date | null;
  @db('meta,type=json,nullable') meta!: Json<{ readonly a: number; readonly b: readonly string[] }> | null;
  @db('bytes,type=bytes,nullable') bytes!: Uint8Array | null;
  @db('ref,type=uuid,nullable') ref!: string | null;
  @db('tags,type=array,nullable') tags!: string[] | null;
}

@table('authors')
export class Author {
  @db('id,pk,autoincrement,type=int') id!: Int;
  @db('email,unique,type=string') @validate('required,email') email!: string;
  @db('age,type=int,nullable') age!: Int | null;
  @hasMany(() => Post, { fk: 'author_id' }) posts?: HasMany<Post>;
  @hasOne(() => Profile) profile?: HasOne<Profile>;

  get domain(): string {
    return this.email.split('@')[1] ?? '';
  }
}

@table('profiles')
export class Profile {
  @db('id,pk,autoincrement,type=int') id!: Int;
  @db('author_id,index,type=int') authorId!: Int;
  @db('bio,type=text') bio!: string;
}

@table('posts')
export class Post {
  @db('id,pk,autoincrement,type=int') id!: Int;
  @db('author_id,index,type=int') authorId!: Int;
  @db('title,type=string') title!: string;
  @db('views,type=int,default=0') views!: Int;
  @db('deleted_at,type=date,nullable') deletedAt!: Date | null;
  @belongsTo(() => Author, { fk: 'author_id' }) author?: BelongsTo<Author>;
  @manyToMany(() => Tag, { join: 'post_tags', joinFk: 'post_id', joinRefFk: 'tag_id' }) tagged?: ManyToMany<Tag>;
}

@table('tags')
export class Tag {
  @db('id,pk,autoincrement,type=int') id!: Int;
  @db('label,unique,type=string') label!: string;
}

@table('post_tags')
export class PostTag {
  @db('post_id,pk,type=int') postId!: Int;
  @db('tag_id,pk,type=int') tagId!: Int;
}

/** A model with a version. */
@table('counted')
export class Counted {
  @db('id,pk,type=int') id!: Int;
  @db('title,type=string') title!: string;
  @db('facts,type=json,nullable') facts!: Json<unknown>;
  @db('version,version') version!: Int;
}

/** A model that notes which of its hooks ran. */
@table('noted')
export class Noted {
  static readonly calls: string[] = [];

  @db('id,pk,autoincrement,type=int') id!: Int;
  @db('text,type=string') text!: string;

  beforeSave(): void {
    Noted.calls.push('beforeSave');
  }
  afterSave(): void {
    Noted.calls.push('afterSave');
  }
  beforeCreate(_context: HookContext): void {
    Noted.calls.push('beforeCreate');
    if (this.text === 'refused') throw new TypeError('this text is refused');
    this.text = this.text.trim();
  }
  async afterCreate(): Promise<void> {
    Noted.calls.push('afterCreate');
  }
  beforeUpdate(): void {
    Noted.calls.push('beforeUpdate');
  }
  afterUpdate(): void {
    Noted.calls.push('afterUpdate');
  }
  beforeDelete(): void {
    Noted.calls.push('beforeDelete');
  }
  afterDelete(): void {
    Noted.calls.push('afterDelete');
  }
}

/** A declared model as generated code registers it: types and null known, with a scanner. */
function generated<Model extends object>(target: new () => Model): ModelInfo<Model> {
  const { definition } = modelInfoOf(target);
  const columns = definition.columns.map((column) => ({
    ...column,
    ...(column.kind === 'array' && { element: 'string' as const }),
  }));
  return registerModel(target, { ...definition, columns });
}

const everythingModel = generated(Everything);
const authorModel = generated(Author);
const profileModel = generated(Profile);
export const postModel = generated(Post);
export const tagModel = generated(Tag);
export const postTagModel = generated(PostTag);
export const notedModel = generated(Noted);

export const contractModels = [
  everythingModel,
  authorModel,
  profileModel,
  postModel,
  tagModel,
  postTagModel,
  notedModel,
] as unknown as readonly ModelInfo[];

export const author = columnsOf(Author);

export const post = columnsOf(Post);

export const tag = columnsOf(Tag);

export const everything = columnsOf(Everything);
