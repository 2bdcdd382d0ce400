import { describe, expect, it } from 'vitest';
import { Candidates } from '../../../src/agents/cascade/dialogue/candidates.js';

const name = (first_name: string, last_name: string, zip = '87105') => ({
  name: 'find_user_id_by_name_zip',
  arguments: { first_name, last_name, zip },
});
const email = (address: string) => ({ name: 'find_user_id_by_email', arguments: { email: address } });

describe('who may be calling', () => {
  it('is looked up guess by guess, the likeliest first, each once and not too many after one answer', () => {
    const candidates = new Candidates();
    const guesses = ['Foster', 'Costa', 'Thompson', 'Castillo', 'Castro', 'Foster'];
    candidates.hear(guesses.map((last) => `my name is Ruth ${last}. my zip code is 87105.`));
    expect(candidates.take()).toEqual(guesses.slice(0, 4).map((last) => name('Ruth', last)));
    expect(candidates.take()).toEqual([name('Ruth', 'Castro')]);
    expect(candidates.take()).toEqual([]);
  });

  it('is the likelier, the more often it was heard', () => {
    const candidates = new Candidates();
    const heard = (...lasts: string[]) =>
      candidates.hear(lasts.map((last) => `my name is Ruth ${last}. my zip code is 87105.`));
    heard('Foster', 'Thompson', 'Castillo', 'Castro', 'Cox', 'Costa');
    candidates.take();
    heard('Costa', 'Foster');
    expect(candidates.take()[0]).toEqual(name('Ruth', 'Costa'));
  });

  it('has one address of mail first, then names with a zip code, then other addresses', () => {
    const candidates = new Candidates();
    candidates.hear(["it's sharon.keller4591@example.org.", "it's aaron.keller4591@example.org."]);
    expect(candidates.take()).toEqual([
      email('sharon.keller4591@example.org'),
      email('aaron.keller4591@example.org'),
    ]);
    candidates.hear(['my name is Erin Keller. and the zip code is 02172.', 'my name is Aaron Keller.']);
    // A name inside an address counts too, if less.
    expect(candidates.take()).toEqual(
      ['Erin', 'Aaron', 'Sharon'].map((first) => name(first, 'Keller', '02172')),
    );
  });

  it('may be a first name of one hearing with a last name of another', () => {
    const candidates = new Candidates();
    candidates.hear(["it's tariq.wu3805@example.com.", "it's kelly.wu3805@example.com."]);
    candidates.take();
    candidates.hear(['my name is Ali Gupta. and the zip code is 20050.']);
    candidates.take();
    candidates.hear(['my name is Ali Gupta. and the zip code is 20050.']);
    expect(candidates.take()).toContainEqual(name('Tariq', 'Gupta', '20050'));
  });

  it('has one address at most, and the best, where no address holds a name', () => {
    const candidates = new Candidates();
    candidates.hear(["it's new1384@example.org.", "it's what384@example.org.", "it's greta84@example.org."]);
    expect(candidates.take()).toEqual([email('new1384@example.org')]);
  });

  it('is given up before a sandbox ends the episode for too many that find nobody', () => {
    const candidates = new Candidates();
    let calls = 0;
    for (let turn = 0; turn < 5; turn += 1) {
      candidates.hear(
        ['Adams', 'Baker', 'Clark', 'Davis', 'Evans'].map(
          (last) => `my name is Ruth ${last}. my zip code is 8710${turn}.`,
        ),
      );
      calls += candidates.take().length;
    }
    expect(calls).toBe(8);
  });

  it('has a name that is known, where a guess holds one', () => {
    const candidates = new Candidates();
    const lasts = ['ruth plastic', 'Ruth Foster', 'erin plastic', 'Ruth Costa'];
    candidates.hear(lasts.map((full) => `my name is ${full}. my zip code is 87105`));
    expect(candidates.take()).toEqual([name('Ruth', 'Foster'), name('Ruth', 'Costa')]);
  });

  it('nobody, where nothing was understood', () => {
    const candidates = new Candidates();
    candidates.hear(['jar marta as. zip code 48243', '']);
    expect(candidates.take()).toEqual([]);
  });
});
