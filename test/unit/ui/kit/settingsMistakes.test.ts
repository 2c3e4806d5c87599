import { inEnglish } from '../../../../src/text/translator';
import assert from 'node:assert/strict';
import { agentNameIn, mistakesIn } from '../../../../src/runs/settingsMistakes';
import { settingsPathOf } from '../../../../src/runs/settingsPath';

/** What is marked of a text, and what is said about it. */
function marked(text: string, path: readonly string[] = []): readonly (readonly [string, string])[] {
  return mistakesIn(text, [...path]).map(({ offset, length, message }) => [
    text.slice(offset, offset + length),
    inEnglish(message),
  ]);
}

const places = (text: string, path?: readonly string[]): string[] => marked(text, path).map(([at]) => at);

describe('the name of an agent in settings', () => {
  it('is found in each kind of file, and nowhere else', () => {
    const agents = '"agentLogs.agents": { "A": { "command": "a" }, "B": {} }';
    const found = (text: string, path: readonly string[], agent: string): string | undefined => {
      const range = agentNameIn(text, [...path], agent);
      return range && text.slice(range.start, range.end);
    };
    assert.equal(found(`{ ${agents} }`, [], 'B'), '"B"');
    assert.equal(found(`{ "settings": { ${agents} } }`, ['settings'], 'A'), '"A"');
    assert.equal(found(`{ ${agents} }`, [], 'command'), undefined);
    assert.equal(found('', [], 'A'), undefined);
  });
});

describe('mistakes in settings', () => {
  it('are marked at the value that is wrong', () => {
    const text = `{
      // mine
      "editor.fontSize": 12,
      "agentLogs.agents": {
        "Good": { "command": "a" },
        "Bad": { "command": "b", "level": "warn" },
        "Worse": { "command": "c", "args": "--acp" },
      },
    }`;
    const [level, args, ...others] = marked(text);
    assert.deepEqual([level?.[0], args?.[0], others], ['"warn"', '"--acp"', []]);
    assert.match(level?.[1] ?? '', /^agentLogs\.agents\["Bad"\]: `level` must be "warning", not "warn"\.$/);
  });

  it('are marked at a field that seems to be misspelled, even if the agent is valid', () => {
    const text =
      '{ "agentLogs.agents": { "A": { "command": "node", "arg": ["x"] }, "B": { "cmd": "b" }, "C": { "command": "c", "type": "stdio" } } }';
    assert.deepEqual(marked(text), [
      ['"b"', 'agentLogs.agents["B"]: Unknown field `cmd`. Did you mean `command`?'],
      ['["x"]', 'agentLogs.agents["A"]: Unknown field `arg`. Did you mean `args`?'],
    ]);
  });

  it('are marked at the agent’s name if a field is missing or the whole entry is invalid', () => {
    const text = '{ "agentLogs.agents": { "A": { "args": [] }, "B": "b", "C\\"": 1 } }';
    assert.deepEqual(places(text), ['"A"', '"B"', '"C\\""']);
  });

  it('are marked at the setting if it isn’t an object', () => {
    assert.deepEqual(places('{ "agentLogs.agents": [] }'), ['"agentLogs.agents"']);
  });

  it('are marked at patterns that aren’t valid regular expressions', () => {
    const text = '{ "agentLogs.redaction.patterns": ["ACME-[0-9]{8}", "[unclosed", 7, ""] }';
    const [unclosed, number, ...others] = marked(text);
    assert.deepEqual([unclosed?.[0], number?.[0], others], ['"[unclosed"', '7', []]);
    assert.match(unclosed?.[1] ?? '', /^agentLogs\.redaction\.patterns\[1\] is invalid: Invalid regular/);
    assert.deepEqual(places('{ "agentLogs.redaction.patterns": "x" }'), ['"x"']);
  });

  it('are marked at patterns that took too long', () => {
    const text = '{ "agentLogs.redaction.patterns": ["ACME-[0-9]{8}", "(a+)+$"] }';
    const [mark, ...others] = mistakesIn(text, [], new Set(['(a+)+$', 'of another file']));
    assert.ok(mark && others.length === 0);
    assert.equal(text.slice(mark.offset, mark.offset + mark.length), '"(a+)+$"');
    assert.match(inEnglish(mark.message), /patterns\[1\] took too long and is disabled/);
  });

  it('are marked at alerts: at the part of a query, the field, or the whole entry', () => {
    const text = `{ "agentLogs.alerts": [
      { "when": "lvl:error \\"rolled back\\" level:loud" },
      { "when": { "costPerTurns": 2 } },
      { "when": "x", "notify": "yes" },
      { "message": "x" },
      { "when": "\\u0061 level:loud" },
      { "when": "good", "notify": true },
    ] }`;
    const wrong = ['lvl:error', 'level:loud', '2', '"yes"', '{ "message": "x" }', '"\\u0061 level:loud"'];
    assert.deepEqual(places(text), wrong);
    assert.deepEqual(marked('{ "agentLogs.alerts": "level:error" }'), [
      ['"level:error"', '`agentLogs.alerts` must be a list: `[{ "when": "level:error" }]`.'],
    ]);
  });

  it('are found under "settings" in a workspace file', () => {
    const text = '{ "folders": [], "settings": { "agentLogs.agents": { "A": {} } } }';
    assert.deepEqual(places(text, ['settings']), ['"A"']);
    assert.deepEqual(marked(text), []);
  });

  it('are found in a file that is being edited; a file without settings has none', () => {
    assert.equal(marked('{ "agentLogs.agents": { "A": { "command": "" ').length, 1);
    const deep = `{"agentLogs.agents":${'['.repeat(1e5)}`;
    const others = ['', 'agentLogs.agents', '[]', '{ "agentLogs.agents" }', '{ "x": "agentLogs.agents" }'];
    for (const text of [...others, deep]) assert.deepEqual(marked(text), []);
  });

  it('are looked for only in settings files', () => {
    const user = '/home/me/.config/Code/User';
    const machine = '/home/me/.vscode-server/data/Machine';
    for (const folder of [user, `${user}/profiles/-4f1a`, '/c:/project/.vscode', machine]) {
      assert.deepEqual(settingsPathOf(`${folder}/settings.json`), [], folder);
    }
    assert.deepEqual(settingsPathOf('/project/my.code-workspace'), ['settings']);
    assert.equal(settingsPathOf('/home/me/.config/zed/settings.json'), undefined);
    assert.equal(settingsPathOf('/project/src/settings.json'), undefined);
  });
});
