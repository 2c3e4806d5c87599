import assert from 'node:assert/strict';
import { savedDetails } from '../../../../../src/past/saved/list/savedDetails';
import { RunLogSink } from '../../../../../src/past/files/runLogSink';
import { LogReader } from '../../../../../src/runLog/reading/logReader';
import { RunLog } from '../../../../../src/runLog/runLog';
import { RecordStore } from '../../../../../src/store/store';
import { Line } from '../../../../../src/text/bytes/line';
import { messagesOf, readSavedLines } from '../../../../support/savedRun';

const at = (second: number): string => new Date(Date.parse('2026-11-28T10:00:00.000Z') + second * 1000).toISOString();
const overloaded = '503: {"message":"Overloaded"}';
const tooLong = '400: {"message":"Your input exceeds the context window of this model."}';

/** How an agent saves a prompt, a failed attempt and an answer. */
interface Form {
  readonly prompt: (text: string, second: number) => readonly object[];
  readonly failure: (second: number, error?: string) => readonly object[];
  readonly answer: (second: number) => readonly object[];
  /** With what it used. */
  readonly compaction: (second: number) => readonly object[];
}

const qwenLine = (second: number, type: string, fields: object): object => ({
  uuid: `q${second}`,
  parentUuid: null,
  sessionId: 's1',
  timestamp: at(second),
  type,
  provenance: 'real_user',
  version: '0.24.4',
  ...fields,
});
const piLine = (second: number, message: object): object => ({
  type: 'message',
  id: `e${second}`,
  parentId: null,
  timestamp: at(second),
  message,
});
const piHeader = { type: 'session', version: 3, id: 's1', timestamp: at(0), cwd: '/home/dev/shop' };
const pi: Form = {
  prompt: (text, second) => [
    ...(second === 1 ? [piHeader] : []),
    piLine(second, { role: 'user', content: [{ type: 'text', text }] }),
  ],
  failure: (second, errorMessage = overloaded) => [
    piLine(second, { role: 'assistant', content: [], stopReason: 'error', errorMessage }),
  ],
  answer: (second) => [
    piLine(second, { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], stopReason: 'stop' }),
  ],
  compaction: (second) => {
    const usage = { input: 5, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 6 };
    return [{ type: 'compaction', id: `e${second}`, parentId: null, timestamp: at(second), summary: 'S', usage }];
  },
};

const forms: Readonly<Record<string, Form>> = {
  'Qwen Code': {
    prompt: (text, second) => [qwenLine(second, 'user', { message: { role: 'user', parts: [{ text }] } })],
    failure: (second, error = '503 Overloaded') => [
      qwenLine(second, 'system', {
        subtype: 'ui_telemetry',
        systemPayload: {
          uiEvent: {
            'event.name': 'qwen-code.api_error',
            duration_ms: 85,
            error_message: error,
            status_code: Number(error.slice(0, 3)),
          },
        },
      }),
    ],
    answer: (second) => [
      qwenLine(second, 'assistant', {
        model: 'm',
        message: { role: 'model', parts: [{ text: 'Done.' }] },
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1, totalTokenCount: 6 },
      }),
    ],
    compaction: (second) => {
      const uiEvent = { 'event.name': 'qwen-code.api_response', response_id: 'c', prompt_id: 'compress-1' };
      const used = { ...uiEvent, input_token_count: 5, output_token_count: 1 };
      return [
        qwenLine(second, 'system', { subtype: 'slash_command', systemPayload: { rawCommand: '/compress' } }),
        qwenLine(second, 'system', { subtype: 'ui_telemetry', systemPayload: { uiEvent: used } }),
      ];
    },
  },
  'pi 0.73': pi,
  'pi 1.6': {
    ...pi,
    failure: (second, error) => [
      ...pi.failure(second, error),
      {
        type: 'context_edit',
        id: `c${second}`,
        parentId: `e${second}`,
        timestamp: at(second),
        targetId: `e${second}`,
        replacement: null,
      },
    ],
  },
};

interface Read {
  /** Each turn with its outcome, and how long it took in seconds. */
  readonly turns: readonly string[];
  readonly retries: number;
  readonly diagnoses: readonly string[];
  readonly outcome: string | undefined;
  readonly problem: string | undefined;
}

