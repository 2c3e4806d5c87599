import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tapPatternsFile, writeTapPatterns } from '../../../src/live/config/tapPatterns';
import { tapFile } from '../../../src/wire/journal/tapFolder';
import { useCli } from '../../support/cli';

const node = process.execPath;

describe('the journal of the installed tap', () => {
  const cli = useCli();

  it('goes beside the installed tap if a client passes on none of the variables that VS Code has', async () => {
    const state = join(cli.newFolder(), 'agent-logs');
    await mkdir(state, { recursive: true });
    const installed = join(state, tapFile);
    await copyFile(cli.program, installed);
    await writeTapPatterns(tapPatternsFile(join(state, 'taps')), ['ACME-\\d+']);
    const env = { HOME: cli.newFolder(), PATH: process.env['PATH'] };
    await promisify(execFile)(node, [installed, 'tap', '--', node, '-e', "console.log('ACME-17')"], { env });
    const [journal] = await cli.journals(join(state, 'taps'));
    const lines = (journal?.events ?? []).flatMap((event) => (event.dir === 'a2c' ? event.line : []));
    assert.deepEqual(lines, ['[redacted]']);
  });
});
