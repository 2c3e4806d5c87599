import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';

/** Standard input, or with `--chunks N FILE` a file in chunks of N bytes. */
export function input(): Readable {
  const at = process.argv.indexOf('--chunks');
  if (at < 0) return process.stdin;
  const bytes = readFileSync(process.argv[at + 2] ?? '');
  const size = Number(process.argv[at + 1]);
  let from = 0;
  return new Readable({
    read() {
      // Like a pipe: yields what is available.
      while (from < bytes.length) if (!this.push(bytes.subarray(from, (from += size)))) return;
      this.push(null);
    },
  });
}
