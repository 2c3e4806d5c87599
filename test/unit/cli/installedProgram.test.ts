import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedPage } from '../../../scripts/explorerPage.mjs';
import { extension } from '../../../scripts/extension.mjs';
import { ProgramCopy } from '../../../src/live/process/programCopy';
import { tapProgram } from '../../../src/ui/services/installedTap';
import type { MakeProgram } from '../../support/cli';
import { useCli } from '../../support/cli';
import { cat, describeWithEsbuild } from '../../support/platform';
import { makeSavedHome, savedHomeEnv } from '../../support/savedHome';

/** Of the parts. */
let outdir: string;

/** As packaged: beside the extension's parts, some of which it loads. */
const inParts: MakeProgram = async () => {
  outdir = mkdtempSync(join(tmpdir(), 'agent-logs-dist-'));
  const options = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', minify: true } as const;
  await build({ ...extension, ...options, external: ['vscode'], logLevel: 'error', outdir });
  await build(sharedPage(true, outdir));
  return join(outdir, 'cli.js');
};

/** As installed for other editors: one file, which remains when the extension is gone. */
const joined: MakeProgram = async (folder) => {
  const path = await new ProgramCopy(tapProgram(outdir), join(folder, 'state', 'agent-logs.cjs')).make();
  rmSync(outdir, { recursive: true });
  return path;
};

for (const [title, make] of [['in parts', inParts] as const, ['and then as one file', joined] as const]) {
  describeWithEsbuild(`the program of the tap, ${title}`, () => {
    const cli = useCli(make);

    it('prints its version', async () => {
      assert.match((await cli.run(['--version'])).stdout.toString(), /^agent-logs \d+\.\d+\.\d+\n$/);
    });

    it('shares a run as an HTML file', async () => {
      const shared = await cli.run(['share', 'test/fixtures/acp/claude-v2-sub.ndjson', '--preset', 'minimal']);
      assert.deepEqual([shared.code, shared.stderr], [0, '']);
      assert.match(shared.stdout.toString(), /^<!DOCTYPE html>[^]+ id="agent-logs-records-0">[^]+<\/html>\n/);
    });

    it('relays, writes a redacted journal in its thread, and prints the journal', async () => {
      const folder = cli.newFolder();
      const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } };
      const secret = 'token=ghp_0123456789abcdefghijklmnopqrstuvwxyz';
      const input = `${JSON.stringify(request)}\n${secret}\n`;
      const { code, stdout, stderr } = await cli.run(cli.tapTo(folder, ...cat), input);
      assert.deepEqual([code, stdout.toString(), stderr], [0, input, '']);

      const [journal] = await cli.journals(folder);
      assert.equal(journal?.header.protocol, 'acp');
      const lines = journal.events.flatMap((event) => ('line' in event ? [event.line] : []));
      assert.equal(lines.length, 4);
      assert.ok(!lines.join().includes('ghp_0'), lines.join());

      const [name = ''] = await cli.journalNames(folder);
      const printed = await cli.run(['tail', '--level', 'trace', join(folder, name)]);
      assert.deepEqual([printed.code, printed.stderr], [0, '']);
      assert.match(printed.stdout.toString(), /initialize/);
    });

    it('lists saved sessions', async () => {
      const home = cli.newFolder();
      makeSavedHome(home);
      const { stdout, stderr } = await cli.run(['sessions', '--json'], '', savedHomeEnv(home));
      assert.equal(stderr, '');
      const sessions = stdout.toString().trimEnd().split('\n');
      assert.equal(sessions.length, 14);
      for (const session of sessions) assert.doesNotThrow(() => JSON.parse(session) as unknown);
    });

    it('replays a run', async () => {
      const run = 'test/fixtures/transcripts/lsp-login.ndjson';
      const body = '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}';
      const input = `Content-Length: ${body.length}\r\n\r\n${body}`;
      const { code, stdout } = await cli.run(['replay', run, '--speed', 'max'], input);
      assert.equal(code, 0);
      assert.match(stdout.toString(), /"id":7,"result"/);
    });

    it('checks a run, with a regular expression too', async () => {
      const run = 'test/fixtures/transcripts/codex-mock-500.ndjson';
      const { code, stderr } = await cli.run(['check', run, '--expect', '/high demand/i', '--no-problems', 'error']);
      assert.deepEqual([code, stderr], [1, '']);
    });
  });
}
