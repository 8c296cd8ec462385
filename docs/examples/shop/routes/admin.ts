import { createHash, timingSafeEqual } from 'node:crypto';
import { fwError, Type } from 'fw';
import { routes } from 'fw/http';
import { generateJWT } from 'fw/middleware/jwt';
import { Database, model } from 'fw/orm';
import { product } from '../../../../generated/product.js';
import { SHOP_ERRORS } from '../errors.js';
import { Customer } from '../models/customer.js';
import { Order } from '../models/order.js';
import { Product } from '../models/product.js';

const LOW_STOCK = 10;

const Login = Type.Object({ password: Type.String({ minLength: 1, maxLength: 200 }) });

const Token = Type.Object({ token: Type.String({ description: 'Send it as Authorization: Bearer <token>' }) });

const Summary = Type.Object({
  customers: Type.Integer(),
  products: Type.Integer(),
  orders: Type.Integer(),
  lowStock: Type.Array(Type.Object({ sku: Type.String(), stock: Type.Integer() })),
});

/** What the routes of the shop's owner need to know. */
export interface AdminOptions {
  readonly adminPassword: string;
  readonly accessSecret: string;
}

/** Routes of the shop's owner: closed to everybody without the role, but for the login. */
export const adminRoutes = ({ adminPassword, accessSecret }: AdminOptions) =>
  routes((router, services) => {
    const db = services.get(Database);

    router.group('/api/admin', { tags: ['admin'], roles: ['admin'] }, (group) => {
      group.post(
        '/login',
        { title: 'Get a token', public: true, input: { body: Login }, output: Token },
        async (ctx) => {
          if (!sameText(ctx.input.body.password, adminPassword)) throw fwError(SHOP_ERRORS.FW_SHOP_PASSWORD, {});
          return { token: await generateJWT(accessSecret, { sub: 'owner', role: 'admin' }, '1h') };
        },
      );

      group.get('/summary', { title: 'Numbers of the shop', output: Summary }, async () => {
        const [customers, products, orders, low] = await Promise.all([
          model(db, Customer).count(),
          model(db, Product).count(),
          model(db, Order).count(),
          model(db, Product).where(product.stock.lt(LOW_STOCK)).orderBy(product.stock.asc()).find(),
        ]);
        return { customers, products, orders, lowStock: low.map(({ sku, stock }) => ({ sku, stock })) };
      });
    });
  }, 'admin');

// Digests have one length, so that the comparison tells nothing about the password, not even how long it is.
function sameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
