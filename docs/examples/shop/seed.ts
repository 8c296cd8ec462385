import { type DatabaseHandle, model, transaction } from 'fw/orm';
import { Customer } from './models/customer.js';
import { Product } from './models/product.js';

const PRODUCTS = [
  { sku: 'TEA-001', name: 'Green tea, 100 g', priceCents: 690, stock: 120 },
  { sku: 'TEA-002', name: 'Earl Grey, 100 g', priceCents: 590, stock: 80 },
  { sku: 'CUP-001', name: 'Porcelain cup', priceCents: 1450, stock: 24 },
  { sku: 'POT-001', name: 'Cast iron teapot', priceCents: 4900, stock: 6 },
];

const CUSTOMERS = [
  { name: 'Ada Lovelace', email: 'ada@example.com' },
  { name: 'Alan Turing', email: 'alan@example.com' },
];

/** Fills an empty shop. @returns how many products were added; 0 when there were some */
export async function seedOnFirstRun(db: DatabaseHandle): Promise<number> {
  if (await model(db, Product).exists()) return 0;
  await transaction.run(db, null, null, async (tx) => {
    await model(tx, Product).createBatch(PRODUCTS);
    await model(tx, Customer).createBatch(CUSTOMERS);
  });
  return PRODUCTS.length;
}
