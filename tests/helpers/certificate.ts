import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';

/** One DER element: tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const bytes = (...values: readonly number[]) => Buffer.from(values);
const utcTime = (text: string) => der(0x17, Buffer.from(text));
const ECDSA_WITH_SHA256 = sequence(der(0x06, bytes(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2)));
const COMMON_NAME = bytes(0x55, 4, 3);
const SUBJECT_ALT_NAME = bytes(0x55, 0x1d, 0x11);

const pem = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

/** A certificate for localhost and 127.0.0.1 that vouches for itself (X.509 v3, P-256), good until 2049. */
export function selfSigned(): { readonly cert: string; readonly key: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(der(0x06, COMMON_NAME), der(0x0c, Buffer.from('localhost')))));
  const alternatives = sequence(der(0x82, Buffer.from('localhost')), der(0x87, bytes(127, 0, 0, 1)));
  const body = sequence(
    der(0xa0, der(0x02, bytes(2))),
    ...[der(0x02, bytes(1)), ECDSA_WITH_SHA256, name],
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(der(0x06, SUBJECT_ALT_NAME), der(0x04, alternatives)))),
  );
  const signature = sign('sha256', body, privateKey);
  const cert = sequence(body, ECDSA_WITH_SHA256, der(0x03, bytes(0), signature));
  return { cert: pem(cert), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
