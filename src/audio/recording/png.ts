import { deflateSync } from 'node:zlib';
import type { GreyImage } from './spectrogram.js';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffff_ffff;
  for (const byte of bytes) value = (CRC_TABLE[(value ^ byte) & 0xff] as number) ^ (value >>> 8);
  return ~value >>> 0;
}

function chunk(tag: string, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  for (let i = 0; i < 4; i += 1) bytes[4 + i] = tag.charCodeAt(i);
  bytes.set(body, 8);
  view.setUint32(8 + body.length, crc32(bytes.subarray(4, 8 + body.length)));
  return bytes;
}

/** From black through purple and orange to pale yellow: even steps of lightness, readable without colour. */
const COLOURS = [
  [0, 0, 4],
  [40, 11, 84],
  [101, 21, 110],
  [159, 42, 99],
  [212, 72, 66],
  [245, 125, 21],
  [250, 193, 39],
  [252, 255, 164],
] as const;

function palette(): Uint8Array {
  const bytes = new Uint8Array(256 * 3);
  for (let level = 0; level < 256; level += 1) {
    const place = (level / 255) * (COLOURS.length - 1);
    const below = COLOURS[Math.floor(place)] ?? COLOURS[0];
    const above = COLOURS[Math.ceil(place)] ?? below;
    for (let k = 0; k < 3; k += 1) {
      const [from, to] = [below[k] as number, above[k] as number];
      bytes[3 * level + k] = Math.round(from + (to - from) * (place % 1));
    }
  }
  return bytes;
}

/** A PNG of 256 colours. The pixels are alike everywhere; how tightly they are packed is up to the zlib of this Node. */
export function encodePng({ width, height, pixels }: GreyImage): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // Eight bits a pixel, colours by palette.
  header[8] = 8;
  header[9] = 3;
  const rows = new Uint8Array((width + 1) * height);
  for (let row = 0; row < height; row += 1)
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  return Buffer.concat([
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('PLTE', palette()),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
