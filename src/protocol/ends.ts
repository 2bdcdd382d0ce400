import { z } from 'zod';

export const endReasonSchema = z.enum([
  'customer_stop',
  'transfer',
  'agent_stop',
  'turn_limit',
  'error_limit',
  'context_limit',
  'agent_failed',
  'agent_unavailable',
  'agent_timeout',
  'agent_disconnected',
  'customer_gave_up',
  'customer_failed',
  'platform_failed',
  'shutdown',
]);
export type EndReason = z.infer<typeof endReasonSchema>;

export const endOwnerSchema = z.enum(['agent', 'user', 'platform']);
export type EndOwner = z.infer<typeof endOwnerSchema>;

/** Who brought the end about; platform ends are run again, agent and user ends stay in the denominator. */
export const END_OWNERS: Readonly<Record<EndReason, EndOwner>> = {
  customer_stop: 'user',
  transfer: 'agent',
  agent_stop: 'agent',
  turn_limit: 'agent',
  error_limit: 'agent',
  context_limit: 'agent',
  agent_failed: 'agent',
  agent_unavailable: 'platform',
  agent_timeout: 'agent',
  agent_disconnected: 'agent',
  customer_gave_up: 'agent',
  customer_failed: 'user',
  platform_failed: 'platform',
  shutdown: 'platform',
};
