import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import type { JournalHeader } from '../../../../src/wire/journal/journalLine';
import { lastHeader } from '../../../../src/wire/journal/journalPeek';
import { lastPart, nextPart, unusedNext } from '../../../../src/wire/journal/nextPart';
import { useFolder } from '../../../support/tempFolder';

function header(part: number, agent = 'A'): JournalHeader {
  const startedAt = '2026-11-20T12:00:00.000Z';
  return { journal: 1, agent, protocol: 'acp', command: ['a'], cwd: '/', startedAt, part };
}

describe('the next file of a journal', () => {
  const folder = useFolder();
  const path = (name: string): string => folder.in(`${name}.ndjson`);
  function write(name: string, part: number, agent?: string): void {
    writeFileSync(path(name), `${JSON.stringify(header(part, agent))}\n`);
  }

  it('has the next number in its name, and goes on with the same run', async () => {
    for (const [index, name] of ['a', 'a 2', 'a 3'].entries()) write(name, index + 1);
    assert.equal(await nextPart(path('a'), header(1)), path('a 2'));
    assert.equal(await nextPart(path('a 2'), header(2)), path('a 3'));
    assert.equal(await nextPart(path('a 3'), header(3)), undefined);
    assert.equal(await lastPart(path('a')), path('a 3'));
    assert.equal(await lastPart(path('none')), path('none'));
  });

  it('is that of the last run in a file with several', async () => {
    write('a', 1);
    const later = { ...header(1), startedAt: '2026-11-21T12:00:00.000Z', command: ['x'.repeat(3 * 1024 * 1024)] };
    const line = `{"t":"2026-11-21T12:00:00.000Z","ms":0,"dir":"err","line":"{\\"journal\\":1, {"journal":1,"}\n`;
    appendFileSync(path('a'), `${JSON.stringify(later)}\n${line.repeat(20_000)}`);
    writeFileSync(path('a 2'), `${JSON.stringify({ ...later, part: 2 })}\n`);
    assert.equal((await lastHeader(path('a')))?.startedAt, later.startedAt);
    assert.equal(await lastPart(path('a')), path('a 2'));
    writeFileSync(path('notes'), 'notes\n{"journal":1,"cut');
    assert.equal(await lastHeader(path('notes')), undefined);
  });

  it('is none of another run, nor anything else that has the name', async () => {
    write('a 2', 2, 'B');
    write('a 3', 1);
    mkdirSync(path('a 4'));
    writeFileSync(path('a 5'), 'notes\n');
    assert.equal(await nextPart(path('a'), header(1)), undefined);
    write('a 6', 2);
    assert.equal(await nextPart(path('a'), header(1)), path('a 6'));
    assert.equal(await nextPart(path('a 6'), header(2)), undefined);
  });

  it('is found after a first whose own name ends with a number', async () => {
    write('a 2', 1);
    write('a 2 2', 2);
    write('a 3', 2, 'B');
    assert.equal(await nextPart(path('a 2'), header(1)), path('a 2 2'));
  });

  it('gets a free name, under which it is found', async () => {
    assert.equal(unusedNext(path('a'), 1), path('a 2'));
    write('a 2', 2, 'B');
    const next = unusedNext(path('a'), 1);
    write('a 3', 2);
    assert.equal(next, await nextPart(path('a'), header(1)));
    assert.equal(unusedNext(next, 2), path('a 4'));
    for (let n = 2; n < 40; n++) write(`a ${n}`, 1);
    assert.throws(() => unusedNext(path('a'), 1), /are taken/);
    assert.equal(await nextPart(path('a'), header(1)), undefined);
  });
});
