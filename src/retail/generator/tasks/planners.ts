import { planMove, planOrderAddress, planOrderAddressHome, planProfileAddress } from './plans/address.js';
import {
  planAskBalance,
  planAskCheapest,
  planAskDestination,
  planAskDifference,
  planAskPrice,
  planAskSpent,
  planAskStatus,
  planAskTotal,
  planAskTracking,
} from './plans/ask.js';
import { planCancel, planCancelOther, planCancelSeveral } from './plans/cancel.js';
import { planPayment, planShortGiftCard } from './plans/payment.js';
import { planRefuseByStatus, planRefuseOtherCustomer, planRefuseThenAsk } from './plans/refuse.js';
import {
  planExchange,
  planExchangeChanged,
  planModifyItems,
  planModifyItemsChanged,
} from './plans/replace.js';
import { planReturn, planReturnAll, planReturnChanged } from './plans/return.js';
import { planTransferAccount, planTransferOrder } from './plans/transfer.js';
import type { PlanRequest } from './request-plan.js';

/** How often each kind of request leads a task, in shares of the whole. */
export const LEADING: readonly (readonly [share: number, plan: PlanRequest])[] = [
  [5, planCancel],
  [3, planCancelOther],
  [4, planCancelSeveral],
  [7, planReturn],
  [4, planReturnChanged],
  [4, planReturnAll],
  [9, planExchange],
  [4, planExchangeChanged],
  [9, planModifyItems],
  [4, planModifyItemsChanged],
  [6, planPayment],
  [3, planShortGiftCard],
  [6, planOrderAddress],
  [3, planOrderAddressHome],
  [4, planProfileAddress],
  [4, planMove],
  [1, planAskStatus],
  [1, planAskTracking],
  [1, planAskTotal],
  [1, planAskDestination],
  [1, planAskPrice],
  [1, planAskBalance],
  [3, planAskSpent],
  [3, planAskDifference],
  [2, planAskCheapest],
  [6, planRefuseByStatus],
  [9, planRefuseThenAsk],
  [2, planRefuseOtherCustomer],
  [3, planTransferAccount],
  [4, planTransferOrder],
];

/**
 * What can follow the first request of a call, and how readily. Which order is to be cancelled changes only in a call's
 * first request, where identification comes between the wish and any act, so that the change is out in time.
 */
export const FOLLOWING: readonly (readonly [share: number, plan: PlanRequest])[] = [
  [4, planCancel],
  [5, planReturn],
  [2, planReturnChanged],
  [6, planExchange],
  [2, planExchangeChanged],
  [6, planModifyItems],
  [2, planModifyItemsChanged],
  [3, planPayment],
  [3, planOrderAddress],
  [1, planProfileAddress],
  [1, planAskStatus],
  [1, planAskTracking],
  [1, planAskTotal],
  [2, planAskPrice],
  [2, planAskDifference],
  [1, planAskCheapest],
  [2, planRefuseByStatus],
  [1, planTransferAccount],
  [2, planTransferOrder],
];
