import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConditionsError, findConditions } from '../../../src/audio/index.js';
import { loadConditions } from '../../../src/cli/running/load-conditions.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';

describe('--conditions', () => {
  it('takes the name of a preset', async () => {
    expect(await loadConditions('regular', '/')).toEqual(findConditions('regular'));
    await expect(loadConditions('noisy', '/')).rejects.toThrow('there are clean, control, regular');
  });

  it('takes a file, and says what is wrong with it', async () => {
    const folder = temporaryFolder();
    const write = (text: string): void => writeFileSync(join(folder, 'mine.json'), text);
    write(JSON.stringify({ name: 'mine', clipping: { driveDb: 6 } }));
    expect((await loadConditions('mine.json', folder)).clipping).toEqual({ driveDb: 6 });
    for (const text of ['{', '{"name":"mine","clipping":{"driveDb":600}}', '[]', ' '.repeat(1_000_001)]) {
      write(text);
      await expect(loadConditions('mine.json', folder)).rejects.toThrow(ConditionsError);
    }
    await expect(loadConditions('gone.json', folder)).rejects.toThrow(
      'cannot read the conditions in gone.json',
    );
  });
});
