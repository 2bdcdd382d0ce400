/** A product type before it has ids: every combination of its option values could be a variant. */
export interface ProductSpec {
  readonly name: string;
  /** Dollars for a variant whose option values all cost nothing extra. */
  readonly basePrice: number;
  /** Option name → its values → dollars on top. No value may contain another of the same option as a word. */
  readonly options: Readonly<Record<string, Readonly<Record<string, number>>>>;
}
