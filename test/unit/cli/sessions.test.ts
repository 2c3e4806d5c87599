import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { tapPricesFile, writeTapPrices } from '../../../src/live/config/tapPrices';
import { tapFolder } from '../../../src/wire/journal/tapFolder';
import { ClaudeLines } from '../../support/claudeLines';
import { resultOf, useCli } from '../../support/cli';
import { runHere } from '../../support/cliHere';
import { column } from '../../support/columns';
import { linesText } from '../../support/journalText';
import { isWindows } from '../../support/platform';
import { makeSavedHome, savedHomeEnv } from '../../support/savedHome';
import { qwen } from '../../support/agentLines';

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');
const jsonOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

/** Windows ends other programs without asking them. */
const stoppedCode = isWindows ? null : 0;

describe('agent-logs sessions', () => {
  const cli = useCli();
  before(() => makeSavedHome(join(cli.folder, 'home')));

  /** Runs commands in a home with these files. */
  function inHome(name: string, files: Readonly<Record<string, string>> = {}) {
    const home = join(cli.folder, name);
    const env = { ...savedHomeEnv(home), XDG_STATE_HOME: join(home, 'state'), LOCALAPPDATA: join(home, 'state') };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    const prices = tapPricesFile(tapFolder({ platform: process.platform, env, home }));
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runHere(home, args, { env });
      return { code, lines: linesOf(stdout), stderr };
    };
    return { home, env, prices, run };
  }

  const run = (...args: string[]) => inHome('home').run(...args);

  it('prints a line for each', async () => {
    const { code, lines, stderr } = await run('sessions');
    assert.deepEqual([code, stderr, lines.length], [0, '', 14]);
    const line =
      /^\d{4}-\d\d-\d\d \d\d:\d\d {2}claude {4}failed {7}[^ …]{8} {2}What is it\? {2}\(\/home\/me\/project\)$/;
    assert.match(lines[0] ?? '', line);
  });

  it('prints JSON, of one agent and folder', async () => {
    const { lines } = await run('sessions', '--json', '--agent', 'codex', '--limit', '1');
    const [{ outcome, id, problem, usage } = {}, ...others] = jsonOf(lines);
    assert.deepEqual([outcome, id, usage], ['failed', '01a20285-9548-7473-a9f4-ba9391a0f1b8', undefined]);
    assert.match(String(problem), /^unexpected status 401/);
    assert.deepEqual(others, []);
  });

  it('prints those that fit a filter, and says if none does', async () => {
    const failed = await run('sessions', 'outcome:failed', '-agent:claude');
    assert.deepEqual([failed.code, failed.stderr], [0, '']);
    const agents = failed.lines.map((line) => line.slice(18, 37).trim().replace(/ +/, ' '));
    assert.deepEqual(agents, ['codex failed', 'gemini failed', 'qwen failed', 'copilot failed']);
    assert.equal((await run('sessions', 'parser tests')).lines.length, 1);
    for (const asked of [
      ['outcome:failed', 'model:nothing'],
      ['--folder', '/home/you'],
      ['--agent', 'goose'],
      ['--by', 'agent', '--folder', '/home/you'],
      ['--json', 'parser', '--agent', 'codex', '--folder', '/home/you', '--since', '2030-01-01'],
    ]) {
      const none = await run('sessions', ...asked);
      assert.deepEqual([none.code, none.lines], [0, ['']]);
      const shown = asked
        .filter((word) => !['--json', '--by', 'agent'].includes(word))
        .join(' ')
        .replace('/home/you', () => resolve('/home/you'));
      assert.equal(none.stderr, `agent-logs: no saved session fits ${shown}. To print a session, use "tail".\n`);
    }
  });

  it('says what each session does', async () => {
    const { lines } = await run('sessions', '--json', 'agent:claude,copilot');
    const states = jsonOf(lines).map(({ agent, state, since }) => `${String(agent)} ${String(state)} ${typeof since}`);
    assert.deepEqual(states, ['claude failed string', 'claude done string', 'copilot failed string']);
  });

  it('prints changes of state, redacted, until it is stopped', async () => {
    const id = '0c5f0f0e-0000-4000-8000-000000000001';
    const mark = (status: string): string =>
      linesText({ pid: process.pid, sessionId: id, status, waitingFor: 'permission prompt', statusUpdatedAt: 5 });
    const lines = new ClaudeLines(id);
    const secret = 'sk-ant-api03-' + 'Ab1'.repeat(31) + 'AA';
    const file = `.claude/projects/-home-dev-shop/${id}.jsonl`;
    const { home, env } = inHome('watched', {
      [file]: linesText(lines.prompt('u1', `Sort it\nwith ${secret}`), lines.call('u2', 'm1', [1, 1])),
      '.claude/sessions/1.json': mark('waiting'),
    });
    const children = [['--json'], []].map((more) => cli.start(['sessions', '--watch', ...more], env));
    const results = children.map(resultOf);
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    appendFileSync(join(home, file), linesText(lines.answer('u3', 'm2', [1, 1])));
    writeFileSync(join(home, '.claude/sessions/1.json'), mark('idle'));
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    for (const child of children) child.kill('SIGINT');
    const [json = '', text = ''] = (await Promise.all(results)).map(({ code, stdout, stderr }) => {
      assert.deepEqual([code, stderr], [stoppedCode, '']);
      return stdout.toString();
    });
    assert.doesNotMatch(json + text, /Ab1Ab1/);
    const shown = jsonOf(linesOf(json)).map(({ time, since, title, ...rest }) => {
      assert.ok([time, since, title].every((value) => typeof value === 'string'));
      return rest;
    });
    const about = { agent: 'claude', id, folder: '/home/dev/shop' };
    assert.deepEqual(shown, [
      { ...about, state: 'waiting', waitsFor: 'permission', subject: 'Bash: ls' },
      { ...about, before: 'waiting', state: 'done' },
    ]);
    assert.match(
      text,
      /^\S+ \d\d:\d\d {2}claude {4}waiting {6}00000001 {2}Sort it .*: waiting for you: permission for Bash: ls\n.* claude {4}done {9}00000001 {2}Sort it .*\n$/,
    );
  });

  it('adds up what the turns of a session used', async () => {
    const { lines } = await run('sessions', '--json', '--agent', 'claude');
    const usages = column(jsonOf(lines), 'usage');
    assert.deepEqual(usages, [
      { inputTokens: 510, outputTokens: 20, cachedTokens: 500, contextTokens: 530, basis: 'turn' },
      // The second one ends with a compaction.
      { inputTokens: 2550, outputTokens: 100, cachedTokens: 2500, contextTokens: 300, basis: 'turn' },
    ]);
  });

  it('adds up what sessions used by folder, branch, model, skill or agent', async () => {
    const sums = async (...args: string[]) =>
      jsonOf((await run('sessions', '--json', '--by', ...args)).lines).map(({ name, sessions, counted, usage }) => {
        return [name, sessions, counted, (usage as { inputTokens?: number }).inputTokens];
      });
    const names = { agent: 'Claude Code', folder: '/home/me/project', branch: 'main', skill: undefined };
    for (const [key, name] of Object.entries(names)) {
      assert.deepEqual(await sums(key, 'agent:claude'), [[name, 2, 2, 3060]]);
    }
    const [branches] = await sums('branch', 'agent:codex');
    assert.equal(branches?.[0], 'main');
    const { lines } = await run('sessions', '--by', 'agent', 'agent:claude');
    assert.deepEqual(lines, [
      'agent        sessions  input  cached  output  reported cost',
      'Claude Code         2  3,060   3,000     120              –',
    ]);
    const { lines: none, stderr } = await run('sessions', '--by', 'agent', 'agent:claude', '--since', '2027-01-01');
    assert.deepEqual([none, /fits agent:claude --since 2027-01-01/.test(stderr)], [[''], true]);
    const wrong = await run('sessions', '--by', 'colour');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /Give --by one of folder, branch, model, skill, agent\./);
  });

  it('computes cost by the user’s prices, beside what agents report', async () => {
    const { home, prices, run: priced } = inHome('priced');
    makeSavedHome(home);
    await writeTapPrices(prices, { 'claude-*': { input: 1000, output: 10_000, cachedRead: 100 } });
    const lines = async (...args: string[]) => (await priced('sessions', ...args)).lines;
    const byName = new Map(jsonOf(await lines('--json', '--by', 'agent')).map((sum) => [sum['name'], sum]));
    // 60 new tokens, 3,000 from the cache, 120 of output.
    assert.equal(byName.get('Claude Code')?.['computedUsd'], 1.56);
    assert.deepEqual([byName.get('pi')?.['computedUsd'], typeof byName.get('pi')?.['usage']], [undefined, 'object']);
    const [head = '', ...rows] = await lines('--by', 'agent');
    assert.match(head, /^agent .* reported cost {2}computed cost$/);
    assert.match(rows.join('\n'), /^Claude Code .* – +\$1\.56/m);
    assert.deepEqual(column(jsonOf(await lines('--json', 'agent:claude')), 'computedUsd').sort(), [0.26, 1.3]);
    writeFileSync(prices, '{"x": {"input": 1}}');
    const { code, stderr } = await priced('sessions', '--by', 'agent');
    assert.equal(code, 2);
    assert.match(stderr, /prices can't be read: .*prices\.json: x must have "input" and "output".*Mend or delete it/);
  });

  it('counts and prices a turn for the model that it used', async () => {
    const exchange = (prompt: string, model_id: string, input: number): object => {
      const token_usage = { input_tokens: input, output_tokens: 10 };
      const said = { request_message: prompt, response_text: 'Done.', request_id: prompt, model_id };
      const own = { ...said, response_nodes: [{ type: 10, token_usage }] };
      return { exchange: own, completed: true, finishedAt: '2026-11-28T13:00:01.150Z' };
    };
    const chatHistory = [exchange('First.', 'big', 1000), exchange('Second.', 'small', 400)];
    const about = { created: '2026-11-28T13:00:00.100Z', agentState: { userGuidelines: '' } };
    const session = { sessionId: '5d0f6c1e-0d0b-4c55-9c0e-3f7a2b6d1e45', ...about, chatHistory };
    const path = `.augment/sessions/${session.sessionId}.json`;
    const { prices, run: priced } = inHome('models', { [path]: JSON.stringify(session, undefined, 2) });
    await writeTapPrices(prices, { big: { input: 1000, output: 0 }, small: { input: 10, output: 0 } });
    assert.deepEqual((await priced('sessions', '--by', 'model')).lines, [
      'model  sessions  input  cached  output  reported cost  computed cost',
      'big           1  1,000       –      10              –          $1.00',
      'small         1    400       –      10              –         $0.004',
    ]);
    assert.match((await priced('sessions', '--by', 'agent')).lines.at(-1) ?? '', /^Auggie +1 +1,400 .* \$1\.00$/);
    assert.deepEqual(column(jsonOf((await priced('sessions', '--json')).lines), 'computedUsd'), [1.004]);
  });

  it('knows the model of each turn from the answers in it', async () => {
    const text = ['big 1000', 'small 400', 'small 100'].map((answer, n) => {
      const [model, input] = answer.split(' ');
      return linesText(
        qwen.line(2 * n, qwen.prompt('Go on.'), `p${n}`, n === 0 ? null : `a${n - 1}`),
        qwen.line(2 * n + 1, { ...qwen.answer(Number(input), 10), model }, `a${n}`, `p${n}`),
      );
    });
    const path = '.qwen/projects/-work/chats/bcf1ca69-97af-4452-a485-97b1e62cc8d3.jsonl';
    assert.deepEqual((await inHome('answers', { [path]: text.join('') }).run('sessions', '--by', 'model')).lines, [
      'model  sessions  input  cached  output  reported cost',
      'big           1  1,000       –      10              –',
      'small         1    500       –      20              –',
    ]);
  });

  it('counts a turn for the first skill that it took', async () => {
    const session = new ClaudeLines('0be0b1c6-1111-4222-8333-444455556666', '2026-11-20');
    const skill = { type: 'tool_use', id: 'tool-m1', name: 'Skill', input: { skill: 'pdf' } };
    const usage = { input_tokens: 100, output_tokens: 10 };
    const called = { id: 'm1', role: 'assistant', model: 'x', content: [skill], stop_reason: 'tool_use', usage };
    const text = linesText(
      session.prompt('u1', 'Make a PDF.'),
      session.line('assistant', 'u2', { message: called }),
      session.result('u3', 'm1'),
      session.answer('u4', 'm2', [100, 10]),
      session.prompt('u5', 'Thanks.'),
      session.answer('u6', 'm3', [100, 10]),
    );
    const { run: own } = inHome('skills', { [`.claude/projects/-work/${session.session}.jsonl`]: text });
    const head = 'skill       sessions  input  cached  output  reported cost';
    const pdf = 'pdf                1    200       –      20              –';
    const thanks = '(no skill)         1    100       –      10              –';
    assert.deepEqual((await own('sessions', '--by', 'skill')).lines, [head, pdf, thanks]);
    // Only the turn that began then or later.
    const { lines } = await own('sessions', '--by', 'skill', '--since', '2026-11-20T10:00:05Z');
    assert.deepEqual(lines, [head, thanks]);
  });

  it('says that there are none', async () => {
    const { code, stderr } = await inHome('empty').run('sessions');
    assert.deepEqual([code, stderr], [0, 'agent-logs: no saved sessions found.\n']);
  });

  it('are printed by the end of an id, with their subagents', async () => {
    const { code, lines } = await run('tail', '--json', 'f2f1b7a11');
    assert.equal(code, 0);
    const records = jsonOf(lines);
    assert.ok(records.some(({ message }) => message === 'One, in a.js.'));
    const { level, logger } = records.find(({ kind }) => kind === 'diagnosis') ?? {};
    assert.deepEqual([level, logger], ['notice', 'tool-failed']);
    assert.equal(records[0]?.['time'], '2026-11-20T10:00:01.000Z');
  });

  it('may be files of other places, and documents', async () => {
    const { lines } = await run('tail', 'test/fixtures/saved/opencode-export.json');
    assert.match(lines[0] ?? '', /session started: OpenCode 1\.18\.33/);
    const none = await run('tail', 'nosuchsession');
    assert.deepEqual([none.code, none.stderr.includes('nosuchsession does not exist')], [1, true]);
  });
});
