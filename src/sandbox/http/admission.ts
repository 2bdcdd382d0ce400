import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { sha256Hex } from '../../shared/index.js';
import { HttpError } from './http-error.js';
import type { RouteAuth } from './route.js';

export interface AdmissionRules {
  /** Any one of them opens. None: nobody is asked. */
  readonly tokens: readonly string[];
  /** Web pages that may connect, as their Origin: `https://host:port`. */
  readonly allowedOrigins: readonly string[];
  /** Names under which browsers may know this server, beside its addresses and `localhost`. */
  readonly allowedHosts: readonly string[];
}

function sameSecret(a: string, b: string): boolean {
  // Hashes have one length, so the comparison tells nothing about the secret's.
  return timingSafeEqual(Buffer.from(sha256Hex(a)), Buffer.from(sha256Hex(b)));
}

/** Is it one of the tokens? Every token is compared, so that the time does not tell which one was near. */
export function isOneOf(tokens: readonly string[], offered: string): boolean {
  return tokens.map((token) => sameSecret(token, offered)).includes(true);
}

/** The token of `Authorization: Bearer …`; the scheme's name is read as HTTP reads it, in any case. */
export function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

function hostOf(authority: string): string | null {
  try {
    return new URL(`http://${authority}`).hostname;
  } catch {
    return null;
  }
}

/**
 * DNS rebinding: a web page makes its own name point at this machine and then asks us as if we were its server. The Host
 * header still carries that name, so a name must be one of ours. An address cannot be rebound.
 */
function isOurHost(authority: string | undefined, allowedHosts: readonly string[]): boolean {
  // HTTP/1.0 clients send none; browsers always do.
  if (authority === undefined) return true;
  const host = hostOf(authority);
  if (host === null) return false;
  const bare = host.replace(/^\[|\]$/g, '');
  return isIP(bare) !== 0 || host === 'localhost' || allowedHosts.includes(host);
}

/** A web page must not reach a sandbox on its visitor's machine unless it was invited, or the sandbox sent it. */
function isOurOrigin(origin: string, { headers }: IncomingMessage, allowed: readonly string[]): boolean {
  return allowed.includes(origin) || /^https?:\/\/(.*)$/.exec(origin)?.[1] === headers.host;
}

/** Why a request is not let in, or null. */
export function refuseEntry(
  request: IncomingMessage,
  auth: RouteAuth,
  rules: AdmissionRules,
): HttpError | null {
  const { origin, host } = request.headers;
  // Where a token is asked for, a page that has rebound its name lacks it.
  if (rules.tokens.length === 0 && !isOurHost(host, rules.allowedHosts))
    return new HttpError(403, 'the Host header names a host this sandbox does not answer to (--allow-host)');
  if (origin !== undefined && !isOurOrigin(origin, request, rules.allowedOrigins))
    return new HttpError(403, 'this web page may not connect (--allow-origin)');
  if (auth === 'token' && rules.tokens.length > 0 && !isOneOf(rules.tokens, bearerOf(request) ?? ''))
    return new HttpError(401, 'send the token as "Authorization: Bearer …"', {
      'www-authenticate': 'Bearer',
    });
  return null;
}
