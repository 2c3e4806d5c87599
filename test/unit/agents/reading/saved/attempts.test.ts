import assert from 'node:assert/strict';
import { at, pi, qwen, jsonOf } from '../../../../support/agentLines';
import { readSavedLines, messagesOf } from '../../../../support/savedRun';
import { savedDetails } from '../../../../../src/past/saved/list/savedDetails';
import { RunLog } from '../../../../../src/runLog/runLog';
import { RecordStore } from '../../../../../src/store/store';
import { LogReader } from '../../../../../src/runLog/reading/logReader';
import { RunLogSink } from '../../../../../src/past/files/runLogSink';
import { Line } from '../../../../../src/text/bytes/line';

const tooLong = '400: {"message":"Your input exceeds the context window of this model."}';

/** How an agent saves a prompt, a failed attempt, an answer, and a compaction with what it used. */
interface Form {
  readonly prompt: (text: string, second: number) => readonly object[];
  readonly failure: (second: number, error?: string) => readonly object[];
  readonly answer: (second: number) => readonly object[];
  readonly compaction: (second: number) => readonly object[];
}

const piForm: Form = {
  prompt: (text, second) => [...(second === 1 ? [pi.header] : []), pi.line(second, pi.prompt(text))],
  failure: (second, errorMessage = '503: {"message":"Overloaded"}') => [
    pi.line(second, { role: 'assistant', content: [], stopReason: 'error', errorMessage }),
  ],
  answer: (second) => {
    const { usage: _, ...answer } = pi.answer(0, 0);
    return [pi.line(second, answer)];
  },
  compaction: (second) => {
    const line = { type: 'compaction', id: `e${second}`, parentId: null, timestamp: at(second), summary: 'S' };
    return [{ ...line, usage: pi.usage(5, 1) }];
  },
};

const forms: Readonly<Record<string, Form>> = {
  'Qwen Code': {
    prompt: (text, second) => [qwen.line(second, qwen.prompt(text))],
    failure: (second, error_message = '503 Overloaded') => {
      const failed = { duration_ms: 85, error_message, status_code: Number(error_message.slice(0, 3)) };
      return [qwen.line(second, qwen.telemetry({ 'event.name': 'qwen-code.api_error', ...failed }))];
    },
    answer: (second) => [qwen.line(second, qwen.answer(5, 1))],
    compaction: (second) => {
      const event = { 'event.name': 'qwen-code.api_response', response_id: 'c', prompt_id: 'compress-1' };
      const command = { type: 'system', subtype: 'slash_command', systemPayload: { rawCommand: '/compress' } };
      const used = qwen.telemetry({ ...event, input_token_count: 5, output_token_count: 1 });
      return [qwen.line(second, command), qwen.line(second, used)];
    },
  },
  'pi 0.73': piForm,
  'pi 1.6': {
    ...piForm,
    failure: (second, error) => {
      const [targetId, timestamp] = [`e${second}`, at(second)];
      const ids = { id: `c${second}`, parentId: targetId, timestamp, targetId };
      const edit = { type: 'context_edit', ...ids, replacement: null };
      return [...piForm.failure(second, error), edit];
    },
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
  const log = readSavedLines(jsonOf(lines));
  const { outcome, problem } = savedDetails(jsonOf(lines));
  return {
    turns: log.spans({ kinds: ['turn'] }).map(({ title, outcome: how, startedAt, endedAt = NaN }) => {
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
    const begun = [...prompt('Sort it', 1), ...failure(2)];

    it('that an answer follows are retries of one turn', () => {
      const { turns, retries, diagnoses, outcome } = read([...begun, ...failure(4), ...failure(8), ...answer(9)]);
      assert.deepEqual([turns, retries, outcome], [['Sort it: ok 8 s'], 3, 'ok']);
      assert.ok(!diagnoses.includes('failed-turn'), diagnoses.join(' '));
    });

    it('end their turn once if nothing follows the last one', () => {
      const { turns, retries, outcome, problem } = read([...begun, ...failure(4)]);
      assert.deepEqual([turns, retries, outcome], [['Sort it: error 3 s'], 1, 'error']);
      assert.match(problem ?? '', /503/);
    });

    it('end their turn if nothing follows for minutes while they are followed', () => {
      const log = new RunLog(new RecordStore(1e8), 0);
      const reader = new LogReader(new RunLogSink(log, 1), { redactor: undefined });
      for (const line of jsonOf(begun)) reader.line(Line.of(line), Date.parse(at(2)));
      const outcomes = [3, 60, 130].map((second) => {
        reader.quiet(Date.parse(at(second)));
        return log.spans({ kinds: ['turn'] })[0]?.outcome;
      });
      assert.deepEqual(outcomes, [undefined, undefined, 'error']);
    });

    it('end their turn if another prompt follows', () => {
      const { turns, retries, outcome } = read([...begun, ...prompt('Again', 5), ...answer(6)]);
      assert.deepEqual([turns, retries, outcome], [['Sort it: error 1 s', 'Again: ok 1 s'], 0, 'ok']);
    });

    it('end the turn that counts, if only a compaction follows', () => {
      const { outcome, problem } = read([...prompt('Sort it', 1), ...failure(2, tooLong), ...compaction(3)]);
      assert.equal(outcome, 'error');
      assert.match(problem ?? '', /context window/);
    });

    it('end their turn if they can only fail again', () => {
      const { turns, outcome } = read([...prompt('Sort it', 1), ...failure(2, tooLong)]);
      assert.deepEqual([turns, outcome], [['Sort it: error 1 s'], 'error']);
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
  const noAccess = message('e1', 3, 'error', '[API Error: No access]');
  const rows: readonly (readonly [string, readonly object[], string])[] = [
    ['failed if nothing else is said', [context], 'error the request failed (Gemini CLI saved no reason)'],
    ['failed with the words of a record', [context, noAccess], 'error No access'],
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
