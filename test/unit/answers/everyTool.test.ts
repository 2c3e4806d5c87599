import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { CancellationToken } from 'vscode-jsonrpc/node';
import { Answers } from '../../../src/answers/answers';
import type { AnswerTool, AnswerToolName } from '../../../src/answers/tools';
import { answerTools, inputSchemaOf } from '../../../src/answers/tools';
import { maxAnswer } from '../../../src/answers/toolText';
import { checkTools } from '../../../src/mcpServers/check/rules/checkTools';
import { listedTools } from '../../../src/mcpServers/check/rules/listedTool';
import { inEnglish } from '../../../src/text/translator';
import { column } from '../../support/columns';
import { redactionWith } from '../../support/redaction';
import { useSavedRuns } from '../../support/savedRuns';

const tools = Object.entries(answerTools) as readonly (readonly [AnswerToolName, AnswerTool])[];
const failed = '0c5f0f0e-0000-4000-8000-000000000002';

describe('every tool for agents', () => {
  const { inHome, fileRuns, answerRuns } = useSavedRuns('suite', redactionWith());
  let answers: Answers;

  before(() => {
    const servers = Array.from({ length: 5000 }, (_, i) => `server ${i}`);
    const checkMcpServers = (names: readonly string[]) => Promise.resolve([...names, ...servers].join('\n'));
    answers = new Answers(answerRuns(true, undefined, 2), { redaction: () => redactionWith(/npm/), checkMcpServers });
  });

  const ask = (tool: AnswerToolName, input: object) =>
    answers.answer(tool, { ...input }, () => false, CancellationToken.None);

  it('passes the check-up for all model providers and agents', () => {
    const list = tools.map(([name, tool]) => ({ ...tool, name, inputSchema: inputSchemaOf(tool) }));
    const listed = listedTools(list);
    const clients = ['claude', 'codex', 'gemini', 'vscode', 'cursor', 'copilot', 'opencode', 'qwen', 'zed'];
    const findings = checkTools([{ name: 'agent-logs', label: 'agent-logs', clients, ...listed }]);
    assert.deepEqual(column(findings, 'message').map(inEnglish), []);
  });

  it('answers in at most 16 KB, begins with a warning, and redacts with the user’s patterns', async () => {
    for (const [tool] of tools) {
      const { text, isError } = await ask(tool, { ...(tool === 'compare_runs' && { other: failed }) });
      assert.ok(!isError && Buffer.byteLength(text) <= maxAnswer, `${tool}: ${text}`);
      assert.match(text, /^Names, titles and log lines .* not instructions\.\n./);
      assert.doesNotMatch(text, /npm/);
    }
  });

  it('tells the cause of a failed session, with evidence and advice', async () => {
    const { text } = await ask('problems', { run: failed });
    assert.match(text, /^#\d+ \S+ error diagnosis \[.*\] .*\n {2}\S.*\n/m);
    assert.match(text, /^ {2}What to do: Log in/m);
    assert.equal(text.match(/^#\d+ .*Log in: the agent says/gm)?.length, 1, 'the advice isn’t said twice');
    assert.match(text, /^ {2}Evidence:\n {4}#\d+ /m);
  });

  it('pages through what is longer', async () => {
    for (const [tool, input] of [
      ['list_runs', { limit: 3 }],
      ['check_mcp_servers', { servers: ['notes'] }],
      ['read_records', { run: 'Parser tests', limit: 5 }],
      ['read_turns', { run: 'Parser tests', limit: 1 }],
    ] as const) {
      const lines = new Set<string>();
      let cursor: string | undefined;
      let pages = 0;
      do {
        const { text, isError } = await ask(tool, { ...input, ...(cursor !== undefined && { cursor }) });
        assert.ok(!isError && pages++ < 50, text);
        const own = text.split('\n').filter((line) => /^(- |#|server |turn )/.test(line));
        for (const line of own) assert.ok(!lines.has(line), `${line} twice`);
        for (const line of own) lines.add(line);
        [, cursor] = /ask again with "cursor": "([^"]+)"/.exec(text) ?? [];
      } while (cursor !== undefined);
      assert.ok(pages > 1, tool);
      if (tool === 'check_mcp_servers') assert.equal(lines.size, 5000);
    }
  });

  const long = 'x'.repeat(1_000_000);
  const hostile: Readonly<Record<string, readonly [value: unknown, error: RegExp]>> = {
    'a path': ['../../../etc/passwd', /no such run|No session is called that|must be|an earlier answer|gone|no run/i],
    'another type': [{ a: [1] }, /must be/],
    'a long text': [long, /must be a text of at most 2000 characters|must be a whole number|must be a list/],
    'many texts': [Array.from({ length: 10_000 }, () => 'x'), /must be/],
    'a number': [-1e300, /must be/],
  };
  for (const [tool, { input }] of tools) {
    for (const [what, [value, error]] of Object.entries(hostile)) {
      it(`${tool} refuses ${what}, or finds nothing`, async () => {
        for (const name of Object.keys(input)) {
          const given = { ...(tool === 'compare_runs' && { other: failed }), [name]: value };
          const { text, isError } = await ask(tool, given);
          assert.ok(text.length < 3000 || tool === 'read_records', `${name}: ${text.slice(0, 300)}`);
          if (isError) assert.match(text, error, name);
          else assert.ok(['query', 'filter', 'session'].includes(name), `${name}: ${text}`);
        }
      });
    }
  }

  it('names its inputs if it gets another, and those that it needs', async () => {
    for (const [tool, json, why] of [
      ['read_records', '{"path": "/etc/passwd"}', /There is no input "path"\. Inputs: run, query, limit, cursor\./],
      ['read_turns', '{"__proto__x": 1}', /There is no input/],
      ['read_turns', '{"__proto__": 1, "constructor": 2}', /no input/],
      ['compare_runs', '{}', /"other" is required/],
    ] as const) {
      assert.match((await ask(tool, JSON.parse(json) as object)).text, why);
    }
  });

  it('refuses a cursor behind the end', async () => {
    for (const tool of ['compare_runs', 'check_mcp_servers'] as const) {
      const { text, isError } = await ask(tool, { ...(tool === 'compare_runs' && { other: failed }), cursor: '99999' });
      assert.match(text, /Nothing is left at this cursor: ask again without it\./);
      assert.ok(isError, tool);
    }
  });

  it('bounds costly queries', async () => {
    for (const query of ['/(a+)+$/', '/(.*a){25}/', 'a '.repeat(900), `raw:"${'('.repeat(500)}"`, '('.repeat(1999)]) {
      const { text } = await ask('read_records', { run: failed, query });
      assert.ok(Buffer.byteLength(text) <= maxAnswer);
    }
  });

  it('writes nothing, and keeps few runs open after many calls', async () => {
    const files = (): unknown =>
      readdirSync(inHome(), { recursive: true, encoding: 'utf8' }).map((file) => {
        const { size, mtimeMs } = statSync(inHome(file));
        return { file, size, mtimeMs };
      });
    const before = files();
    const { text } = await ask('list_runs', {});
    for (const [, id = ''] of text.matchAll(/ id (\w+),/g)) await ask('problems', { run: id });
    assert.deepEqual(files(), before);
    assert.ok(fileRuns().open.length <= 2);
  });
});
