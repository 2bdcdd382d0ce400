import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clip } from '../../../src/speech/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';

const PROGRAM = 'pocketsphinx_batch';
const MODEL = '/usr/share/pocketsphinx/model/en-us';

/** Why nobody can listen here; null if somebody can. */
export const noPocketsphinx: string | null =
  spawnSync(PROGRAM, [], { stdio: 'ignore' }).error === undefined && existsSync(join(MODEL, 'en-us.lm.bin'))
    ? null
    : 'pocketsphinx is not here: apt-get install pocketsphinx pocketsphinx-en-us';

/**
 * What pocketsphinx hears in each clip of 16 kHz, with its stock model of American English and all its words. One decoder hears all
 * clips, in order: the mean of the spectrum, which it learns as it goes, is then that of the voice. Its quick settings: one pass of three.
 */
export function hearAll(clips: readonly Clip[]): string[] {
  const folder = temporaryFolder();
  clips.forEach(({ samples }, i) => {
    writeFileSync(
      join(folder, `${i}.raw`),
      new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
    );
  });
  writeFileSync(join(folder, 'ctl'), clips.map((_, i) => `${i}\n`).join(''));
  const settings = {
    ...{ hmm: join(MODEL, 'en-us'), lm: join(MODEL, 'en-us.lm.bin') },
    ...{ dict: join(MODEL, 'cmudict-en-us.dict'), cepdir: folder, cepext: '.raw', adcin: 'yes' },
    ...{ ctl: join(folder, 'ctl'), hyp: join(folder, 'hyp'), logfn: '/dev/null' },
    ...{ fwdflat: 'no', bestpath: 'no', maxhmmpf: '3000', maxwpf: '20', pl_window: '5' },
  };
  const { status } = spawnSync(
    PROGRAM,
    Object.entries(settings).flatMap(([name, value]) => [`-${name}`, value]),
    { stdio: 'ignore' },
  );
  if (status !== 0) throw new Error(`${PROGRAM} ended with ${status}`);
  // "the words (7 -9496)": the clip's name and a score come last.
  const lines = readFileSync(join(folder, 'hyp'), 'utf8').trimEnd().split('\n');
  if (lines.length !== clips.length)
    throw new Error(`${PROGRAM} heard ${lines.length} of ${clips.length} clips`);
  return lines.map((line) => line.replace(/\s*\(\d+ -?\d+\)$/, ''));
}
