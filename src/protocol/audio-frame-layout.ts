/** One field of the header of a binary frame. All numbers are unsigned and little-endian. */
export interface AudioFrameField {
  readonly name: string;
  /** First byte. */
  readonly offset: number;
  readonly type: 'u8' | 'u32';
  /** Always this value. */
  readonly const?: number;
  readonly description: string;
}

/** The header as data, for the documents that are made from the schemas. A test compares it with `encodeAudioFrame`. */
export const AUDIO_FRAME_FIELDS: readonly AudioFrameField[] = [
  { name: 'magic', offset: 0, type: 'u8', const: 0x50, description: '"P"' },
  { name: 'version', offset: 1, type: 'u8', const: 1, description: 'Version of the header' },
  { name: 'kind', offset: 2, type: 'u8', description: '1: audio of the customer; 2: audio of the agent' },
  { name: 'reserved', offset: 3, type: 'u8', const: 0, description: 'For later' },
  {
    ...{ name: 'seq', offset: 4, type: 'u32' },
    description: "The session's counter, shared with the text events; 0 from the agent",
  },
  {
    ...{ name: 'utterance', offset: 8, type: 'u32' },
    description: 'As in `customer.start`; from the agent: `speech`',
  },
  {
    ...{ name: 'sampleOffset', offset: 12, type: 'u32' },
    description: "Samples before this frame: of the episode's stream; from the agent, of the speech",
  },
];

/** What follows the header. */
export const AUDIO_FRAME_BODY =
  'At least one sample, mono, in the negotiated encoding: PCM16 little-endian, or one µ-law byte each';
