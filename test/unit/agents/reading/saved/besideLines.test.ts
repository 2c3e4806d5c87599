import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { messagesOf, readSavedLines } from '../../../../support/savedRun';
import { besideRetry } from '../../../../../src/agents/reading/saved/besideLines';
import { codexRetry } from '../../../../../src/agents/codex/beside';
import { copilotRetries } from '../../../../../src/agents/copilot/beside';
import { opencodeRetries } from '../../../../../src/agents/opencode/beside';
import { at, copilot, jsonOf } from '../../../../support/agentLines';

const session = 'ses_dfd67e68dffe4OGTUAKg1QnIKl';
const opencodeLine = (message: string, at = '2026-11-22T09:30:55.831Z', more = ''): string =>
  `timestamp=${at} level=ERROR run=0497fb7e message=${message} providerID=mock session.id=${session} small=false${more}`;
const limited = ' error.error="AI_APICallError: This would exceed your rate limit of \\"50\\" requests."';

const copilotFailures = [0.1, 1.2].map((second) => {
  return { type: 'agent-logs.retry', timestamp: at(second), why: 'the model provider answered 429', inMs: 1000 };
});
const copilotError = (second: number): object => copilot.event(second, 'session.error', { message: '429 Slow down' });
const announced: readonly (readonly [string, readonly object[], readonly string[]])[] = [
  ['the turn fails at once', [copilotError(1.25)], ['retry', 'request failed']],
  ['the turn fails after its time', [copilotError(2.3)], ['retry', 'retry']],
  ['the file ends', [], ['retry', 'retry']],
  ['an answer follows', [copilot.answer(1.3)], ['retry', 'retry']],
];

const retry = { type: 'agent-logs.retry' };

describe('logs beside saved sessions', () => {
  it('have the retries of Codex, with their delay and status', () => {
    const body =
      'turn{id=1}: stream disconnected - retrying sampling request (1/2 in 997.902295ms)... retries=1 sampling_error=exceeded retry limit, last status: 429 Too Many Requests';
    const why = 'exceeded retry limit, last status: 429 Too Many Requests';
    const times = { timestamp: '2026-11-22T09:12:56.326Z', attempt: 1, max: 2, inMs: 998 };
    assert.deepEqual(codexRetry(body, 1_795_338_776_326), { ...retry, ...times, why, status: 429 });
    assert.equal(codexRetry(body.replace('997.902295ms', '3.2s'), 0)?.inMs, 3200);
    assert.equal(codexRetry('something else', 0), undefined);
    assert.equal(codexRetry(body, NaN), undefined);
  });

  it('have the failed OpenCode requests that were repeated', () => {
    const failed = opencodeLine('"stream error"', undefined, limited);
    const retried = opencodeRetries([opencodeLine('stream'), failed, opencodeLine('stream')], session);
    const shown = retried.map(({ why, timestamp }) => `${timestamp} ${why}`);
    assert.deepEqual(shown, ['2026-11-22T09:30:55.831Z This would exceed your rate limit of "50" requests.']);
  });

  it('distinguish an OpenCode retry from a failure at the end of a turn', () => {
    const broken = opencodeLine('"stream error"', undefined, ' error.error="This model is not available."');
    assert.deepEqual(opencodeRetries([broken], session), []);
    assert.deepEqual(opencodeRetries([broken, opencodeLine('loop'), opencodeLine('stream')], session), []);
    const waiting = opencodeLine('"stream error"', undefined, limited);
    assert.equal(opencodeRetries([waiting], session).length, 1, 'still waiting for its limit');
  });

  it('are read for only one OpenCode session', () => {
    const lines = [opencodeLine('"stream error"', undefined, limited), opencodeLine('stream')];
    assert.deepEqual(opencodeRetries(lines, `${session}x`), []);
    assert.deepEqual(opencodeRetries(lines, session.slice(0, -1)), []);
  });

  it('have the retries of a session in a Copilot process log', () => {
    const id = 'aeebe34e-4068-4b7e-a407-d8dfef8ae052';
    const failed =
      '2026-11-22T09:37:08.828Z [WARNING] [rust:model_events::producer] Model provider request failed {"http_status":503,"failure_kind":"http_error","retry_after_ms":1000}';
    const begun = (one: string): string =>
      `2026-11-22T09:37:08.497Z [INFO] Workspace initialized: ${one} (checkpoints: 0)`;
    assert.deepEqual(copilotRetries([failed, begun(id), failed, begun(id.replace('a', 'b')), failed], id), [
      {
        ...retry,
        timestamp: '2026-11-22T09:37:08.828Z',
        why: 'the model provider answered 503',
        status: 503,
        inMs: 1000,
      },
    ]);
    assert.deepEqual(copilotRetries([begun(id), failed.replace(',"retry_after_ms":1000', '')], id), [], 'not repeated');
  });

  for (const [name, later, expected] of announced) {
    it(`have a retry only if it takes place: ${name}`, () => {
      const prompt = copilot.prompt(0.001, 'Sort it');
      const log = readSavedLines(jsonOf([copilot.start, prompt, ...copilotFailures, ...later]));
      const messages = messagesOf({ log }).flatMap((message) => /^re(?:try|quest failed)/.exec(message)?.[0] ?? []);
      assert.deepEqual(messages, expected);
      const { retries = 0 } = log.spans({ kinds: ['turn'] })[0] ?? {};
      assert.equal(retries, expected.filter((one) => one === 'retry').length);
    });
  }

  it('never throw', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), fc.double(), (lines, text, at) => {
        codexRetry(text, at);
        opencodeRetries([...lines, `message="stream error" session.id=${text}`], text);
        copilotRetries(lines, text);
        besideRetry({ type: 'agent-logs.retry', why: text, attempt: text });
      }),
    );
  });
});
