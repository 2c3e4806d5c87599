import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../../scripts/vscode/paths.mjs';

const folder = join(repository, '.github/workflows');
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

/** The names of all programs of packages in the lock file. */
function lockedPrograms(): ReadonlySet<string> {
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly bin?: Readonly<Record<string, string>> }>>;
  };
  return new Set(Object.values(packages).flatMap(({ bin = {} }) => Object.keys(bin)));
}

describe('workflows', () => {
  it('run only programs of the lock file', () => {
    const locked = lockedPrograms();
    const commands = workflows.flatMap(([, text]) => [...text.matchAll(/\b(?:npx|npm exec)\b(.*)/g)]);
    assert.ok(commands.length >= 2);
    for (const [line, rest = ''] of commands) {
      const [, program = ''] = /^ --no ([\w@/.-]+)/.exec(rest) ?? [];
      assert.ok(locked.has(program), line);
    }
  });

  it('audit dependencies on a schedule, where that blocks neither a change nor a release', () => {
    const [[name, text] = assert.fail(), ...others] = workflows.filter(([, content]) => content.includes('npm audit'));
    assert.deepEqual([name, others], ['audit.yml', []]);
    assert.match(text, /\n {2}schedule:\n/);
    assert.doesNotMatch(text, /workflow_call|pull_request|push:/);
  });
});
