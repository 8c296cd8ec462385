import { isFwError } from 'fw';
import { type Database, db, type Int, model, table } from 'fw/orm';

@table('articles')
export class Article {
  @db('id,pk,autoincrement,type=int')
  id!: Int;

  @db('title,type=string')
  title!: string;

  @db('version,version')
  version!: Int;
}

/** What a form sends back: the row as it was read, with what was typed. */
export function saveArticle(orm: Database, form: { readonly id: Int; readonly version: Int; readonly title: string }) {
  return model(orm, Article).update(form);
}

/** Adds to a title, whatever becomes of it in the meantime. */
export async function addToTitle(orm: Database, id: Int, words: string): Promise<Article> {
  for (let tries = 0; ; tries++) {
    const article = await model(orm, Article).where({ id }).first();
    article.title += words;
    try {
      return await model(orm, Article).update(article);
    } catch (error) {
      if (!isFwError(error) || error.code !== 'FW_ORM_STALE_ROW' || tries === 5) throw error;
    }
  }
}
