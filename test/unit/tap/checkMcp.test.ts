import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { useCli } from '../../support/cli';

describe('agent-logs check-mcp', function () {
  this.timeout(60_000);
  const cli = useCli();
  let folder: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'check-mcp-')));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const fake = (mode: string, more: object = {}): object => ({
    command: process.execPath,
    args: [resolve('test/fakeAgents/mcp-checked.mjs'), mode],
    ...more,
  });

  async function run(
    mcpServers: object,
    ...args: readonly string[]
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
    await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }));
    const env = { PATH: process.env['PATH'], HOME: folder, USERPROFILE: folder };
    const words = [cli.program, 'check-mcp', ...args];
    return new Promise((done) => {
      execFile(process.execPath, words, { cwd: folder, env }, (error, stdout, stderr) =>
        done({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  }

  it('prints what each server has', async () => {
    const { code, stdout } = await run({ notes: fake('plain'), off: fake('plain', { disabled: true }) });
    assert.equal(code, 0);
    assert.match(stdout, /^# MCP servers: 1 checked, 0 failed; errors: 0, warnings: 1\n/);
    assert.match(stdout, /## notes\n\n- fake-mcp 0 · MCP [\d-]+ · Claude Code\n- started in /);
    assert.match(stdout, /- tools: 2, prompts: 1, resources: 2; about \d+ tokens, 100 % of all \(estimated\)\n/);
    assert.match(stdout, /`write_note`/);
  });

  it('exits with 1 for errors, and prints JSON', async () => {
    const secret = 'correct-horse-battery-staple';
    const servers = { bad: fake('awkward', { env: { NOTES_TOKEN: secret } }), gone: fake('exits') };
    const { code, stdout } = await run(servers, '--json', 'bad', 'gone');
    assert.equal(code, 1);
    const { servers: found, findings } = JSON.parse(stdout) as {
      readonly servers: readonly {
        readonly name: string;
        readonly ok: boolean;
        readonly error?: string;
        readonly share: number;
      }[];
      readonly findings: readonly { readonly code: string; readonly advice: string }[];
    };
    assert.deepEqual(
      found.map(({ name, ok, share }) => ({ name, ok, share })),
      [
        { name: 'bad', ok: true, share: 1 },
        { name: 'gone', ok: false, share: 0 },
      ],
    );
    assert.match(found[1]?.error ?? '', /NOTES_TOKEN is not set/);
    assert.ok(findings.some(({ code: own }) => own === 'schema-keyword'));
    assert.ok(findings.every(({ advice }) => advice !== ''));
    assert.ok(!stdout.includes(secret));
  });

  it('exits with 2 if there is nothing to check', async () => {
    const none = await run({});
    assert.deepEqual([none.code, none.stdout], [2, '']);
    assert.match(none.stderr, /No MCP servers are configured/);
    const other = await run({ notes: fake('plain') }, 'other');
    assert.equal(other.code, 2);
    assert.match(other.stderr, /There is no MCP server "other"\. The servers are "notes"\./);
  });
});
