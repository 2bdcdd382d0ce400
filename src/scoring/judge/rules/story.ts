import type { EpisodeRecord } from '../../../episodes/index.js';
import { type ToolCall, toolDefinitions } from '../../../retail/index.js';
import { type CallTurn, type EpisodeTurn, openingOf, turnsOf } from '../../turns.js';
import { type MessageReading, readAgentMessage } from '../reading/agent-message.js';
import { type Deed, deedOf } from '../reading/deeds.js';
import { type Facts, gatherFacts } from './facts.js';
import { type GoldMatching, matchWrites } from './gold.js';

/** A successful write, where it stands. */
export interface Write {
  readonly index: number;
  readonly turn: CallTurn;
  readonly deed: Deed;
}

/** An episode, read once for all checks. Indices count turns from 0. */
export interface Story {
  readonly record: EpisodeRecord;
  readonly policy: string;
  readonly turns: readonly EpisodeTurn[];
  /** Per turn; null for calls. */
  readonly messages: readonly (MessageReading | null)[];
  readonly facts: Facts;
  readonly writes: readonly Write[];
  readonly goldWrites: readonly ToolCall[];
  readonly matching: GoldMatching;
  /** The verifier found the right end state: then nothing that was written, or left unwritten, did harm. */
  readonly databaseRight: boolean;
  /** Played in the retail domain, whose words and rules are known here; elsewhere only calls are compared. */
  readonly retail: boolean;
  /** What the customer said before its first answer to the agent. */
  readonly opening: string;
}

/** Something that is wrong with a turn. The first `major` one of an episode is the deviation, all others are slips. */
export interface Finding {
  readonly index: number;
  readonly weight: 'major' | 'minor';
  readonly reason: string;
}

/** Imported outcomes may not tell about the end state; then a success stands for it. */
function endedRight({ outcome }: EpisodeRecord): boolean {
  if (outcome === null) return false;
  return outcome.scores.database === null ? outcome.success : outcome.scores.database === 1;
}

function isRetail({ header, events }: EpisodeRecord): boolean {
  if (header.source !== 'import' || header.imported?.domain === 'retail') return true;
  if (header.imported?.domain != null) return false;
  const known = new Set(toolDefinitions(header.rules).map((tool) => tool.name));
  const isOurs = (name: string): boolean => known.has(name) && deedOf(name) !== null;
  return (
    header.task.groundTruth.some((call) => isOurs(call.name)) ||
    events.some((event) => event.type === 'tool_call' && isOurs(event.name))
  );
}

export function tellStory(record: EpisodeRecord, policy: string): Story {
  const turns = turnsOf(record);
  const writes = turns.flatMap((turn, index): Write[] => {
    const deed = turn.kind === 'call' && turn.ok === true ? deedOf(turn.call.name) : null;
    return turn.kind === 'call' && deed !== null ? [{ index, turn, deed }] : [];
  });
  const goldWrites = record.header.task.groundTruth.filter((call) => deedOf(call.name) !== null);
  return {
    record,
    policy,
    turns,
    messages: turns.map((turn) => (turn.kind === 'message' ? readAgentMessage(turn.text) : null)),
    facts: gatherFacts(turns),
    writes,
    goldWrites,
    matching: matchWrites(
      writes.map((write) => write.turn),
      goldWrites,
    ),
    databaseRight: endedRight(record),
    retail: isRetail(record),
    opening: openingOf(record)?.text ?? '',
  };
}

/** Ground-truth writes that were never made, where that matters. */
export function outstandingOf(story: Story): readonly ToolCall[] {
  return story.databaseRight ? [] : story.matching.outstanding;
}

export function orderOf(call: ToolCall): string | null {
  const id = call.arguments.order_id;
  return typeof id === 'string' ? id : null;
}

/** A call in a few words. */
export function describeCall(call: ToolCall): string {
  const order = orderOf(call);
  return order === null ? call.name : `${call.name} on ${order}`;
}
