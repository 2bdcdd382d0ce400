import type { ToolCall } from '../../retail/index.js';
import type { OracleKnowledge } from './knowledge.js';

/** Groups of look-ups, to be tried until one group finds the customer: the ground truth's own, then the hints. */
export function identityCalls({ groundTruth, userHints }: OracleKnowledge): ToolCall[][] {
  const own = groundTruth.filter((call) => call.name.startsWith('find_user_id_by_'));
  const { email, firstName, lastName, zip } = userHints ?? {};
  const byEmail = email === undefined ? [] : [{ name: 'find_user_id_by_email', arguments: { email } }];
  const byName =
    firstName === undefined || lastName === undefined || zip === undefined
      ? []
      : [
          {
            name: 'find_user_id_by_name_zip',
            arguments: { first_name: firstName, last_name: lastName, zip },
          },
        ];
  return [own, byEmail, byName].filter((calls) => calls.length > 0);
}
