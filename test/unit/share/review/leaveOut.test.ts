import * as assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectRun } from '../../../../src/share/collectRun';
import { choiceOf, including } from '../../../../src/share/review/choice';
import { Pauses } from '../../../../src/share/review/pauses';
import { reviewed } from '../../../../src/share/review/reviewed';
import type { SharedContent, SharedRun } from '../../../../src/share/sharedRun';
import { sharedContents } from '../../../../src/share/sharedRun';
import { column } from '../../../support/columns';
import { entry, header, linesText } from '../../../support/journalText';
import { readRun } from '../../../support/runPlaces';

const session = '0b5e9a0c-6c1f-4e6b-9a53-2f1d3c4b5a69';
const prompt = 'Please find out why PROMPTMARK fails when the parser meets an empty file';
const answer = 'The parser ANSWERMARK reads past the end of the buffer, which is why it fails';
const thought = 'I should look for THOUGHTMARK in the sources of the parser before I answer';
const command = 'grep -rn TOOLINMARK src/parser';
const output = 'src/parser/read.ts: no TOOLOUTMARK in the table of contents of the parser';
const stderr = 'fatal: STDERRMARK could not be loaded from the cache of the parser, giving up';

const updates = (sessionUpdate: string, update: object): object => ({
  ...{ jsonrpc: '2.0', method: 'session/update' },
  params: { sessionId: session, update: { sessionUpdate, ...update } },
});
const asks = (id: number | string, method: string, params: object): object => ({ jsonrpc: '2.0', id, method, params });
const text = (words: string): object => ({ content: { type: 'text', text: words } });
const call = { toolCallId: 'call_1', title: command };
const failed = { code: -32603, message: `Could not answer "${prompt}": ${output}` };
const logged = { level: 'info', logger: 'model', data: { request: prompt, response: answer, result: output } };

const done = { toolCallId: 'call_1', status: 'failed', content: [{ type: 'content', ...text(output) }] };

/** Each text is also where it is quoted: titles, log messages, errors, standard error. */
const acp: readonly (readonly ['c2a' | 'a2c' | 'err' | 'ev', object | string])[] = [
  ['ev', { ev: 'spawn', pid: 4, command: ['agent'], cwd: '/home/dev/project' }],
  ['c2a', asks(0, 'initialize', { protocolVersion: 1 })],
  ['a2c', { jsonrpc: '2.0', id: 0, result: { protocolVersion: 1, agentInfo: { name: 'agent', version: '1' } } }],
  ['c2a', asks(1, 'session/new', { cwd: '/home/dev/project', mcpServers: [] })],
  ['a2c', { jsonrpc: '2.0', id: 1, result: { sessionId: session } }],
  ['c2a', asks(2, 'session/prompt', { sessionId: session, prompt: [{ type: 'text', text: prompt }] })],
  ['a2c', updates('session_info_update', { title: prompt.slice(0, 40) })],
  ['err', `DEBUG sending {"role":"user","content":"${prompt}\\nand"} to the model`],
  ['a2c', updates('agent_thought_chunk', text(thought))],
  ['a2c', updates('agent_message_chunk', text(answer))],
  ['a2c', updates('tool_call', { ...call, kind: 'execute', status: 'in_progress', rawInput: { command } })],
  ['c2a', asks('p', 'session/request_permission', { sessionId: session, toolCall: call, options: [] })],
  ['a2c', updates('tool_call_update', { ...done, rawOutput: { exitCode: 2, output } })],
  ['a2c', { jsonrpc: '2.0', method: 'logging/message', params: logged }],
  ['err', `info: the answer was "${answer}" after ${output}`],
  ['err', stderr],
  ['a2c', { jsonrpc: '2.0', id: 2, error: failed }],
  ['ev', { ev: 'exit', code: 3, signal: null }],
];

const said = [
  { type: 'thinking', thinking: thought },
  { type: 'text', text: answer },
  { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command } },
];
const model = 'claude-opus-4-1';
const usage = { input_tokens: 12, output_tokens: 7 };
const result = { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: output };
const claude: readonly object[] = [
  { type: 'system', subtype: 'init', cwd: '/home/dev/project', model, tools: [] },
  { type: 'user', message: { role: 'user', content: prompt } },
  { type: 'assistant', message: { id: 'msg_1', role: 'assistant', model, usage, content: said } },
  { type: 'user', message: { role: 'user', content: [result] } },
  // Events of a later version, by names that records have, too.
  ...['tool', 'agent', 'prompt', 'thought', 'plan', 'edit'].map((type) => {
    return { type, note: [prompt, answer, thought, command, output] };
  }),
  { type: 'result', subtype: 'success', is_error: true, result: answer, num_turns: 1 },
].map((line) => ({ ...line, session_id: session }));

const ofContent = {
  ...{
    PROMPTMARK: 'prompts',
    ANSWERMARK: 'answers',
    THOUGHTMARK: 'answers',
    TOOLINMARK: 'tools',
    TOOLOUTMARK: 'tools',
  },
  STDERRMARK: 'stderr',
};
const marks = Object.entries(ofContent).map(([mark, content]) => [content, mark] as const);

