import type { Shop } from '../shop.js';
import { Candidates } from './candidates.js';
import type { Line } from './line.js';
import { identityQuestion } from './lines.js';

const USER_ID = /^[\w.-]+$/;

/**
 * Finds out who is calling, and what orders they have. `onHeard`: everything the customer says meanwhile.
 * False: nobody was found, or the call is over.
 */
export async function identify(line: Line, shop: Shop, onHeard: (text: string) => void): Promise<boolean> {
  const candidates = new Candidates();
  for (let times = 0; ; times += 1) {
    const question = identityQuestion(times);
    if (question === null) return false;
    const heard = await line.say(question);
    if (heard === null) return false;
    onHeard(heard);
    candidates.hear([heard, ...line.others]);
    for (const call of candidates.take()) {
      const { ok, content } = await line.call(call);
      if (line.over) return false;
      if (!ok || !USER_ID.test(content)) continue;
      await line.call({ name: 'get_user_details', arguments: { user_id: content } });
      for (const order_id of shop.user?.orders ?? [])
        await line.call({ name: 'get_order_details', arguments: { order_id } });
      return !line.over;
    }
  }
}
