// @ts-check
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/**
 * @typedef {object} ZipEntry
 * @property {string} path
 * @property {number} mode as POSIX has it
 * @property {number} time as the zip file has it: two numbers of 16 bits that depend on a time zone
 * @property {Buffer} contents
 */

/**
 * Reads what vsce writes: one disk, no comment, deflated or stored (PKWARE's APPNOTE.TXT, 4.3).
 * @param {string} file
 * @returns {ZipEntry[]} in the file's order
 */
export function readZip(file) {
  const zip = readFileSync(file);
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0) throw new Error(`${file} is not a zip file.`);
  /** @type {ZipEntry[]} */
  const entries = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28);
    entries.push({
      path: zip.toString('utf8', at + 46, at + 46 + nameLength),
      mode: zip.readUInt16LE(at + 40),
      time: zip.readUInt32LE(at + 12),
      contents: contentsOf(zip, at),
    });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * @param {Buffer} zip
 * @param {number} at where the entry stands in the central directory
 * @returns {Buffer}
 */
function contentsOf(zip, at) {
  const local = zip.readUInt32LE(at + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 20));
  return zip.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes);
}
