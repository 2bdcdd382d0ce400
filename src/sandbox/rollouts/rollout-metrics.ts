import type { RolloutDesk } from '../../rollouts/index.js';
import type { MetricRegistry } from '../http/metrics/registry.js';

/** In seconds: from a text episode with a scripted model to the longest that a day allows. */
const SECONDS_BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** What a desk counts, in the sandbox's registry. */
export function addRolloutMetrics(registry: MetricRegistry, desk: RolloutDesk): void {
  const ended = registry.counter({
    name: 'parlor_rollouts_total',
    help: 'Rollouts that are over, by state: done, invalid, cancelled.',
  });
  const refused = registry.counter({
    name: 'parlor_refused_rollouts_total',
    help: 'Posts of rollouts that were not taken, by HTTP status.',
  });
  const callbacks = registry.counter({
    name: 'parlor_rollout_callbacks_total',
    help: 'Rewards that were delivered, or given up.',
  });
  const seconds = registry.histogram(
    { name: 'parlor_rollout_seconds', help: 'A rollout from its start to its reward.' },
    SECONDS_BOUNDS,
  );
  desk.observe({
    ended: ({ state, result }) => {
      ended.add({ state });
      if (state === 'done' && result !== null) seconds.observe(result.seconds);
    },
    refused: (status) => refused.add({ status: String(status) }),
    callback: (outcome) => callbacks.add({ outcome }),
  });
  const gauge = (name: string, help: string, read: () => number): void =>
    registry.reading({ name, help }, 'gauge', read);
  gauge('parlor_running_rollouts', 'Rollouts that are played.', () => desk.counts.running);
  gauge('parlor_queued_rollouts', 'Rollouts that wait for their turn.', () => desk.counts.queued);
  gauge(
    'parlor_undelivered_rewards',
    'Rollouts that are over and whose trainer has not been told.',
    () => desk.counts.undelivered,
  );
}
