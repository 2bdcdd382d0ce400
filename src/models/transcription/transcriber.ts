/** Speech to text. */
export interface Transcriber {
  /** Model and server, for records. */
  readonly name: string;
  /** A mono WAV file → what is said in it; an empty text: nothing is. Rejects with `TranscriptionError`. */
  transcribe(wav: Uint8Array, signal: AbortSignal): Promise<string>;
}
