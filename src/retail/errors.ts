import { ParlorError } from '../shared/index.js';

/** Why a tool call was refused. For the model: the text says what came, what was expected and what to try. */
export type ToolErrorCode =
  | 'unknown-tool'
  | 'invalid-arguments'
  | 'user-not-found'
  | 'order-not-found'
  | 'product-not-found'
  | 'item-not-found'
  | 'payment-method-not-found'
  | 'order-not-pending'
  | 'order-not-delivered'
  | 'invalid-reason'
  | 'invalid-address'
  | 'item-not-in-order'
  | 'item-lists-differ'
  | 'no-items'
  | 'same-item'
  | 'variant-not-found'
  | 'variant-unavailable'
  | 'insufficient-gift-card-balance'
  | 'payment-already-changed'
  | 'same-payment-method'
  | 'refund-method-not-allowed'
  | 'invalid-expression';

/** Thrown inside a tool, before anything changed, and turned into a result there: it never leaves the session. */
export class ToolError extends ParlorError {
  override readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string) {
    super(code, message);
    this.code = code;
  }
}
