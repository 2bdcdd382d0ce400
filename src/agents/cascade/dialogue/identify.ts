import type { Call } from '../planning/step.js';
import { type Identity, readIdentity } from '../reading/identity.js';
import { sentences } from '../reading/words.js';
import type { Shop } from '../shop.js';
import type { Line } from './line.js';
import { identityQuestion } from './lines.js';

const USER_ID = /^[\w.-]+$/;

function look(identity: Identity, tried: Set<string>): Call | null {
  const { email, name, zip } = identity;
  const calls: Call[] = [
    ...(email === null ? [] : [{ name: 'find_user_id_by_email', arguments: { email } }]),
    ...(name === null || zip === null
      ? []
      : [
          {
            name: 'find_user_id_by_name_zip',
            arguments: { first_name: name.first, last_name: name.last, zip },
          },
        ]),
  ];
  return calls.find((call) => !tried.has(JSON.stringify(call))) ?? null;
}

/**
 * Finds out who is calling, and what orders they have. `onHeard`: everything the customer says meanwhile.
 * False: nobody was found, or the call is over.
 */
export async function identify(line: Line, shop: Shop, onHeard: (text: string) => void): Promise<boolean> {
  const tried = new Set<string>();
  let known: Identity = { email: null, name: null, zip: null };
  for (let times = 0; ; times += 1) {
    const question = identityQuestion(times);
    if (question === null) return false;
    const heard = await line.say(question);
    if (heard === null) return false;
    onHeard(heard);
    const told = readIdentity(sentences(heard));
    known = { email: told.email ?? known.email, name: told.name ?? known.name, zip: told.zip ?? known.zip };
    for (let call = look(known, tried); call !== null; call = look(known, tried)) {
      tried.add(JSON.stringify(call));
      const { ok, content } = await line.call(call);
      if (!ok || !USER_ID.test(content)) continue;
      await line.call({ name: 'get_user_details', arguments: { user_id: content } });
      for (const order_id of shop.user?.orders ?? [])
        await line.call({ name: 'get_order_details', arguments: { order_id } });
      return !line.over;
    }
  }
}
