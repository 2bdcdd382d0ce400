import { UsageError } from '../../shared/index.js';

const badAddress = (flag: string, wanted: string, text: string): UsageError =>
  new UsageError('bad-option', `${flag} must be ${wanted}; got "${text}"`, { facts: { flag, text } });

const parse = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

/** How agents reach the server, without a slash at its end: paths are put behind it. */
export function publicUrl(text: string): string {
  const url = parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\/[^/]/i.test(text);
  if (!isWeb || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw badAddress('--public-url', 'like https://voice.example.org or https://example.org/parlor', text);
  return url.href.replace(/\/+$/, '');
}

/** One more web page that may connect, as browsers name it in `Origin`: scheme, host and perhaps port, nothing else. */
export function webOrigin(text: string, before: readonly string[]): readonly string[] {
  // Browsers compare nothing; the sandbox compares exactly, so what no browser would send is refused here.
  const url = parse(text);
  const isBare = url !== null && /^[a-z][a-z\d+.-]*:\/\/[^/?#@*\s]+\/?$/i.test(text) && url.host !== '';
  if (!isBare || url.protocol === 'ws:' || url.protocol === 'wss:')
    throw badAddress('--allow-origin', 'an origin like https://example.org or http://localhost:5173', text);
  return [...before, `${url.protocol}//${url.host}`];
}

/** One more name of the server, as it stands in `Host`: no scheme, no port, no path. */
export function hostName(text: string, before: readonly string[]): readonly string[] {
  const url = parse(`http://${text}`);
  if (url === null || !/^[^/?#@:\s]+$/.test(text))
    throw badAddress('--allow-host', 'a name like parlor.lan, without scheme and port', text);
  return [...before, url.hostname];
}
