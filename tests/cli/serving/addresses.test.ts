import { describe, expect, it } from 'vitest';
import { hostName, publicUrl, webOrigin } from '../../../src/cli/serving/addresses.js';
import { cli } from '../../helpers/terminal.js';

describe('addresses that `serve` is told', () => {
  it.each([
    ['https://voice.example.org', 'https://voice.example.org'],
    ['https://voice.example.org/', 'https://voice.example.org'],
    ['http://10.0.0.7:8080/parlor/', 'http://10.0.0.7:8080/parlor'],
  ])('--public-url %s is %s', (text, url) => expect(publicUrl(text)).toBe(url));

  it('--allow-origin is what browsers send, whatever its case, and collects', () => {
    const first = webOrigin('HTTPS://Good.Example/', []);
    const both = webOrigin('http://localhost:5173', first);
    expect(webOrigin('chrome-extension://abcdef', both)).toEqual([
      ...['https://good.example', 'http://localhost:5173', 'chrome-extension://abcdef'],
    ]);
  });

  it('--allow-host collects names', () => {
    expect(hostName('Parlor.lan', hostName('b.example', []))).toEqual(['b.example', 'parlor.lan']);
  });

  it.each([
    ...[
      'rubbish',
      '',
      '//x',
      'ws://a.example',
      'ftp://a.example',
      'http:a.example',
      'https://a.example?q=1',
    ].map((text) => ['--public-url', text]),
    ...['https://user:secret@a.example', 'https://a.example/#top', 'javascript:alert(1)'].map((text) => [
      '--public-url',
      text,
    ]),
    ...['*', 'null', 'localhost:5173', 'https://a.example/app', 'ws://a.example', 'https://*'].map((text) => [
      '--allow-origin',
      text,
    ]),
    ...['https://a.example https://b.example', 'https://', 'file:///etc/passwd', 'https://u@a.example'].map(
      (text) => ['--allow-origin', text],
    ),
    ...['https://a.example', 'a.example:80', 'a/b', '', 'a b'].map((text) => ['--allow-host', text]),
  ])('%s "%s" is a usage error in one line', async (flag = '', text = '') => {
    const { exitCode, stderr } = await cli(['serve', '--port', '0', flag, text]);
    expect(exitCode).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(`${flag} must be`);
  });
});
