// ZIP archives of small texts, stored without compression.

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
/** The first day that the format knows, so that equal texts give equal archives. */
const FIRST_DAY = 0x21;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function crc32(bytes) {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = (rest >>> 8) ^ TABLE[(rest ^ byte) & 0xff];
  return (rest ^ 0xffffffff) >>> 0;
}

/** Numbers as little-endian bytes. @param {[number, 2|4][]} fields */
function packed(fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

/** An archive of texts. @param {{name: string, text: string}[]} files @returns {Blob} */
export function zipOf(files) {
  const encoder = new TextEncoder();
  const parts = [];
  const index = [];
  let offset = 0;
  for (const file of files) {
    const [name, text] = [encoder.encode(file.name), encoder.encode(file.text)];
    /** @type {[number, 2|4][]} */
    const common = [[VERSION, 2], [UTF8_NAMES, 2], [0, 2], [0, 2], [FIRST_DAY, 2], [crc32(text), 4], [text.length, 4], [text.length, 4], [name.length, 2], [0, 2]];
    const head = packed([[LOCAL, 4], ...common]);
    parts.push(head, name, text);
    index.push(packed([[CENTRAL, 4], [VERSION, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]), name);
    offset += head.length + name.length + text.length;
  }
  const size = index.reduce((sum, part) => sum + part.length, 0);
  const end = packed([[END, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2]]);
  return new Blob([...parts, ...index, end], { type: "application/zip" });
}
