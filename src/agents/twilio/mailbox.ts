/** Everything that happens to one call, in the order in which it happens. One reader. */
export interface Mailbox<T> {
  push(item: T): void;
  next(): Promise<T>;
}

export function createMailbox<T>(): Mailbox<T> {
  const waiting: T[] = [];
  let reader: ((item: T) => void) | null = null;
  return {
    push: (item) => {
      if (reader === null) waiting.push(item);
      else reader(item);
      reader = null;
    },
    next: () =>
      new Promise((resolve) => {
        const item = waiting.shift();
        if (item === undefined) reader = resolve;
        else resolve(item);
      }),
  };
}
