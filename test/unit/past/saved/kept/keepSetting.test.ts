import assert from 'node:assert/strict';
import { keepSettingIn } from '../../../../../src/past/saved/kept/keepSetting';
import { inEnglish } from '../../../../../src/text/translator';

const day = 86_400_000;
const mebibyte = 1024 * 1024;

describe('agentLogs.savedSessions.keep', () => {
  const rows: readonly (readonly [setting: unknown, wanted: unknown, ...mistakes: readonly string[]])[] = [
    [{}, undefined],
    [undefined, undefined],
    [null, undefined],
    [{ agents: [] }, undefined],
    [{ agents: ['claude', 'claude'] }, { agents: ['claude'], maxSize: 1024 * mebibyte }],
    [
      { agents: ['codex', 'pi'], age: 7, maxSize: 10 },
      { agents: ['codex', 'pi'], age: 7 * day, maxSize: 10 * mebibyte },
    ],
    [
      { agents: ['pi'], age: 0 },
      { agents: ['pi'], age: 0, maxSize: 1024 * mebibyte },
    ],
    [true, undefined, '`agentLogs.savedSessions.keep` must be an object: `{ "agents": ["claude"] }`.'],
    [
      { agents: 'claude' },
      undefined,
      'agentLogs.savedSessions.keep.agents: Expected a list of agents: `{ "agents": ["claude"] }`.',
    ],
    [
      { agents: ['pi'], age: -1, maxSize: 'big' },
      { agents: ['pi'], maxSize: 1024 * mebibyte },
      'agentLogs.savedSessions.keep.age: Expected a number from 0 to 3650.',
      'agentLogs.savedSessions.keep.maxSize: Expected a number from 1 to 1048576.',
    ],
    [
      { agents: ['pi'], maxsize: 1 },
      { agents: ['pi'], maxSize: 1024 * mebibyte },
      'agentLogs.savedSessions.keep.maxsize: Unknown field. The fields are agents, age, maxSize.',
    ],
  ];
  for (const [setting, wanted, ...mistakes] of rows) {
    it(`is ${JSON.stringify(setting)}`, () => {
      const found = keepSettingIn(setting);
      assert.deepEqual(found.setting, wanted);
      assert.deepEqual(
        found.mistakes.map(({ message }) => inEnglish(message)),
        mistakes,
      );
    });
  }

  it('names an unknown agent, and keeps the others', () => {
    const { setting, mistakes } = keepSettingIn({ agents: ['claud', 'pi', 7] });
    assert.deepEqual(setting?.agents, ['pi']);
    const [first, second] = mistakes.map(({ message }) => inEnglish(message));
    assert.match(
      first ?? '',
      /^agentLogs\.savedSessions\.keep\.agents\.0: There is no agent "claud"\. The agents are claude, codex,/,
    );
    assert.match(second ?? '', /There is no agent 7\./);
  });
});
