import type { FloorHolder } from './turn-sequencer.js';

/** What somebody who counts may learn of a running session: how long and how often, never what was said. */
export type SessionMeasurement =
  /** Somebody gave the floor away after so long. */
  | { readonly type: 'floor'; readonly holder: FloorHolder; readonly ms: number }
  /** From the moment a line is to be spoken until its first sound can be sent; the same as `speech` where lines go out whole. */
  | { readonly type: 'first_audio'; readonly ms: number }
  /** The voice has spoken one line, or taken it from its cache. */
  | { readonly type: 'speech'; readonly ms: number }
  | {
      readonly type: 'tool';
      readonly name: string;
      readonly status: 'result' | 'error' | 'failed';
      readonly ms: number;
    }
  | { readonly type: 'refused'; readonly code: string };

export type Measure = (measurement: SessionMeasurement) => void;
