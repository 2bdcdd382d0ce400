import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseRewardTable, REWARD_TABLES, RewardFileError, type RewardTable } from '../../scoring/index.js';
import { describeError } from '../../shared/index.js';
import type { Terminal } from '../terminal.js';

/** @param name v5, v6 or a file. @throws RewardFileError */
export async function loadRewards(name: string, terminal: Terminal): Promise<RewardTable> {
  if (name === 'v5' || name === 'v6') return REWARD_TABLES[name];
  let text: string;
  try {
    text = await readFile(resolve(terminal.cwd, name), 'utf8');
  } catch (cause) {
    throw new RewardFileError(
      `cannot read the reward file ${name}: ${describeError(cause)}; give v5, v6 or a file that "parlor calibrate --out" wrote`,
      { cause },
    );
  }
  return parseRewardTable(text, name);
}
