// @ts-check
// `npm run screenshots`: retakes the pictures of the documents and the walkthrough with the readmeScreenshots suite. Look
// at them before you commit them.
//
//   npm run screenshots -- --journeys [NAME…]  pictures of the journeys, in all themes and widths, in English and German, in a
//                                              temporary folder. NAME is a part of a suite's name
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumPath } from './vscode/chromium.mjs';
import { run } from './vscode/exec.mjs';
import { repository, screenshots } from './vscode/paths.mjs';

const prefix = 'readme-';
const target = join(repository, 'media', 'screenshots');
const stepPrefix = 'walkthrough-';
const steps = join(repository, 'media', 'walkthrough');

const [mode, ...names] = process.argv.slice(2);
rmSync(screenshots, { recursive: true, force: true });
// The same VS Code on every machine.
const env = { ...process.env, AGENT_LOGS_HOST: 'npm', AGENT_LOGS_PICTURES: '1' };
await run(process.execPath, ['scripts/build.mjs', '--tests'], { cwd: repository, env });
if (mode === '--journeys') await photographJourneys();
else await renewPictures();

async function photographJourneys() {
  const wanted = names.length === 0 ? ['journeys/'] : names.map((name) => `journeys/${name}`);
  await run(process.execPath, ['scripts/testVsCode.mjs', ...wanted, '--newest', '--german'], {
    cwd: repository,
    env,
  });
  const folder = mkdtempSync(join(tmpdir(), 'agent-logs-journeys-'));
  const pictures = readdirSync(screenshots).filter((each) => each.startsWith('journey-'));
  for (const file of pictures) copyFileSync(join(screenshots, file), join(folder, file.slice('journey-'.length)));
  console.log(`${pictures.length} pictures in ${folder}`);
}

async function renewPictures() {
  await run(process.execPath, ['scripts/testVsCode.mjs', 'readmeScreenshots', '--newest'], { cwd: repository, env });
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const file of readdirSync(screenshots).filter((each) => each.startsWith(prefix))) {
    const name = file.slice(prefix.length);
    copyFileSync(join(screenshots, file), join(target, name));
    console.log(`media/screenshots/${name}  ${Math.ceil(statSync(join(target, name)).size / 1024)} KB`);
  }
  await renewSteps();
}

/** These are packaged, so they get fewer colors and the smallest format that Chromium writes. */
async function renewSteps() {
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] });
  const page = await browser.newPage();
  rmSync(steps, { recursive: true, force: true });
  mkdirSync(steps, { recursive: true });
  for (const file of readdirSync(screenshots).filter((each) => each.startsWith(stepPrefix))) {
    const png = readFileSync(join(screenshots, file)).toString('base64');
    const webp = Buffer.from(String(await page.evaluate(toWebp(png))), 'base64');
    const name = file.slice(stepPrefix.length).replace(/\.png$/, '.webp');
    writeFileSync(join(steps, name), webp);
    console.log(`media/walkthrough/${name}  ${Math.ceil(webp.length / 1024)} KB`);
  }
  await browser.close();
}

/**
 * A script for the browser, which returns the picture as WebP, in Base64.
 * @param {string} png in Base64
 */
function toWebp(png) {
  return `(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png}';
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const drawing = canvas.getContext('2d');
    drawing.drawImage(image, 0, 0);
    const pixels = drawing.getImageData(0, 0, canvas.width, canvas.height);
    const { data } = pixels;
    for (let at = 0; at < data.length; at++) data[at] = Math.round(data[at] / 17) * 17;
    drawing.putImageData(pixels, 0, 0);
    return canvas.toDataURL('image/webp', 1).split(',')[1]; // without loss
  })()`;
}
