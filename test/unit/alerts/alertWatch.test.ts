import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { DiagnosisData } from '../../../src/diagnosis/diagnosis';
import type { LogRecord, RecordDraft } from '../../../src/text/record';
import { alertsIn } from '../../../src/alerts/alertSettings';
import type { AlertReport } from '../../../src/alerts/alertWatch';
import { AlertWatch } from '../../../src/alerts/alertWatch';
import type { RunPart } from '../../../src/alerts/runAlerts';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import type { RunLog } from '../../../src/runLog/runLog';
import { WireLine } from '../../../src/wire/wireLine';
import { rowsOf } from '../../support/columns';
import { emptyLog, now } from '../../support/queriedLog';

const hour = 3_600_000;

/** A run whose alerts are watched. */
class WatchedRun {
  readonly disabled: string[] = [];
  readonly shown: AlertReport<string>[] = [];
  readonly watch: AlertWatch<string>;
  readonly log: RunLog = emptyLog();
  private readonly reader = interpretation('stream-json', this.log);
  private readonly acp = interpretation('acp', this.log);
  private kept: unknown;
  time = now;

  constructor(...entries: readonly unknown[]) {
    const { alerts, mistakes } = alertsIn(entries);
    assert.deepEqual(mistakes, []);
    this.watch = new AlertWatch<string>(alerts, {
      memory: { get: () => this.kept, set: (total) => (this.kept = total) },
      now: () => this.time,
      onAlert: (report) => this.shown.push(report),
      onDisabled: (_alert, error) => this.disabled.push(String(error)),
    });
  }

  follow(part: Partial<RunPart> = {}): { dispose(): void } {
    const { log } = this;
    const whole: RunPart = { log, after: log.lastSeq, since: undefined, isReread: false, costs: 'own' };
    return this.watch.follow('the run', { ...whole, ...part });
  }

  /** Log messages, in one slice of the wire. */
  logged(...messages: readonly string[]): this {
    return this.recorded(...messages.map((message) => ({ message })));
  }

  recorded(...drafts: readonly Partial<RecordDraft>[]): this {
    const usual = { receivedAt: this.time, level: 'info', kind: 'log', message: 'x' } as const;
    for (const draft of drafts) this.log.record({ ...usual, ...draft });
    this.log.flush();
    return this;
  }

  /** A turn of Claude Code that costs this much more than those before. */
  turn(total: number, seconds = 1): this {
    this.line({ type: 'system', subtype: 'init', session_id: 's', tools: [], cwd: '/' });
    const message = { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'ok' }] };
    this.line({ type: 'assistant', session_id: 's', message });
    this.time += seconds * 1000;
    const end = { result: 'ok', total_cost_usd: total, usage: { input_tokens: 10, output_tokens: 5 } };
    return this.line({ type: 'result', subtype: 'success', session_id: 's', ...end });
  }

  line(message: object): this {
    const line = JSON.stringify(message);
    this.reader.accept(WireLine.of(this.time, 'a2c', line, { msg: message }));
    this.log.flush();
    return this;
  }

  /** A message of ACP. */
  message(dir: 'c2a' | 'a2c', message: object): this {
    const msg = { jsonrpc: '2.0', ...message };
    this.acp.accept(WireLine.of(this.time, dir, JSON.stringify(msg), { msg }));
    this.log.flush();
    return this;
  }

  /** The alerts, once there are as many. @param count 0 waits for a while */
  async alerts(count: number): Promise<readonly LogRecord[]> {
    const found = (): readonly LogRecord[] =>
      this.log.store.query({ kinds: ['diagnosis'] }).filter(({ logger }) => logger === 'alert');
    for (let tries = 0; tries < (count === 0 ? 5 : 5000) && (count === 0 || found().length < count); tries++) {
      await delay(10);
    }
    return found();
  }

  async messages(count: number): Promise<readonly string[]> {
    return (await this.alerts(count)).map(({ message }) => message);
  }
}

