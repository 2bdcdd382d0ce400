import { BlockList, isIP } from 'node:net';
import { UsageError } from '../shared/index.js';

/** Which addresses requests of a rollout may go to: server-side requests must not reach what only this server can. */
export interface CallbackHosts {
  /** Null: it may be called. Else what to tell the client. */
  refuse(url: string): string | null;
}

interface Rule {
  readonly matches: (host: string) => boolean;
  readonly port: string | null;
}

const LOOPBACK = ['localhost', '127.0.0.0/8', '::1'];
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

function bad(text: string): UsageError {
  return new UsageError(
    'callback-host',
    `--allow-callback takes HOST, HOST:PORT, *.DOMAIN, an IP address or a network like 10.0.0.0/8; got "${text}"`,
  );
}

function addressRule(text: string): ((host: string) => boolean) | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0) return null;
  const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix);
  const isBits = prefix === undefined || /^\d{1,3}$/.test(prefix);
  if (rest.length > 0 || !isBits || bits > (family === 4 ? 32 : 128)) throw bad(text);
  const list = new BlockList();
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(address, bits, kind);
  return (host) => {
    const asked = isIP(host);
    return asked !== 0 && list.check(host, asked === 4 ? 'ipv4' : 'ipv6');
  };
}

function nameRule(text: string): (host: string) => boolean {
  const name = text.toLowerCase();
  if (/^\*(\.[a-z0-9_-]+)+$/.test(name)) return (host) => isIP(host) === 0 && host.endsWith(name.slice(1));
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)) throw bad(text);
  return (host) => host === name;
}

/** IPv6 in brackets, so that its colons are told from a port's. */
function parseRule(text: string): Rule {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? (isIP(text.split('/')[0] ?? '') === 6 ? text : null);
  const port = match?.[3] ?? null;
  if (host === null || (port !== null && (Number(port) < 1 || Number(port) > 65_535))) throw bad(text);
  return { matches: addressRule(host) ?? nameRule(host), port };
}

/**
 * Loopback always; beside it what the operator names, on any port unless one is given. Names are compared as they are
 * written: whoever allows one trusts what it resolves to.
 * @throws UsageError `callback-host`
 */
export function createCallbackHosts(allowed: readonly string[]): CallbackHosts {
  const rules = [...LOOPBACK, ...allowed].map(parseRule);
  return {
    refuse: (text) => {
      const url = new URL(text);
      const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
      const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? '') : url.port;
      const isAllowed = rules.some(
        (rule) => rule.matches(host) && (rule.port === null || rule.port === port),
      );
      return isAllowed
        ? null
        : `${url.host} may not be called by this server; its operator can allow it with --allow-callback ${url.hostname}`;
    },
  };
}
