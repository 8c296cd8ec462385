import { fwError, Type } from 'fw';
import { routes } from 'fw/http';
import { Database, model } from 'fw/orm';
import { customer } from '../../../../generated/customer.js';
import { SHOP_ERRORS } from '../errors.js';
import { Customer } from '../models/customer.js';

const CustomerId = Type.Object({ id: Type.Integer({ minimum: 1, description: 'Id of the customer' }) });

const NewCustomer = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  email: Type.String({ format: 'email' }),
});

const CustomerChange = Type.Partial(NewCustomer);

const CustomerShape = Type.Object({ id: Type.Integer(), name: Type.String(), email: Type.String() });

// The shop has no accounts of customers: what is not the owner's alone is for everybody, and each route says so.
export default routes((router, services) => {
  const db = services.get(Database);

  async function customerOf(id: number) {
    const [row] = await model(db, Customer).where(customer.id.eq(id)).limit(1).find();
    if (!row) throw fwError(SHOP_ERRORS.FW_SHOP_NOT_FOUND, { what: 'customer', id });
    return row;
  }

  router.get(
    '/api/customers',
    { title: 'List customers', tags: ['customers'], public: true, output: Type.Array(CustomerShape) },
    async () => model(db, Customer).orderBy(customer.id.asc()).limit(100).find(),
  );

  router.get(
    '/api/customers/:id',
    {
      title: 'Read a customer',
      tags: ['customers'],
      public: true,
      input: { params: CustomerId },
      output: CustomerShape,
    },
    async (ctx) => customerOf(ctx.input.params.id),
  );

  router.post(
    '/api/customers',
    {
      title: 'Add a customer',
      tags: ['customers'],
      public: true,
      input: { body: NewCustomer },
      output: CustomerShape,
      status: 201,
    },
    async (ctx) => {
      const { email } = ctx.input.body;
      if (await model(db, Customer).where(customer.email.eq(email)).exists()) {
        throw fwError(SHOP_ERRORS.FW_SHOP_TAKEN, { field: 'email', value: email });
      }
      return model(db, Customer).create(ctx.input.body);
    },
  );

  router.patch(
    '/api/customers/:id',
    {
      title: 'Change a customer',
      tags: ['customers'],
      public: true,
      input: { params: CustomerId, body: CustomerChange },
      output: CustomerShape,
    },
    async (ctx) => {
      const row = await customerOf(ctx.input.params.id);
      await model(db, Customer).save(Object.assign(row, ctx.input.body));
      return row;
    },
  );
});
