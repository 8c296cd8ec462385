import { Type } from 'fw';
import { routes } from 'fw/http';
import { Database, model } from 'fw/orm';
import { post } from '../generated/post.js';
import { user } from '../generated/user.js';
import { Post } from '../models/post.js';
import { User } from '../models/user.js';

const UserId = Type.Object({ id: Type.Integer({ minimum: 1 }) });

const PageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  minViews: Type.Integer({ minimum: 0, default: 0 }),
});

const UserShape = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  name: Type.String(),
  active: Type.Boolean(),
  createdAt: Type.String({ format: 'date-time' }),
});

const PostShape = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  views: Type.Integer(),
  publishedAt: Type.String({ format: 'date-time' }),
});

const PageShape = Type.Object({ user: UserShape, posts: Type.Array(PostShape) });

export default routes((router, services) => {
  const db = services.get(Database);

  router.get(
    '/users/:id/posts',
    { title: 'Posts of a user', roles: [], input: { params: UserId, query: PageQuery }, output: PageShape },
    async (ctx) => {
      const { id } = ctx.input.params;
      const { limit, minViews } = ctx.input.query;
      // Answers 404 where there is none.
      const author = await model(db, User).where(user.id.eq(id)).first();
      const posts = await model(db, Post)
        .where(post.userId.eq(id))
        .where(post.views.gte(minViews))
        .orderBy(post.publishedAt.desc())
        .limit(limit)
        .find();
      return { user: author, posts };
    },
  );
});
