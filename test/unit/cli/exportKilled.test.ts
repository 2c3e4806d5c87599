import assert from 'node:assert/strict';
import { once } from 'node:events';
import { useCli } from '../../support/cli';
import { makeManySessions } from '../../support/manySessions';
import type { Answer } from '../../support/otlpReceiver';
import { OtlpReceiver } from '../../support/otlpReceiver';
import { savedHomeEnv } from '../../support/savedHome';

/** Of one request, as `otlp/engine/outbox` limits it. */
const batch = 512;

describe('an export that breaks off', () => {
  const cli = useCli();
  let receiver: OtlpReceiver;
  let home: string;
  let env: NodeJS.ProcessEnv;
  /** The IDs of all that the sessions have, by an export that nothing disturbs. */
  let all: ReadonlySet<string>;

  before(async () => {
    home = cli.newFolder();
    makeManySessions(home, { count: 120, now: 1_795_400_000_000 });
    await begin();
    const { records, spans } = await sendAll();
    all = new Set(ids());
    assert.deepEqual([all.size, ids().length], [records + spans, records + spans]);
    assert.ok(records > batch, `${records} records`);
    await receiver.close();
  });
  beforeEach(begin);
  afterEach(() => receiver.close());

  /** Nothing was sent yet. */
  async function begin(): Promise<void> {
    receiver = await OtlpReceiver.start();
    env = { ...savedHomeEnv(home), XDG_STATE_HOME: cli.newFolder() };
  }

  const words = (): readonly string[] => ['export', '--otlp', `http://127.0.0.1:${receiver.port}`];
  /** What identifies all items, in the order in which they came. */
  const ids = (): readonly string[] => [
    ...receiver.logs.map(({ attributes }) => String(attributes['log.record.uid'])),
    ...receiver.spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`),
  ];

  async function sendAll(): Promise<{ readonly records: number; readonly spans: number }> {
    const { code, stdout, stderr } = await cli.run(words(), '', env);
    assert.equal(code, 0, stderr);
    const [, spans, records] = /spans ([\d,]+), records ([\d,]+)/.exec(stdout.toString()) ?? [];
    const number = (text = ''): number => Number(text.replaceAll(',', ''));
    return { records: number(records), spans: number(spans) };
  }

  for (const [what, answer, mayDouble] of [
    ['before the collector takes a request', 'hang', false],
    ['after the collector took a request', 'keep', true],
  ] as const satisfies readonly (readonly [string, Answer, boolean])[]) {
    it(`loses nothing if it is killed ${what}`, async () => {
      receiver.answers = [{ status: 200 }, answer];
      const child = cli.start(words(), env);
      await receiver.until(({ requests }) => requests.length === 2);
      child.kill('SIGKILL');
      await once(child, 'close');
      const first = ids().length;
      await sendAll();
      assert.deepEqual(new Set(ids()), all);
      const doubled = ids().length - new Set(ids()).size;
      assert.ok(mayDouble ? doubled > 0 && doubled <= batch && doubled < first : doubled === 0, `${doubled} doubled`);
    });
  }

  it('loses nothing if an answer is lost', async () => {
    receiver.answers = [{ status: 200 }, 'lose'];
    const { records, spans } = await sendAll();
    assert.deepEqual(new Set(ids()), all);
    assert.equal(new Set(ids()).size, records + spans);
    const doubled = ids().length - records - spans;
    assert.ok(doubled > 0 && doubled <= batch, `${doubled} doubled`);
  });
});
