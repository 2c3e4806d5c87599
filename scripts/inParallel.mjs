// @ts-check
// Runs commands in parallel, prints each one's output when it ends, and fails if any fails: node scripts/inParallel.mjs "eslint ." tsc
// With --in-turn first, one after the other.
import { exec } from 'node:child_process';

const given = process.argv.slice(2);
const inTurn = given[0] === '--in-turn';

/**
 * @param {string} command
 * @returns {Promise<boolean>} whether it failed
 */
const fails = (command) =>
  new Promise((resolve) => {
    exec(command, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      console.log(`$ ${command}\n${stdout}${stderr}`);
      resolve(error !== null);
    });
  });

/** @type {string[]} */
const failed = [];
const work = (inTurn ? given.slice(1) : given).map((command) => async () => {
  if (await fails(command)) failed.push(command);
});
if (inTurn) for (const each of work) await each();
else await Promise.all(work.map((each) => each()));
for (const command of failed) console.error(`failed: ${command}`);
process.exitCode = failed.length > 0 ? 1 : 0;
