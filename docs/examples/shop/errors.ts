import { defineErrors } from 'fw';

export const SHOP_ERRORS = defineErrors('shop', {
  FW_SHOP_NOT_FOUND: {
    message: 'There is no {what} with the id {id}.',
    status: 404,
    cause: 'The id in the path belongs to nothing.',
    remedy: 'List what exists, and use one of its ids.',
  },
  FW_SHOP_OUT_OF_STOCK: {
    message: 'Only {stock} of {sku} are left, {wanted} were ordered.',
    status: 409,
    cause: 'An order asks for more than there is.',
    remedy: 'Order less, or wait for new stock.',
  },
  FW_SHOP_PASSWORD: {
    message: 'That is not the password of the shop.',
    status: 401,
    cause: 'The password of the login does not match.',
    remedy: 'Use the value of SHOP_ADMIN_PASSWORD.',
  },
  FW_SHOP_TAKEN: {
    message: 'The {field} {value} is taken.',
    status: 409,
    cause: 'Another row has the same unique value.',
    remedy: 'Choose another value.',
  },
});
