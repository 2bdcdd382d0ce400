import { homedir, hostname, userInfo } from 'node:os';
import type { PrivateText } from '../../dataset/index.js';
import type { Terminal } from '../terminal.js';

const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?$/;
const SHORTEST_SECRET = 8;

/** What of this machine must never stand in a dataset: folders, its name, keys in the environment. */
export function privateTexts({ env, cwd }: Terminal): PrivateText[] {
  const secrets = Object.entries(env).flatMap(([name, value]): PrivateText[] =>
    SECRET_NAME.test(name) && value !== undefined && value.length >= SHORTEST_SECRET
      ? [{ what: `the value of the environment's ${name}`, text: value }]
      : [],
  );
  const user = userInfo().username;
  return [
    { what: 'the path of the working folder', text: cwd },
    { what: 'the path of the home folder', text: homedir() },
    { what: 'a path into the home folders', text: `/home/${user}` },
    { what: "this machine's name", text: hostname() },
    ...secrets,
  ];
}
