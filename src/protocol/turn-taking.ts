import { z } from 'zod';

/** How the customer takes turns in speech. All but `half-duplex` run on the call's clock. */
export const turnTakingSchema = z
  .enum(['half-duplex', 'patient', 'attentive', 'lively'])
  .describe(
    '`half-duplex`: one after the other; `patient`: yields, and checks in after silence; `attentive`: says "mm-hmm", too; `lively`: breaks in as well',
  );
export type TurnTaking = z.infer<typeof turnTakingSchema>;

/** What the customer says beside its lines. */
export const asideSchema = z
  .enum(['check_in', 'backchannel', 'interruption'])
  .describe(
    '`check_in`: is anybody there? `backchannel`: a sign of listening, which takes no turn; `interruption`: breaks into speech that is still being sent; the line itself follows when the message has come',
  );
export type Aside = z.infer<typeof asideSchema>;

/** Longer silences, and agents that take longer to fall silent, are taken for this. */
export const MAX_CALL_MS = 600_000;
