import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recognise } from '../../../src/agents/reading/recognise';
import { DocumentReader } from '../../../src/wire/lines/documentReader';
import { column } from '../../support/columns';
import { describeRun } from '../../support/describeRun';
import { assertGolden } from '../../support/golden';
import { readSavedLines } from '../../support/savedRun';

const fixtures = 'test/fixtures/clientLogs';

/** The lines of a file as they are read: a JSON document is cut into pieces. */
function linesOf(path: string): readonly string[] {
  const text = readFileSync(path);
  if (!path.endsWith('.json')) return text.toString('utf8').split('\n');
  const reader = new DocumentReader(1e7);
  reader.push(text);
  const lines: string[] = [];
  for (let line = reader.next() ?? reader.end(); line; line = reader.next() ?? reader.end()) lines.push(line.text);
  return lines;
}

describe('what another client logs of the messages', () => {
  for (const [file, protocol] of [
    ['vscode.log', 'mcp'],
    ['inspector.json', 'mcp'],
    ['zed.json', 'acp'],
  ] as const) {
    const path = join(fixtures, file);

    it(`is recognized: ${file}`, () => {
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, 20);
      assert.deepEqual(recognise(lines), { type: 'client-log', protocol });
      assert.deepEqual(recognise(linesOf(path).slice(0, 20)), { type: 'client-log', protocol });
    });

    it(`is read as wire, the rest as what the agent printed: ${file}`, () => {
      const log = readSavedLines(linesOf(path));
      const [first] = log.store.query();
      const name = `${file.replace(/\.\w+$/, '')}.txt`;
      assertGolden(join('test/golden/clientLogs', name), describeRun(log, first?.receivedAt ?? 0));
    });
  }

  it('is read although lines are cut or of another form', () => {
    const [message = ''] = linesOf(join(fixtures, 'vscode.log')).filter((line) => line.includes('"id":4'));
    const log = readSavedLines(['{"a":1}', message.slice(0, -20), message, '[]', '[1]', '{', '2026-11-27 [info] x']);
    const records = log.store.query();
    assert.deepEqual(
      column(
        records.filter(({ logger }) => logger === 'tool'),
        'message',
      ),
      ['find({"q":"x"})'],
    );
    for (const text of ['{"a":1}', '[1]', '{']) assert.ok(records.some(({ message: said }) => said.includes(text)));
  });

  it('is no log that only quotes such a message', () => {
    for (const line of [
      'Run it and look for [Server Says] {"jsonrpc":"2.0"}',
      '2026-11-27 10:00:00.970 [info] I saw "[Server Says] {}"',
      '[{"id":"1","timestamp":"2026-11-27T10:00:00.000Z","direction":"up"}]',
      '{"_direction":"incoming","_type":"request"}',
    ]) {
      assert.notEqual(recognise([line]).type, 'client-log', line);
    }
  });
});
