// @ts-check
// `npm run screenshots`: retakes the pictures of the documents with the readmeScreenshots suite. Look at them before you
// commit them.
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './vscode/exec.mjs';
import { repository, screenshots } from './vscode/paths.mjs';

const prefix = 'readme-';
const target = join(repository, 'media', 'screenshots');

rmSync(screenshots, { recursive: true, force: true });
// The same VS Code on every machine.
const env = { ...process.env, AGENT_LOGS_HOST: 'npm' };
await run(process.execPath, ['scripts/build.mjs', '--tests'], { cwd: repository, env });
await run(process.execPath, ['scripts/testVsCode.mjs', 'readmeScreenshots', '--newest'], { cwd: repository, env });

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const file of readdirSync(screenshots).filter((each) => each.startsWith(prefix))) {
  const name = file.slice(prefix.length);
  copyFileSync(join(screenshots, file), join(target, name));
  console.log(`media/screenshots/${name}  ${Math.ceil(statSync(join(target, name)).size / 1024)} KB`);
}
