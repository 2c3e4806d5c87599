import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Compares with a golden file. `UPDATE_GOLDEN=1 npm run test:unit` rewrites it; review the diff. */
export function assertGolden(file: string, actual: string): void {
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
  }
  assert.ok(existsSync(file), `${file} is missing: run UPDATE_GOLDEN=1 npm run test:unit`);
  assert.equal(actual, readFileSync(file, 'utf8'));
}
