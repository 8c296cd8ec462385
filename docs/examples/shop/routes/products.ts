import { fwError, Type } from 'fw';
import { routes } from 'fw/http';
import { Database, model } from 'fw/orm';
import { product } from '../../../../generated/product.js';
import { SHOP_ERRORS } from '../errors.js';
import { Product } from '../models/product.js';

const ProductId = Type.Object({ id: Type.Integer({ minimum: 1, description: 'Id of the product' }) });

const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Rows per page' })),
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'Page, from 1' })),
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name' })),
});

const NewProduct = Type.Object({
  sku: Type.String({ pattern: '^[A-Z]{3}-\\d{3}$', description: 'Three capitals, a dash, three digits' }),
  name: Type.String({ minLength: 1, maxLength: 120 }),
  priceCents: Type.Integer({ minimum: 0 }),
  stock: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
});

const ProductChange = Type.Partial(NewProduct);

const ProductShape = Type.Object({
  id: Type.Integer(),
  sku: Type.String(),
  name: Type.String(),
  priceCents: Type.Integer(),
  stock: Type.Integer(),
});

// The shop has no accounts of customers: what is not the owner's alone is for everybody, and each route says so.
export default routes((router, services) => {
  const db = services.get(Database);

  async function productOf(id: number) {
    const [row] = await model(db, Product).where(product.id.eq(id)).limit(1).find();
    if (!row) throw fwError(SHOP_ERRORS.FW_SHOP_NOT_FOUND, { what: 'product', id });
    return row;
  }

  router.get(
    '/api/products',
    {
      title: 'List products',
      tags: ['products'],
      public: true,
      input: { query: ListQuery },
      output: Type.Array(ProductShape),
    },
    async (ctx) => {
      const { limit = 20, page = 1, search } = ctx.input.query;
      const all = model(db, Product).orderBy(product.id.asc()).page(page, limit);
      return search === undefined ? all.find() : all.where(product.name.contains(search)).find();
    },
  );

  router.get(
    '/api/products/:id',
    { title: 'Read a product', tags: ['products'], public: true, input: { params: ProductId }, output: ProductShape },
    async (ctx) => productOf(ctx.input.params.id),
  );

  router.post(
    '/api/products',
    {
      title: 'Add a product',
      tags: ['products'],
      public: true,
      input: { body: NewProduct },
      output: ProductShape,
      status: 201,
    },
    async (ctx) => {
      const { sku } = ctx.input.body;
      if (await model(db, Product).where(product.sku.eq(sku)).exists()) {
        throw fwError(SHOP_ERRORS.FW_SHOP_TAKEN, { field: 'sku', value: sku });
      }
      return model(db, Product).create(ctx.input.body);
    },
  );

  router.patch(
    '/api/products/:id',
    {
      title: 'Change a product',
      tags: ['products'],
      public: true,
      input: { params: ProductId, body: ProductChange },
      output: ProductShape,
    },
    async (ctx) => {
      const row = await productOf(ctx.input.params.id);
      await model(db, Product).save(Object.assign(row, ctx.input.body));
      return row;
    },
  );
});
