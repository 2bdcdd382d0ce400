/**
 * When the customer speaks, in milliseconds of the call. The first seven are tau-voice's (tau2-bench, full-duplex user
 * simulator); so are the times of backchannels. What ends a call is ours: tau-voice lets it run to its limit.
 */
export interface TurnRules {
  /** Silence of the agent after which the customer answers. */
  readonly waitForOtherMs: number;
  /** Silence after the customer's own words before it checks in. */
  readonly waitAfterSelfMs: number;
  /** Of both talking, when the agent broke in, before the customer stops. */
  readonly yieldWhenInterruptedMs: number;
  /** The same when the customer broke in. */
  readonly yieldWhenInterruptingMs: number;
  /** How often the customer thinks about breaking in while the agent talks. */
  readonly interruptCheckMs: number;
  /** Shorter silences are pauses within the agent's talk. */
  readonly integrationMs: number;
  readonly backchannel: BackchannelRules | null;
  /** Chance of breaking in at each check; 0: never. */
  readonly interruptChance: number;
  /** In one call; and never twice in a row, so that every question can be heard to its end. */
  readonly mostInterruptions: number;
  /** Check-ins in one silence; after the next wait the customer hangs up. */
  readonly mostCheckIns: number;
  /** Utterances in a row that the agent talks down before the customer hangs up. */
  readonly mostCutInRow: number;
  /** The customer hangs up on an agent that talks so long without a pause. */
  readonly monologueMs: number;
  /** The customer hangs up when the call has lasted so long. */
  readonly callMs: number;
}

/** Poisson: at this rate, though not before `minMs` and surely by `maxMs`, of the agent's talk or since the last one. */
interface BackchannelRules {
  readonly minMs: number;
  readonly maxMs: number;
  readonly perSecond: number;
}

const PATIENT: TurnRules = {
  waitForOtherMs: 1_000,
  waitAfterSelfMs: 5_000,
  yieldWhenInterruptedMs: 1_000,
  yieldWhenInterruptingMs: 5_000,
  interruptCheckMs: 2_000,
  integrationMs: 500,
  backchannel: null,
  interruptChance: 0,
  mostInterruptions: 0,
  mostCheckIns: 2,
  mostCutInRow: 4,
  monologueMs: 180_000,
  callMs: 1_200_000,
};

const ATTENTIVE: TurnRules = {
  ...PATIENT,
  backchannel: { minMs: 3_000, maxMs: 12_000, perSecond: 0.1 },
};

const LIVELY: TurnRules = { ...ATTENTIVE, interruptChance: 0.15, mostInterruptions: 3 };

/** The customer's manners by name; `half-duplex`, one after the other without a clock, has none. */
export const TURN_TAKING_PRESETS: Readonly<Record<'patient' | 'attentive' | 'lively', TurnRules>> = {
  patient: PATIENT,
  attentive: ATTENTIVE,
  lively: LIVELY,
};
