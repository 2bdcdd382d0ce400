import type { ToolCall } from '../../../retail/index.js';
import { type Deed, deedOf } from '../reading/deeds.js';
import { announcements, proposals, vagueRequest } from './announcements.js';
import { type Conflict, conflictsBetween } from './conflict.js';
import { sameCall } from './gold.js';
import { describeCall, type Finding, orderOf, outstandingOf, type Story } from './story.js';

function describeConflict({ slot, wrong, right }: Conflict): string {
  if (wrong === null) return `leaves out ${slot} ${right}`;
  return right === null ? `${slot} ${wrong} does not belong there` : `${slot} ${wrong} instead of ${right}`;
}

interface WrongCall {
  readonly index: number;
  readonly call: ToolCall;
  readonly deed: Deed;
  readonly gold: ToolCall;
}

/** The call and every message that led up to it, each major: the first of them is the commitment. */
function wrongCommitments(story: Story, { index, call, deed, gold }: WrongCall): Finding[] {
  const conflicts = conflictsBetween(call, gold);
  const said = conflicts.flatMap((conflict) =>
    announcements(story, { call, deed, conflict }, index).map(
      (place): Finding => ({
        index: place,
        weight: 'major',
        reason: `commits to a wrong ${describeCall(gold)}: ${describeConflict(conflict)}`,
      }),
    ),
  );
  const reason = `wrong ${describeCall(call)}: ${conflicts.map(describeConflict).join('; ')}`;
  const vague = said.length === 0 ? vagueRequest(story, { call, deed }, index) : -1;
  if (vague >= 0)
    said.push({ index: vague, weight: 'major', reason: `asks for a yes without saying to what: ${reason}` });
  return [...said, { index, weight: 'major', reason }];
}

function needlessWrite(story: Story, index: number, call: ToolCall, deed: Deed): Finding[] {
  const reason = `${describeCall(call)} is no part of what had to be done`;
  // What was said before a right write of the same kind was said about that one.
  const rightOne = story.writes.findLast(
    (write) =>
      write.index < index &&
      write.deed === deed &&
      orderOf(write.turn.call) === orderOf(call) &&
      story.matching.of.get(write.turn)?.equal === true,
  );
  return [
    ...proposals(story, { call, deed }, { after: rightOne?.index ?? -1, before: index }).map(
      (place): Finding => ({ index: place, weight: 'major', reason: `proposes it: ${reason}` }),
    ),
    { index, weight: 'major', reason },
  ];
}

/** Successful writes that the ground truth does not hold. */
export function checkWrites(story: Story): Finding[] {
  return story.writes.flatMap(({ index, turn, deed }): Finding[] => {
    const match = story.matching.of.get(turn);
    if (match === undefined || match.equal) return [];
    if (story.databaseRight)
      return [
        {
          ...{ index, weight: 'minor' },
          reason: `${describeCall(turn.call)} is not as in the ground truth, to the same effect`,
        },
      ];
    const mended = story.writes.some(
      (later) =>
        later.index > index &&
        later.turn.call.name === turn.call.name &&
        orderOf(later.turn.call) === orderOf(turn.call) &&
        story.matching.of.get(later.turn)?.equal === true,
    );
    if (mended)
      return [{ index, weight: 'minor', reason: `wrong ${describeCall(turn.call)}, put right later` }];
    if (match.gold === null) return needlessWrite(story, index, turn.call, deed);
    return wrongCommitments(story, { index, call: turn.call, deed, gold: match.gold });
  });
}

/** Writes that were refused: slips where the right one was made in the end, else commitments like those that went through. */
export function checkRefusedWrites(story: Story): Finding[] {
  const outstanding = outstandingOf(story);
  return story.turns.flatMap((turn, index): Finding[] => {
    if (turn.kind !== 'call' || turn.ok !== false) return [];
    const deed = deedOf(turn.call.name);
    if (deed === null || story.goldWrites.some((gold) => sameCall(gold, turn.call))) return [];
    const slip: Finding = { index, weight: 'minor', reason: `${describeCall(turn.call)} was refused` };
    const gold =
      outstanding.find((call) => call.name === turn.call.name && orderOf(call) === orderOf(turn.call)) ??
      outstanding.find((call) => call.name === turn.call.name);
    if (gold === undefined) return [slip];
    return wrongCommitments(story, { index, call: turn.call, deed, gold });
  });
}