describe('alerts of a run', () => {
  let run: WatchedRun;

  function watched(...entries: readonly unknown[]): WatchedRun {
    return (run = new WatchedRun(...entries));
  }

  /** A followed run with these alerts. */
  function followed(...entries: readonly unknown[]): WatchedRun {
    watched(...entries).follow();
    return run;
  }

  afterEach(() => run.watch.dispose());

  it('record a match as a problem, with the record that matched', async () => {
    followed({ when: 'logger:deploy "rolled back"' });
    run.recorded({ logger: 'deploy', message: 'Rolled back to 41', sessionId: 'session-1' });
    run.logged('rolled back by somebody else');
    const [alert, ...others] = await run.alerts(1);
    assert.ok(alert);
    assert.deepEqual(others, []);
    const { level, message, data, sessionId } = alert;
    assert.deepEqual([level, message], ['warning', 'Rolled back to 41 (logger:deploy "rolled back").']);
    assert.equal(sessionId, 'session-1');
    const { code, count, evidence } = data as DiagnosisData;
    assert.deepEqual([code, count, evidence], ['alert', 1, [1]]);
    assert.deepEqual(rowsOf(run.shown, 'run', 'seq'), [`the run ${alert.seq}`]);
  });

  it('show the user’s own message', async () => {
    followed({ when: 'needle', message: 'Found `it` [here](command:evil)' });
    run.logged('a needle');
    assert.deepEqual(await run.messages(1), ['Found `it` [here](command:evil).']);
  });

  it('match what is new, not what was there before', async () => {
    watched({ when: 'needle' });
    run.logged('an old needle');
    const following = run.follow();
    assert.deepEqual(await run.messages(0), []);
    run.logged('a new needle');
    assert.deepEqual(await run.messages(1), ['a new needle (needle).']);
    following.dispose();
    run.logged('one more needle');
    assert.equal((await run.alerts(0)).length, 1);
  });

  it('match what arrived while the code was loading', async () => {
    watched({ when: 'needle' });
    run.logged('hay', 'a needle');
    run.follow({ after: 1 });
    assert.deepEqual(await run.messages(1), ['a needle (needle).']);
  });

  it('never match an alert', async () => {
    followed({ when: 'kind:diagnosis' }, { when: 'needle' }, { when: 'is:problem' }, { when: '-kind:log' });
    run.logged('a needle');
    assert.deepEqual(await run.messages(1), ['a needle (needle).']);
    await delay(300);
    run.logged('hay');
    await delay(300);
    assert.equal((await run.alerts(0)).length, 1);
  });

  it('match other problems', async () => {
    followed({ when: 'kind:diagnosis logger:failed-turn' });
    run.recorded({ kind: 'diagnosis', logger: 'failed-turn', level: 'error', message: 'Turn failed.' });
    assert.deepEqual(await run.messages(1), ['Turn failed. (kind:diagnosis logger:failed-turn).']);
  });

  it('match sessions by titles that come later', async () => {
    followed({ when: 'session:Deploy* level:error' });
    run.recorded({ sessionId: 'one', level: 'error', message: 'too early' });
    assert.deepEqual(await run.messages(0), []);
    run.log.session({ type: 'titled', sessionId: 'one', title: 'Deploy it' });
    run.recorded({ sessionId: 'one', level: 'error', message: 'failed' });
    assert.deepEqual(await run.messages(1), ['failed (session:Deploy* level:error).']);
  });

  it('report one of many matches at first', async () => {
    followed({ when: 'needle' });
    run.logged(...Array.from({ length: 5000 }, (_, n) => `needle ${n}`));
    assert.deepEqual(await run.messages(1), ['needle 0 (needle).']);
  });

  it('search a file that is read again only for what is newer', async () => {
    watched({ when: 'needle' });
    run.follow({ since: now, isReread: true });
    const read = (...times: readonly number[]): void => {
      run.log.clear();
      run.recorded(...times.map((at) => ({ receivedAt: at, message: `needle at ${at - now}` })));
    };
    read(now - 1000, now);
    assert.deepEqual(await run.messages(0), []);
    await delay(300);
    read(now - 1000, now, now + 5);
    assert.deepEqual(await run.messages(1), ['needle at 5 (needle).']);
    await delay(300);
    read(now - 1000, now, now + 5);
    assert.deepEqual(await run.messages(0), []);
    assert.equal(run.shown.length, 1);
  });

  it('disable a query that takes too long, once', async () => {
    followed({ when: '/(a+)+$/' }, { when: 'needle' });
    run.logged(`${'a'.repeat(40)}!`, 'a needle');
    while (run.disabled.length === 0) await delay(20);
    run.logged(`${'a'.repeat(40)}! needle`);
    assert.deepEqual(await run.messages(1), ['a needle (needle).']);
    assert.equal(run.disabled.length, 1);
    assert.match(run.disabled[0] ?? '', /too slow/);
  });

  it('report turns that cost too much, with the record of their end', async () => {
    followed({ when: { costPerTurn: 2 } });
    run.turn(1).turn(3.5).turn(5);
    const [alert, ...others] = await run.alerts(1);
    assert.deepEqual(others, []);
    assert.equal(alert?.message, 'The turn cost $2.50, which reaches the limit of $2.00.');
    const [end] = (alert.data as DiagnosisData).evidence;
    assert.match(run.log.store.get(end ?? 0)?.message ?? '', /ended/);
  });

  it('report the day’s costs once, in each alert', async () => {
    followed({ when: { costPerDay: 3 } }, { when: { costPerDay: 4 }, message: 'four' });
    run.turn(2).turn(3.5);
    assert.deepEqual(await run.messages(1), ["Today's turns cost $3.50, which reaches the limit of $3.00."]);
    run.turn(4);
    assert.deepEqual((await run.messages(2)).slice(1), ['four.']);
  });

  it('don’t count the costs of saved sessions', async () => {
    watched({ when: { costPerDay: 1 } });
    run.follow({ costs: 'none', since: now - hour, isReread: true });
    run.turn(2);
    assert.deepEqual(await run.messages(0), []);
  });

  it('ignore turns that ended before', async () => {
    watched({ when: { costPerTurn: 1 } });
    run.follow({ since: now + hour });
    run.turn(2);
    assert.deepEqual(await run.messages(0), []);
    run.time = now + 2 * hour;
    run.turn(4);
    assert.equal((await run.alerts(1)).length, 1);
  });

  it('report a context that is nearly full while the turn runs, with the newest record', async () => {
    followed({ when: { context: 90 } });
    const used = (tokens: number): object => {
      const update = { sessionUpdate: 'usage_update', used: tokens, size: 200_000 };
      return { method: 'session/update', params: { sessionId: 'session-1', update } };
    };
    run.message('c2a', { id: 1, method: 'session/new', params: { cwd: '/' } });
    run.message('a2c', { id: 1, result: { sessionId: 'session-1' } });
    const prompt = [{ type: 'text', text: 'go' }];
    run.message('c2a', { id: 2, method: 'session/prompt', params: { sessionId: 'session-1', prompt } });
    run.message('a2c', used(170_000));
    assert.deepEqual(await run.messages(0), []);
    run.message('a2c', used(181_000)).message('a2c', used(185_000));
    const [alert, ...others] = await run.alerts(1);
    assert.deepEqual(others, []);
    assert.equal(alert?.message, 'The context is 90 % full (181000 of 200000 tokens).');
    const [evidence] = (alert.data as DiagnosisData).evidence;
    assert.match(run.log.store.get(evidence ?? 0)?.message ?? '', /^181000 .*tokens used/);
  });

  it('report a limit of the account once in its period, from streams and from ACP', async () => {
    const resets = Math.floor(now / 1000) + 3600;
    const until = new Date(resets * 1000).toISOString();
    const event = (utilization: number): Record<string, unknown> => {
      const about = { status: 'allowed', rateLimitType: 'five_hour', utilization, resetsAt: resets };
      return { type: 'rate_limit_event', rate_limit_info: about, session_id: 's' };
    };
    const init = { type: 'system', subtype: 'init', session_id: 's', tools: [], cwd: '/' };
    const forwarded = (message: object) => ({ method: '_claude/sdkMessage', params: { sessionId: 's', message } });
    for (const report of [
      (used: number) => run.line(event(used)),
      (used: number) => run.message('a2c', forwarded(event(used))),
    ]) {
      followed({ when: { limit: 80 } });
      run.line(init);
      report(0.5);
      assert.deepEqual(await run.messages(0), []);
      report(0.81);
      report(0.85);
      assert.deepEqual(await run.messages(1), [`The limit “five hour” is 81 % used, until ${until}.`]);
    }
  });

  it('report a turn that runs for long while nothing arrives', async () => {
    followed({ when: { turnMinutes: 0.001 } });
    run.line({ type: 'system', subtype: 'init', session_id: 's', tools: [], cwd: '/' });
    assert.deepEqual(await run.messages(0), []);
    run.time += 60;
    await delay(80);
    assert.deepEqual(await run.messages(1), ['The turn has been running for 60 ms.']);
  });
});
