// @ts-check
import JsZip from 'jszip';
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} ZipEntry
 * @property {string} path
 * @property {number} mode of POSIX; 0 if the file has none
 * @property {number} time as stored, without a time zone, in milliseconds
 * @property {Buffer} contents
 */

/**
 * @param {string} file
 * @returns {Promise<ZipEntry[]>} in the order of the file
 */
export async function readZip(file) {
  const { files } = await JsZip.loadAsync(readFileSync(file));
  return Promise.all(
    Object.values(files).map(async (entry) => ({
      path: entry.name,
      mode: Number(entry.unixPermissions ?? 0),
      time: entry.date.getTime(),
      contents: await entry.async('nodebuffer'),
    })),
  );
}
