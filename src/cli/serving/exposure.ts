import type { Tokens } from './access.js';
import type { ServeLog } from './serve-log.js';

export const isLoopback = (host: string): boolean => /^(127(\.\d+){3}|::1|localhost)$/.test(host);

const SHORT_TOKEN = 16;

/** Warns of what strangers can do from beyond this machine. */
export function warnOfExposure(
  log: ServeLog,
  { host, hasTls, tokens, exposedFile }: Tokens & { readonly host: string; readonly hasTls: boolean },
): void {
  const warn = (message: string) => log({ level: 'warning', event: 'exposure', message });
  if (exposedFile !== null)
    warn(`other users of this machine can read ${exposedFile} and so the tokens; chmod 600 it`);
  if (isLoopback(host)) return;
  if (tokens.length === 0) {
    warn(
      `LISTENING ON ${host}, BEYOND THIS MACHINE, WITHOUT A TOKEN: whoever reaches this port can start episodes, call tools, and use this machine's processor and disk`,
    );
    warn('give --token-file FILE or --token-env NAME, or keep to --host 127.0.0.1');
    return;
  }
  if (!hasTls)
    warn(
      `listening on ${host}, beyond this machine, unencrypted: tokens can be read on the way; give --tls-cert and --tls-key, or put a proxy with TLS in front`,
    );
  else warn(`listening on ${host}, beyond this machine, with TLS and a token`);
  if (tokens.some(({ length }) => length < SHORT_TOKEN))
    warn(`a token is shorter than ${SHORT_TOKEN} characters; make a better one with: openssl rand -hex 32`);
}
