import { ToolError } from '../errors.js';
import { text } from './arguments.js';
import { findOrder, findUser, quote } from './find.js';
import { defineTool } from './tool.js';

const findUserIdByEmail = defineTool({
  name: 'find_user_id_by_email',
  title: 'Find a user by email',
  description: 'Gives the id of the user with this email address. Use it to identify the customer.',
  kind: 'read',
  arguments: {
    email: text('Email address, for example "ada@example.com"; upper and lower case are the same'),
  },
  run: (view, { email }) => {
    const userId = view.userIdByEmail(email);
    if (userId !== undefined) return { value: userId };
    throw new ToolError(
      'user-not-found',
      `no user has the email ${quote(email)}; check its spelling with the customer, or find the user by name and zip code`,
    );
  },
});

const findUserIdByNameZip = defineTool({
  name: 'find_user_id_by_name_zip',
  title: 'Find a user by name and zip code',
  description:
    'Gives the id of the user with this first name, last name and zip code. Use it when the customer cannot give an email address.',
  kind: 'read',
  arguments: {
    first_name: text('First name, for example "Ada"; upper and lower case are the same'),
    last_name: text('Last name, for example "Moreau"; upper and lower case are the same'),
    zip: text('Zip code of the address in the profile, as text, for example "02139"'),
  },
  run: (view, { first_name, last_name, zip }) => {
    const userId = view.userIdByNameAndZip(first_name, last_name, zip);
    if (userId !== undefined) return { value: userId };
    throw new ToolError(
      'user-not-found',
      `no user is called ${quote(`${first_name} ${last_name}`)} with zip code ${quote(zip)}; check the spelling with the customer, or find the user by email`,
    );
  },
});

const getUserDetails = defineTool({
  name: 'get_user_details',
  title: 'Look up a user',
  description: 'Gives the profile of a user: name, address, email, payment methods and order ids.',
  kind: 'read',
  arguments: { user_id: text('Id of the user, for example "ada_moreau_1234"') },
  run: (view, { user_id }) => ({ value: findUser(view, user_id) }),
});

const getOrderDetails = defineTool({
  name: 'get_order_details',
  title: 'Look up an order',
  description: 'Gives the status, items, address, payments and deliveries of an order.',
  kind: 'read',
  arguments: { order_id: text('Id of the order with its leading "#", for example "#W0000000"') },
  run: (view, { order_id }) => ({ value: findOrder(view, order_id) }),
});

const getProductDetails = defineTool({
  name: 'get_product_details',
  title: 'Look up a product',
  description:
    'Gives all variants (items) of a product with their options, prices and whether they are in stock.',
  kind: 'read',
  arguments: { product_id: text('Id of the product; it is not the id of an item') },
  run: (view, { product_id }) => {
    const product = view.product(product_id);
    if (product !== undefined) return { value: product };
    const hint =
      view.variant(product_id) === undefined
        ? 'list_all_product_types gives every product id'
        : 'it is the id of an item, and the order that holds the item names its product';
    throw new ToolError('product-not-found', `no product has the id ${quote(product_id)}; ${hint}`);
  },
});

const getItemDetails = defineTool({
  name: 'get_item_details',
  title: 'Look up an item',
  description: 'Gives one variant of a product: its options, its price and whether it is in stock.',
  kind: 'read',
  arguments: { item_id: text('Id of the item; it is not the id of a product') },
  run: (view, { item_id }) => {
    const variant = view.variant(item_id);
    if (variant !== undefined) return { value: variant };
    const hint =
      view.product(item_id) === undefined
        ? 'get_product_details lists the items of a product'
        : 'it is the id of a product: use get_product_details';
    throw new ToolError('item-not-found', `no item has the id ${quote(item_id)}; ${hint}`);
  },
});

const listAllProductTypes = defineTool({
  name: 'list_all_product_types',
  title: 'List the product types',
  description: 'Gives the name and the product id of every product of the shop.',
  kind: 'read',
  arguments: {},
  run: (view) => ({ value: view.productTypes() }),
});

export const READ_TOOLS = [
  findUserIdByEmail,
  findUserIdByNameZip,
  getUserDetails,
  getOrderDetails,
  getProductDetails,
  getItemDetails,
  listAllProductTypes,
];
