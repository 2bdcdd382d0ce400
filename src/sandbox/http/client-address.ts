import { isIPv6 } from 'node:net';

/**
 * Whom a connection is counted for: an IPv4 address, or the /64 network of an IPv6 address, since one host usually has
 * a whole one of those to itself.
 */
export function clientAddress(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(remoteAddress)?.[1];
  if (mapped !== undefined) return mapped;
  const address = remoteAddress.split('%')[0] ?? '';
  if (!isIPv6(address) || address === '::1') return remoteAddress;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
