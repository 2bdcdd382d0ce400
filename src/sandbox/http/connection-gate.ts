import { HttpError } from './http-error.js';

export interface ConnectionLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
}

/** Counts WebSockets, in all and by address. */
export class ConnectionGate {
  readonly #limits: ConnectionLimits;
  readonly #byAddress = new Map<string, number>();
  #total = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** Why one more is too many, or null. */
  refuse(address: string): HttpError | null {
    const { maxConnections, maxConnectionsPerAddress } = this.#limits;
    if (this.#total >= maxConnections)
      return new HttpError(503, `at most ${maxConnections} connections`, { 'retry-after': '5' });
    if ((this.#byAddress.get(address) ?? 0) >= maxConnectionsPerAddress)
      return new HttpError(429, `at most ${maxConnectionsPerAddress} connections from one address`, {
        'retry-after': '5',
      });
    return null;
  }

  /** Takes a place; the returned function gives it back and is safe twice. */
  enter(address: string): () => void {
    this.#total += 1;
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#total -= 1;
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, left);
    };
  }
}
