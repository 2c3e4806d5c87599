// @ts-check
// Runs commands in parallel, prints each one's output when it ends, and fails if any fails: node scripts/inParallel.mjs "eslint ." tsc
import { exec } from 'node:child_process';

const failed = await Promise.all(
  process.argv.slice(2).map(
    (command) =>
      /** @type {Promise<string[]>} */ (
        new Promise((resolve) => {
          exec(command, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
            console.log(`$ ${command}\n${stdout}${stderr}`);
            resolve(error ? [command] : []);
          });
        })
      ),
  ),
);
for (const command of failed.flat()) console.error(`failed: ${command}`);
process.exitCode = failed.flat().length > 0 ? 1 : 0;
