import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tapPricesFile, writeTapPrices } from '../../../src/live/config/tapPrices';
import { tapFolder } from '../../../src/wire/journal/tapFolder';
import { ClaudeLines } from '../../support/claudeLines';
import { resultOf, useCli } from '../../support/cli';
import { runHere } from '../../support/cliHere';
import { isWindows } from '../../support/platform';
import { makeSavedHome, savedHomeEnv } from '../../support/savedHome';
import { qwen } from '../../support/agentLines';

const linesText = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');

/** Windows ends other programs without asking them. */
const stoppedCode = isWindows ? null : 0;

describe('agent-logs sessions', () => {
  const cli = useCli();
  let home: string;
  before(() => {
    home = join(cli.folder, 'home');
    makeSavedHome(home);
  });

  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere(home, args, { env: savedHomeEnv(home) });
    return { code, lines: linesOf(stdout), stderr };
  };

  it('prints a line for each', async () => {
    const { code, lines, stderr } = await run('sessions');
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(lines.length, 14);
    assert.match(
      lines[0] ?? '',
      /^\d{4}-\d\d-\d\d \d\d:\d\d {2}claude {4}failed {7}[^ …]{8} {2}What is it\? {2}\(\/home\/me\/project\)$/,
    );
  });

  it('prints JSON, of one agent and folder', async () => {
    const { lines } = await run('sessions', '--json', '--agent', 'codex', '--limit', '1');
    const [session] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(lines.length, 1);
    assert.equal(session?.['outcome'], 'failed');
    assert.equal(session['id'], '01a20285-9548-7473-a9f4-ba9391a0f1b8');
    assert.match(String(session['problem']), /^unexpected status 401/);
    assert.equal(session['usage'], undefined);
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
    const states = lines.map((line) => {
      const { agent, state, since } = JSON.parse(line) as Record<string, unknown>;
      return `${String(agent)} ${String(state)} ${typeof since}`;
    });
    assert.deepEqual(states, ['claude failed string', 'claude done string', 'copilot failed string']);
  });

  it('prints changes of state, redacted, until it is stopped', async () => {
    const other = join(cli.folder, 'watched');
    const project = join(other, '.claude/projects/-home-dev-shop');
    const marks = join(other, '.claude/sessions');
    mkdirSync(project, { recursive: true });
    mkdirSync(marks);
    const id = '0c5f0f0e-0000-4000-8000-000000000001';
    const mark = (status: string): void => {
      const own = { pid: process.pid, sessionId: id, status, waitingFor: 'permission prompt', statusUpdatedAt: 5 };
      writeFileSync(join(marks, '1.json'), JSON.stringify(own));
    };
    const lines = new ClaudeLines(id);
    const file = join(project, `${id}.jsonl`);
    const write = (...some: readonly object[]): void => appendFileSync(file, linesText(some));
    const secret = 'sk-ant-api03-' + 'Ab1'.repeat(31) + 'AA';
    write(lines.prompt('u1', `Sort it\nwith ${secret}`), lines.call('u2', 'm1', [1, 1]));
    mark('waiting');
    const children = [['--json'], []].map((more) => cli.start(['sessions', '--watch', ...more], savedHomeEnv(other)));
    const results = children.map(resultOf);
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    write(lines.answer('u3', 'm2', [1, 1]));
    mark('idle');
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    for (const child of children) child.kill('SIGINT');
    const [json, text] = (await Promise.all(results)).map(({ code, stdout, stderr }) => {
      assert.deepEqual([code, stderr], [stoppedCode, '']);
      return stdout.toString();
    });
    assert.doesNotMatch(`${json ?? ''}${text ?? ''}`, /Ab1Ab1/);
    const shown = linesOf(json ?? '').map((line) => {
      const { time, since, title, ...rest } = JSON.parse(line) as Record<string, unknown>;
      assert.ok([time, since, title].every((value) => typeof value === 'string'));
      return rest;
    });
    const about = { agent: 'claude', id, folder: '/home/dev/shop' };
    assert.deepEqual(shown, [
      { ...about, state: 'waiting', waitsFor: 'permission', subject: 'Bash: ls' },
      { ...about, before: 'waiting', state: 'done' },
    ]);
    const [first = '', second = '', ...rest] = linesOf(text ?? '');
    assert.match(
      first,
      /^\S+ \d\d:\d\d {2}claude {4}waiting {6}00000001 {2}Sort it .*: waiting for you: permission for Bash: ls$/,
    );
    assert.match(second, /claude {4}done {9}00000001 {2}Sort it /);
    assert.deepEqual(rest, []);
  });

  it('adds up what the turns of a session used', async () => {
    const { lines } = await run('sessions', '--json', '--agent', 'claude');
    const usages = lines.map((line) => (JSON.parse(line) as { readonly usage?: unknown }).usage);
    assert.deepEqual(usages, [
      { inputTokens: 510, outputTokens: 20, cachedTokens: 500, contextTokens: 530, basis: 'turn' },
      // The second one ends with a compaction.
      { inputTokens: 2550, outputTokens: 100, cachedTokens: 2500, contextTokens: 300, basis: 'turn' },
    ]);
  });

  it('adds up what sessions used by folder, branch, model, skill or agent', async () => {
    const sums = async (...args: string[]) =>
      (await run('sessions', '--json', '--by', ...args)).lines.map((line) => {
        const { name, sessions, counted, usage } = JSON.parse(line) as Record<string, unknown>;
        return [name, sessions, counted, (usage as { inputTokens?: number }).inputTokens];
      });
    assert.deepEqual(await sums('agent', 'agent:claude'), [['Claude Code', 2, 2, 3060]]);
    assert.deepEqual(await sums('folder', 'agent:claude'), [['/home/me/project', 2, 2, 3060]]);
    assert.deepEqual(await sums('branch', 'agent:claude'), [['main', 2, 2, 3060]]);
    assert.deepEqual(await sums('skill', 'agent:claude'), [[undefined, 2, 2, 3060]]);
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
    const home = join(cli.folder, 'priced');
    makeSavedHome(home);
    const env = { ...savedHomeEnv(home), XDG_STATE_HOME: join(home, 'state'), LOCALAPPDATA: join(home, 'state') };
    const path = tapPricesFile(tapFolder({ platform: process.platform, env, home }));
    await writeTapPrices(path, { 'claude-*': { input: 1000, output: 10_000, cachedRead: 100 } });
    const lines = async (...args: string[]): Promise<readonly string[]> =>
      linesOf((await runHere(home, ['sessions', ...args], { env })).stdout);
    const sums = (await lines('--json', '--by', 'agent')).map((line) => JSON.parse(line) as Record<string, unknown>);
    const byName = new Map(sums.map((sum) => [sum['name'], sum]));
    // 60 new tokens, 3,000 from the cache, 120 of output.
    assert.equal(byName.get('Claude Code')?.['computedUsd'], 1.56);
    assert.deepEqual([byName.get('pi')?.['computedUsd'], typeof byName.get('pi')?.['usage']], [undefined, 'object']);
    assert.match(
      (await lines('--by', 'agent')).join('\n'),
      /^agent .* reported cost {2}computed cost\n(?:.*\n)*Claude Code .* – +\$1\.56/,
    );
    const each = (await lines('--json', 'agent:claude')).map((line) => JSON.parse(line) as { computedUsd?: number });
    assert.deepEqual(each.map(({ computedUsd }) => computedUsd).sort(), [0.26, 1.3]);
    writeFileSync(path, '{"x": {"input": 1}}');
    const { code, stderr } = await runHere(home, ['sessions', '--by', 'agent'], { env });
    assert.equal(code, 2);
    assert.match(
      stderr,
      /your prices can't be read: .*prices\.json: x must have "input" and "output".*Mend or delete it/,
    );
  });

  it('counts and prices a turn for the model that it used', async () => {
    const home = join(cli.folder, 'models');
    const env = { ...savedHomeEnv(home), XDG_STATE_HOME: join(home, 'state'), LOCALAPPDATA: join(home, 'state') };
    const exchange = (prompt: string, model_id: string, input: number): object => {
      const token_usage = { input_tokens: input, output_tokens: 10 };
      const said = { request_message: prompt, response_text: 'Done.', request_id: prompt, model_id };
      const own = { ...said, response_nodes: [{ type: 10, token_usage }] };
      return { exchange: own, completed: true, finishedAt: '2026-11-28T13:00:01.150Z' };
    };
    const chatHistory = [exchange('First.', 'big', 1000), exchange('Second.', 'small', 400)];
    const about = { created: '2026-11-28T13:00:00.100Z', agentState: { userGuidelines: '' } };
    const session = { sessionId: '5d0f6c1e-0d0b-4c55-9c0e-3f7a2b6d1e45', ...about, chatHistory };
    mkdirSync(join(home, '.augment/sessions'), { recursive: true });
    writeFileSync(join(home, `.augment/sessions/${session.sessionId}.json`), JSON.stringify(session, undefined, 2));
    const path = tapPricesFile(tapFolder({ platform: process.platform, env, home }));
    await writeTapPrices(path, { big: { input: 1000, output: 0 }, small: { input: 10, output: 0 } });
    const sums = async (key: string): Promise<readonly string[]> =>
      linesOf((await runHere(home, ['sessions', '--by', key], { env })).stdout);
    assert.deepEqual(await sums('model'), [
      'model  sessions  input  cached  output  reported cost  computed cost',
      'big           1  1,000       –      10              –          $1.00',
      'small         1    400       –      10              –         $0.004',
    ]);
    assert.match((await sums('agent')).at(-1) ?? '', /^Auggie +1 +1,400 .* \$1\.00$/);
    const { stdout } = await cli.run(['sessions', '--json'], '', env);
    assert.equal((JSON.parse(stdout.toString()) as { computedUsd?: number }).computedUsd, 1.004);
  });

  it('knows the model of each turn from the answers in it', async () => {
    const home = join(cli.folder, 'answers');
    const chats = join(home, '.qwen/projects/-work/chats');
    mkdirSync(chats, { recursive: true });
    const answers = [
      ['big', 1000],
      ['small', 400],
      ['small', 100],
    ] as const;
    const lines = answers.flatMap(([model, input], n) => [
      qwen.line(2 * n, qwen.prompt('Go on.'), `p${n}`, n === 0 ? null : `a${n - 1}`),
      qwen.line(2 * n + 1, { ...qwen.answer(input, 10), model }, `a${n}`, `p${n}`),
    ]);
    writeFileSync(join(chats, 'bcf1ca69-97af-4452-a485-97b1e62cc8d3.jsonl'), linesText(lines));
    const { stdout } = await runHere(home, ['sessions', '--by', 'model'], { env: savedHomeEnv(home) });
    assert.deepEqual(linesOf(stdout), [
      'model  sessions  input  cached  output  reported cost',
      'big           1  1,000       –      10              –',
      'small         1    500       –      20              –',
    ]);
  });

  it('counts a turn for the first skill that it took', async () => {
    const other = join(cli.folder, 'skills');
    const env = savedHomeEnv(other);
    const project = join(other, '.claude/projects/-work');
    mkdirSync(project, { recursive: true });
    const session = new ClaudeLines('0be0b1c6-1111-4222-8333-444455556666', '2026-11-20');
    const skill = { type: 'tool_use', id: 'tool-m1', name: 'Skill', input: { skill: 'pdf' } };
    const usage = { input_tokens: 100, output_tokens: 10 };
    const called = { id: 'm1', role: 'assistant', model: 'x', content: [skill], stop_reason: 'tool_use', usage };
    const lines = [
      session.prompt('u1', 'Make a PDF.'),
      session.line('assistant', 'u2', { message: called }),
      session.result('u3', 'm1'),
      session.answer('u4', 'm2', [100, 10]),
      session.prompt('u5', 'Thanks.'),
      session.answer('u6', 'm3', [100, 10]),
    ];
    writeFileSync(join(project, `${session.session}.jsonl`), linesText(lines));
    const bySkill = async (...args: string[]): Promise<readonly string[]> => {
      return linesOf((await runHere(other, ['sessions', '--by', 'skill', ...args], { env })).stdout);
    };
    const head = 'skill       sessions  input  cached  output  reported cost';
    const thanks = '(no skill)         1    100       –      10              –';
    assert.deepEqual(await bySkill(), [head, 'pdf                1    200       –      20              –', thanks]);
    // Only the turn that began then or later.
    assert.deepEqual(await bySkill('--since', '2026-11-20T10:00:05Z'), [head, thanks]);
  });

  it('says that there are none', async () => {
    mkdirSync(join(cli.folder, 'empty'), { recursive: true });
    const { code, stderr } = await runHere(join(cli.folder, 'empty'), ['sessions']);
    assert.deepEqual([code, stderr], [0, 'agent-logs: no saved sessions found.\n']);
  });

  it('are printed by the end of an id, with their subagents', async () => {
    const { code, lines } = await run('tail', '--json', 'f2f1b7a11');
    assert.equal(code, 0);
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
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