describe('leaving out', () => {
  let folder: string;
  const recorded = new Map<string, SharedRun>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leave-out-'));
    const lines = acp.map(([dir, line], index) => {
      const fields = typeof line === 'string' ? { line } : { line: JSON.stringify(line) };
      return entry(1000 * index, dir, dir === 'ev' ? (line as object) : fields);
    });
    await writeFile(join(folder, 'acp.ndjson'), header({ agent: 'agent', cwd: '/' }) + lines.join(''));
    await writeFile(join(folder, 'claude.jsonl'), linesText(...claude));
    for (const name of ['acp.ndjson', 'claude.jsonl']) {
      const run = await readRun(join(folder, name));
      recorded.set(name, await collectRun(run, { part: { type: 'run' }, now: 1 }));
      await run.dispose();
    }
  });

  after(() => rm(folder, { recursive: true }));

  const nobody = { users: [], hosts: [] };
  const shared = (name: string, include: readonly SharedContent[]): Promise<SharedRun> =>
    reviewed(recorded.get(name) ?? assert.fail(), including(include), nobody, new Pauses());

  it('keeps everything if everything is included', async () => {
    for (const [name, run] of recorded) {
      const { include } = choiceOf('full');
      const same = await reviewed(run, { include, replacesPersonal: false, cutsSuspects: false }, nobody, new Pauses());
      assert.deepEqual(same, run, name);
    }
  });

  it('has each text in several places to begin with', () => {
    const json = JSON.stringify(recorded.get('acp.ndjson'));
    for (const [, mark] of marks) assert.ok(json.split(mark).length > 3, mark);
    const { termination, spans = [], records = [], sessions = [] } = recorded.get('acp.ndjson') ?? {};
    assert.match(JSON.stringify(termination), /STDERRMARK/);
    assert.match(spans.map(({ title }) => title).join(), /PROMPTMARK.*TOOLINMARK/);
    assert.match(sessions.map(({ title = '' }) => title).join(), /PROMPTMARK/);
    const problems = records.filter(({ kind }) => kind === 'diagnosis');
    assert.match(JSON.stringify(problems), /PROMPTMARK/);
  });

  for (const name of ['acp.ndjson', 'claude.jsonl']) {
    for (const left of sharedContents) {
      it(`leaves ${left} out of ${name} wherever they are`, async () => {
        const rest = sharedContents.filter((content) => content !== left);
        const run = await shared(name, rest);
        const json = JSON.stringify(run);
        for (const [content, mark] of marks) if (content === left) assert.ok(!json.includes(mark), mark);
        const isThere = run.records.some(({ message }) => message.startsWith('left out: '));
        const isWire = run.messages.some(({ message = '' }) => message.startsWith('left out: message of '));
        if (left !== 'stderr') assert.ok(left === 'wire' ? isWire : isThere);
        if (left === 'wire' || left === 'stderr') return;
        for (const [content, mark] of marks) {
          const isKept = content !== left && content !== 'stderr';
          assert.ok(!isKept || json.includes(mark), `${mark} is left out, too`);
        }
      });
    }

    it(`leaves everything out of ${name} with the smallest preset`, async () => {
      const json = JSON.stringify(await shared(name, []));
      for (const [, mark] of marks) assert.ok(!json.includes(mark), mark);
    });
  }

  it('says what is left out, and how much', async () => {
    const { records, spans, cut } = await shared('acp.ndjson', ['answers', 'stderr']);
    const said = records.find(({ logger }) => logger === 'prompt');
    assert.equal(said?.message, `left out: prompt of ${prompt.length} characters`);
    const titles = ['left out: prompt of 72 characters', 'left out: tool call of 30 characters'];
    assert.deepEqual(column(spans, 'title'), titles);
    const contents = cut.map((one) => ('content' in one ? one.content : one.type));
    assert.deepEqual(contents, ['prompts', 'tools', 'wire', 'stderr']);
  });

  it('keeps the problem when its quotation is left out', async () => {
    const { records } = await shared('acp.ndjson', []);
    const problems = records.filter(({ kind }) => kind === 'diagnosis');
    assert.match(column(problems, 'message').join('\n'), /[Tt]urn failed/);
  });

  it('leaves out bodies of messages with any content that they carry', async () => {
    for (const left of ['prompts', 'answers', 'tools'] as const) {
      const rest = sharedContents.filter((content) => content !== left);
      const { messages } = await shared('claude.jsonl', rest);
      assert.ok(messages.length > 0);
      for (const { message = '' } of messages) assert.match(message, /^left out: message of /);
    }
  });

  it('keeps only names, codes and its own words of what it leaves out', async () => {
    const { name, records, spans, sessions, termination } = await shared('acp.ndjson', []);
    assert.equal(name, 'Agent run (Agent Client Protocol)');
    const server = { ...(recorded.get('acp.ndjson') ?? assert.fail()), protocol: 'mcp' } as const;
    const shownAs = await reviewed(server, including([]), nobody, new Pauses());
    assert.equal(shownAs.name, 'Server run (Model Context Protocol)');
    assert.ok(sessions.every(({ title }) => title === undefined));
    const problem = records.find(({ kind }) => kind === 'diagnosis') ?? assert.fail();
    assert.equal((problem.data as { code: string }).code, problem.logger);
    assert.ok(records.some(({ message }) => message.startsWith('session created in ')));
    assert.equal(spans[0]?.outcome, 'error');
    assert.equal(termination?.exitCode, 3);
  });
});
