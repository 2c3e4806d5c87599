import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agents, documentLines, recogniseSaved, recogniseStream, savers } from '../../../../src/agents/agents';
import { recognise, recogniseAgent } from '../../../../src/agents/reading/recognise';
import { isObject } from '../../../../src/text/json';
import type { JsonObject } from '../../../../src/text/json';
import { parsedJson } from '../../../../src/text/jsonText';
import { savedLines } from '../../../support/savedRun';

/** Whose name a recording begins with. */
function ownerOf(file: string): string | undefined {
  return agents.map(({ id }) => id).find((id) => new RegExp(`^${id}[-.]`).test(file));
}

function objectsIn(lines: readonly string[]): readonly JsonObject[] {
  return lines.map((line) => parsedJson(line)).filter(isObject);
}

function savedObjects(path: string): readonly JsonObject[] {
  const text = readFileSync(path, 'utf8');
  if (!path.endsWith('.json')) return objectsIn(savedLines(text.split('\n')));
  return (documentLines(JSON.parse(text) as unknown) ?? []).map(({ line }) => line);
}

/** All whose form a line has, without those that another one of them varies. */
function claims(found: readonly { readonly id: string; readonly variantOf?: string | undefined }[]): readonly string[] {
  const varied = new Set(found.map(({ variantOf }) => variantOf));
  return found.map(({ id }) => id).filter((id) => !varied.has(id));
}

/** Lines of programs that no agent here is, each like one of an agent's. */
const foreign: readonly JsonObject[] = [
  { type: 'session_start', id: 's', title: 't', cwd: '/p' },
  { type: 'message', id: 'm', text: 'Hello.' },
  { type: 'message', id: 'm', message: 'Hello.' },
  { type: 'error', source: 'cli', message: 'failed' },
  { type: 'retry', attempt: 1 },
  { type: 'completion', text: 'done' },
  { response: 'Hello.', status: 'success' },
  { sessionId: 's', history: [] },
  { ts: 1, seq: 1, level: 'info', type: 'session.start', data: {} },
  { time: '2026-11-28T12:00:00Z', level: 'INFO', source: {}, msg: 'Provider request failed, retrying' },
];

describe('first signs', () => {
  for (const line of foreign) {
    it(`nobody takes ${JSON.stringify(line)}`, () => {
      assert.equal(recogniseSaved(line), undefined);
      assert.equal(recogniseStream(line), undefined);
      assert.equal(documentLines(line), undefined);
    });
  }

  for (const file of readdirSync('test/fixtures/saved').filter((name) => /\.jsonl?$/.test(name))) {
    it(`only one agent takes ${file} for its session`, () => {
      const lines = savedObjects(join('test/fixtures/saved', file));
      const taken = lines.map((line) => claims(savers.filter(({ saved }) => saved.recognises(line))));
      const owner = ownerOf(file) ?? 'copilot';
      assert.equal(recogniseAgent(lines)?.agent, owner);
      if (file.endsWith('.jsonl') && owner !== 'vscode') {
        const found = recognise(readFileSync(join('test/fixtures/saved', file), 'utf8').split('\n').slice(0, 20));
        assert.deepEqual(found, { type: 'saved', agent: owner });
      }
      // A variant's first line says whose the others are.
      const { variantOf } = agents.find(({ id }) => id === owner) ?? {};
      const others = [...new Set(taken.flat())].filter((id) => id !== variantOf);
      assert.deepEqual(others, [owner]);
      assert.deepEqual(new Set(lines.flatMap((line) => recogniseSaved(line)?.id ?? [])), new Set(taken.flat()));
    });
  }

  for (const file of readdirSync('test/fixtures/streams').filter((name) => name.endsWith('.ndjson'))) {
    it(`only one agent takes ${file} for its stream`, () => {
      const texts = readFileSync(join('test/fixtures/streams', file), 'utf8').split('\n');
      const lines = objectsIn(texts);
      const first = recogniseAgent(lines)?.agent;
      assert.equal(first, ownerOf(file));
      const stream = { type: 'stream-json', agent: first };
      assert.deepEqual(recognise(texts.slice(0, 20)), stream);
      // With other text before it, and while its first line is still being written.
      assert.deepEqual(recognise(['npx: installed 1', ...texts.slice(0, 20)]), stream);
      if (first === 'claude') assert.deepEqual(recognise([(texts[0] ?? '').slice(0, 300)]), stream);
      // Only the first line of a variant may differ from what it varies.
      const { variantOf } = agents.find(({ id }) => id === first) ?? {};
      const ofStream = lines.flatMap((line) => recogniseStream(line, first)?.id ?? []);
      // Copilot's and pi's sessions have lines of their streams.
      const ofSaved = lines.flatMap((line) => recogniseSaved(line)?.id ?? []);
      const others = [...ofStream, ...ofSaved].filter((id) => id !== first && id !== variantOf);
      assert.deepEqual(others, []);
    });
  }
});
