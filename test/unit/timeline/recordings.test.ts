import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { duration } from '../../../src/log/text';
import { shortId } from '../../../src/log/sessionLabel';
import { RecordStore } from '../../../src/log/store/store';
import type { Protocol } from '../../../src/log/protocol';
import { interpretation } from '../../../src/runs/reading/interpretation';
import { RunLog } from '../../../src/runs/runLog';
import type { Span } from '../../../src/timeline/span';
import { eventsOf } from '../../diagnosis/recordings';
import { assertGolden } from '../../support/golden';

describe('timeline: recorded agents', () => {
  for (const folder of ['transcripts', 'acp', 'streams']) {
    for (const file of readdirSync(join('test/fixtures', folder)).filter((name) => name.endsWith('.ndjson'))) {
      it(`${folder}: ${file}`, () => {
        const protocol = protocolOf(folder, file);
        const events = eventsOf(join('test/fixtures', folder, file), protocol);
        const log = new RunLog(new RecordStore(1e8), events[0]?.t ?? 0);
        const interpreter = interpretation(protocol, log);
        for (const event of events) interpreter.accept(event);
        const text = log.spans().map((span) => spanText(span, log.spans()));
        assertGolden(join('test/golden/spans', file.replace(/\.ndjson$/, '.txt')), `${text.join('\n')}\n`);
      });
    }
  }
});

function protocolOf(folder: string, file: string): Protocol {
  if (folder === 'streams') return 'stream-json';
  return file.startsWith('mcp') ? 'mcp' : file.startsWith('lsp') ? 'lsp' : 'acp';
}

/** `  tool "npm test" by Bash: error (exit 3) after 2.1 s, records 4 to 9`, indented below its parent. */
function spanText(span: Span, all: readonly Span[]): string {
  const { sessionId, kind, title, startedAt, endedAt, outcome, detail, firstSeq, lastSeq, usage, retries } = span;
  const after = endedAt === undefined ? 'open' : `after ${duration(endedAt - startedAt)}`;
  const how = `${outcome ?? ''}${detail === undefined ? '' : ` (${detail})`} ${after}`.trim();
  const session = sessionId === undefined ? '' : ` [${shortId(sessionId)}]`;
  const counts = usage ? `, usage ${JSON.stringify(usage)}` : '';
  const by = [
    ...(span.toolName === undefined ? [] : [` by ${span.toolName}`]),
    ...(span.model === undefined ? [] : [` with ${span.model}`]),
    ...(retries === undefined ? [] : [` retried ${retries} ×`]),
  ].join('');
  const indent = '  '.repeat(depthOf(span, all));
  return `${indent}${kind}${session} "${title.slice(0, 80)}"${by}: ${how}, records ${firstSeq} to ${lastSeq}${counts}`;
}

function depthOf({ parent }: Span, all: readonly Span[]): number {
  const above = all.find(({ id }) => id === parent);
  return above ? depthOf(above, all) + 1 : 0;
}