function read(lines: readonly object[]): Read {
  const texts = lines.map((line) => JSON.stringify(line));
  const log = readSavedLines(texts);
  const { outcome, problem } = savedDetails(texts);
  const spans = log.spans({ kinds: ['turn'] });
  return {
    turns: spans.map(({ title, outcome: how, startedAt, endedAt = NaN }) => {
      return `${title}: ${how} ${(endedAt - startedAt) / 1000} s`;
    }),
    retries: messagesOf({ log }).filter((message) => message.includes('retry: ')).length,
    diagnoses: log.store.query().flatMap(({ kind, logger = '' }) => (kind === 'diagnosis' ? logger : [])),
    outcome,
    problem,
  };
}

for (const [agent, { prompt, failure, answer, compaction }] of Object.entries(forms)) {
  describe(`attempts of ${agent}`, () => {
    it('that an answer follows are retries of one turn', () => {
      const lines = [...prompt('Sort it', 1), ...failure(2), ...failure(4), ...failure(8), ...answer(9)];
      const { turns, retries, diagnoses, outcome } = read(lines);
      assert.deepEqual(turns, ['Sort it: ok 8 s']);
      assert.equal(retries, 3);
      assert.ok(!diagnoses.includes('failed-turn'), diagnoses.join(' '));
      assert.equal(outcome, 'ok');
    });

    it('end their turn once if nothing follows the last one', () => {
      const { turns, retries, outcome, problem } = read([...prompt('Sort it', 1), ...failure(2), ...failure(4)]);
      assert.deepEqual(turns, ['Sort it: error 3 s']);
      assert.equal(retries, 1);
      assert.equal(outcome, 'error');
      assert.match(problem ?? '', /503/);
    });

    it('end their turn if nothing follows for minutes while they are followed', () => {
      const log = new RunLog(new RecordStore(1e8), 0);
      const reader = new LogReader(new RunLogSink(log, 1), { redactor: undefined });
      for (const line of [...prompt('Sort it', 1), ...failure(2)]) {
        reader.line(Line.of(JSON.stringify(line)), Date.parse(at(2)));
      }
      const outcomes = [3, 60, 130].map((second) => {
        reader.quiet(Date.parse(at(second)));
        return log.spans({ kinds: ['turn'] })[0]?.outcome;
      });
      assert.deepEqual(outcomes, [undefined, undefined, 'error']);
    });

    it('end their turn if another prompt follows', () => {
      const lines = [...prompt('Sort it', 1), ...failure(2), ...prompt('Again', 5), ...answer(6)];
      const { turns, retries, outcome } = read(lines);
      assert.deepEqual(turns, ['Sort it: error 1 s', 'Again: ok 1 s']);
      assert.equal(retries, 0);
      assert.equal(outcome, 'ok');
    });

    it('end the turn that counts, if only a compaction follows', () => {
      const { outcome, problem } = read([...prompt('Sort it', 1), ...failure(2, tooLong), ...compaction(3)]);
      assert.equal(outcome, 'error');
      assert.match(problem ?? '', /context window/);
    });

    it('end their turn if they can only fail again', () => {
      const { turns, outcome } = read([...prompt('Sort it', 1), ...failure(2, tooLong)]);
      assert.deepEqual(turns, ['Sort it: error 1 s']);
      assert.equal(outcome, 'error');
    });
  });
}

describe('a prompt that Gemini CLI took back', () => {
  const header = { sessionId: 's1', projectHash: 'ab', startTime: at(0), lastUpdated: at(0), kind: 'main' };
  const message = (id: string, second: number, type: string, text: string): object => {
    return { id, timestamp: at(second), type, content: [{ text }] };
  };
  const context = { $set: { messages: [message('c1', 0, 'user', '<session_context>')] } };
  const begun = [header, context, message('u1', 1, 'user', 'Sort it')];
  const rows: readonly (readonly [string, readonly object[], string])[] = [
    ['failed if nothing else is said', [context], 'error the request failed (Gemini CLI saved no reason)'],
    [
      'failed with the words of a record',
      [context, message('e1', 3, 'error', '[API Error: No access]')],
      'error No access',
    ],
    ['was cancelled if a record says so', [context, message('i1', 3, 'info', 'Request cancelled.')], 'cancelled '],
    ['may still be answered after a resume', [header, context], 'open '],
    ['is still there otherwise', [{ $set: { lastUpdated: at(2) } }], 'open '],
  ];
  for (const [name, later, expected] of rows) {
    it(name, () => {
      const { outcome, problem = '' } = read([...begun, ...later]);
      assert.equal(`${outcome} ${problem}`, expected);
    });
  }
});
