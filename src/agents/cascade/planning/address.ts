import { addressLine, findAddress } from '../reading/find-address.js';
import { findOrders } from '../reading/find-orders.js';
import { ask, notYours, type Planner, wrongStatus } from './step.js';

export const planOrderAddress: Planner = (request, { shop, lastAddress }) => {
  const found = findOrders(request, shop, ['pending']);
  if (found.kind === 'foreign') return notYours(found.id);
  const [order] = found.kind === 'orders' ? found.orders : [];
  if (order === undefined) return ask('order');
  if (order.status !== 'pending') return wrongStatus(order, 'sent to another address');
  const address = findAddress(request, shop, lastAddress);
  if (address === null) return ask('address');
  const line = addressLine(address);
  return {
    kind: 'write',
    calls: [{ name: 'modify_pending_order_address', arguments: { order_id: order.order_id, ...address } }],
    plan: `change the shipping address of order ${order.order_id} to ${line}`,
    report: `The shipping address of order ${order.order_id} has been changed to ${line}.`,
  };
};

export const planProfileAddress: Planner = (request, { shop, lastAddress }) => {
  const address = findAddress(request, shop, lastAddress);
  if (address === null || shop.user === null) return ask('address');
  const line = addressLine(address);
  return {
    kind: 'write',
    calls: [{ name: 'modify_user_address', arguments: { user_id: shop.user.user_id, ...address } }],
    plan: `change the default address in your profile to ${line}`,
    report: `The default address in your profile has been changed to ${line}.`,
  };
};
