/** Hears whether somebody speaks. Several streams of one detector do not disturb one another. */
export interface VoiceDetector {
  /** Name and version, for the record. */
  readonly name: string;
  /** A stream at this sample rate, 8000 to 48000 Hz; other rates than the detector's own are converted. */
  open(sampleRateHz: number): VoiceStream;
  /** Safe twice. */
  close(): Promise<void>;
}

export interface VoiceStream {
  /** Length of the frames that are judged. */
  readonly frameMs: number;
  /** Takes the next samples, of any number, and gives the probability of voice (0 to 1) of each frame that they complete. */
  push(samples: Int16Array): Promise<readonly number[]>;
  /** The last frames; what is not a whole frame is filled up with silence. The stream is used up. */
  end(): Promise<readonly number[]>;
}
