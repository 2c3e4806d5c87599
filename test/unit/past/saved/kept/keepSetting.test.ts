import assert from 'node:assert/strict';
import { keepSettingIn } from '../../../../../src/past/saved/kept/keepSetting';
import { inEnglish } from '../../../../../src/text/translator';

const day = 86_400_000;
const mebibyte = 1024 * 1024;

const keep = 'agentLogs.savedSessions.keep';

describe(keep, () => {
  const pi = { agents: ['pi'], maxSize: 1024 * mebibyte };
  const two = { agents: ['codex', 'pi'] };
  const rows: readonly (readonly [setting: unknown, wanted: unknown, ...mistakes: readonly string[]])[] = [
    [{}, undefined],
    [undefined, undefined],
    [null, undefined],
    [{ agents: [] }, undefined],
    [{ agents: ['claude', 'claude'] }, { agents: ['claude'], maxSize: 1024 * mebibyte }],
    [
      { ...two, age: 7, maxSize: 10 },
      { ...two, age: 7 * day, maxSize: 10 * mebibyte },
    ],
    [
      { agents: ['pi'], age: 0 },
      { ...pi, age: 0 },
    ],
    [true, undefined, '`agentLogs.savedSessions.keep` must be an object: `{ "agents": ["claude"] }`.'],
    [{ agents: 'claude' }, undefined, `${keep}.agents: Expected a list of agents: \`{ "agents": ["claude"] }\`.`],
    [{ agents: ['pi'], age: -1 }, pi, `${keep}.age: Expected a number from 0 to 3650.`],
    [{ agents: ['pi'], maxSize: 'big' }, pi, `${keep}.maxSize: Expected a number from 1 to 1048576.`],
    [{ agents: ['pi'], maxsize: 1 }, pi, `${keep}.maxsize: Unknown field. The fields are agents, age, maxSize.`],
  ];
  for (const [setting, wanted, ...mistakes] of rows) {
    it(`is ${JSON.stringify(setting)}`, () => {
      const found = keepSettingIn(setting);
      assert.deepEqual(found.setting, wanted);
      const messages = found.mistakes.map(({ message }) => inEnglish(message));
      assert.deepEqual(messages, mistakes);
    });
  }

  it('names an unknown agent, and keeps the others', () => {
    const { setting, mistakes } = keepSettingIn({ agents: ['claud', 'pi', 7] });
    assert.deepEqual(setting?.agents, ['pi']);
    const [first, second] = mistakes.map(({ message }) => inEnglish(message));
    assert.match(
      first ?? '',
      /^agentLogs\S+\.keep\.agents\.0: There is no agent "claud"\. The agents are claude, codex,/,
    );
    assert.match(second ?? '', /There is no agent 7\./);
  });
});
