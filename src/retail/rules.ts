import type { RuleSet } from './world.js';

/**
 * Where the three rule sets differ, one flag per decision. `tau1` and `tau2` are as the reference implementations
 * behave; `parlor` is what a careful shop would do. docs/decisions/retail-rules.md gives the reasons.
 */
export interface Rules {
  readonly hasThink: boolean;
  readonly hasItemDetails: boolean;
  /** Address and payment of an order whose items were modified may still change. */
  readonly modifiedOrderStaysOpen: boolean;
  /** A return or exchange or modification of no items at all is accepted. */
  readonly allowsNoItems: boolean;
  readonly allowsSameItemExchange: boolean;
  readonly allowsSameItemModification: boolean;
  /** Cancelling refunds every entry of the payment history, refunds included; else what each method paid in net. */
  readonly refundsEveryEntry: boolean;
  /** Prices are summed as doubles before they are compared with a balance or with zero, as the references do. */
  readonly sumsDoubles: boolean;
  /** The old and the new items of an exchange are sorted apart, so that it is lost which becomes which. */
  readonly losesExchangePairs: boolean;
  /** Items are replaced one after another, and the next one is looked for among those already replaced. */
  readonly replacesInSequence: boolean;
  /** A modification at no difference in price still writes a refund entry of nothing. */
  readonly recordsZeroDifference: boolean;
  /** Address fields other than the second line may be empty. */
  readonly allowsEmptyAddress: boolean;
  /** Whether the conversation was handed to a person belongs to the end state that the verifier compares. */
  readonly transferIsEndState: boolean;
}

const TAU2: Rules = {
  hasThink: false,
  hasItemDetails: true,
  modifiedOrderStaysOpen: true,
  allowsNoItems: true,
  allowsSameItemExchange: true,
  allowsSameItemModification: false,
  refundsEveryEntry: true,
  sumsDoubles: true,
  losesExchangePairs: true,
  replacesInSequence: true,
  recordsZeroDifference: true,
  allowsEmptyAddress: true,
  transferIsEndState: false,
};

const RULES: Readonly<Record<RuleSet, Rules>> = {
  tau2: TAU2,
  tau1: {
    ...TAU2,
    hasThink: true,
    hasItemDetails: false,
    modifiedOrderStaysOpen: false,
    allowsSameItemModification: true,
  },
  parlor: {
    hasThink: true,
    hasItemDetails: true,
    modifiedOrderStaysOpen: true,
    allowsNoItems: false,
    allowsSameItemExchange: false,
    allowsSameItemModification: false,
    refundsEveryEntry: false,
    sumsDoubles: false,
    losesExchangePairs: false,
    replacesInSequence: false,
    recordsZeroDifference: false,
    allowsEmptyAddress: false,
    transferIsEndState: true,
  },
};

export function rulesOf(ruleSet: RuleSet): Rules {
  return RULES[ruleSet];
}
