import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../../../../src/log/json';
import { arrayOf, objectOf } from '../../../../../src/log/json';
import { documentLines } from '../../../../../src/protocols/saved/documentLines';
import {
  opencodeOutcome,
  opencodeSessionLines,
  opencodeSessions,
} from '../../../../../src/runs/saved/opencode/opencodeDatabase';
import type { Database } from '../../../../../src/runs/saved/sqlite';

const exported = objectOf(JSON.parse(readFileSync('test/fixtures/saved/opencode-export.json', 'utf8')) as unknown);
const info = objectOf(exported['info']);
const id = String(info['id']);

describe("OpenCode's database", () => {
  it('lists sessions', () => {
    const [session] = opencodeSessions(database(), '/x/opencode.db');
    assert.equal(session?.id, id);
    assert.equal(session.title, 'Look at a small project');
    assert.equal(session.model, 'mock-model');
    assert.equal(session.modifiedAt, 1_795_340_150_202);
  });

  it('has the same lines as opencode export', () => {
    const lines = opencodeSessionLines(database(), id) ?? [];
    const own = documentLines(exported) ?? [];
    assert.deepEqual(
      lines.map(({ key }) => key),
      own.map(({ key }) => key),
    );
    assert.deepEqual(lines.at(-1)?.line['ts'], own.at(-1)?.line['ts']);
    assert.equal(opencodeSessionLines(database(), 'ses_none'), undefined);
  });

  it('shows how the newest turn ended', () => {
    assert.deepEqual(opencodeOutcome(database(), id), {
      outcome: 'failed',
      problem: 'Incorrect API key provided: sk-mock.',
    });
  });
});

/** Rows as OpenCode 1.18 has them. */
function database(): Database {
  const messages = arrayOf(exported['messages']).map(objectOf);
  const row = { ...info, parent_id: null, model: JSON.stringify(info['model']), time_updated: 1_795_340_150_202 };
  const messageRows = messages.map((message) => {
    const { id: own, ...data } = objectOf(message['info']);
    return { id: own, data: JSON.stringify(data) };
  });
  const partRows = messages.flatMap((message) =>
    arrayOf(message['parts']).map((part) => {
      const { id: own, messageID: message_id, ...data } = objectOf(part);
      return { id: own, message_id, data: JSON.stringify(data) };
    }),
  );
  return {
    all(sql, ...values): readonly JsonObject[] {
      if (values.length > 0 && values[0] !== id) return [];
      if (sql.includes('from part')) return partRows;
      if (sql.includes('desc limit 1')) return messageRows.slice(-1);
      if (sql.includes('from message')) return messageRows;
      return [row];
    },
    close: () => undefined,
  };
}
