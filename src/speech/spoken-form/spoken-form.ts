import { foldToAscii } from './fold-to-ascii.js';

export function toSpokenForm(written: string): string {
  return foldToAscii(written);
}
