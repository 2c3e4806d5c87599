import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { duration } from '../../../src/text/text';
import { shortId } from '../../../src/text/sessionLabel';
import type { Protocol } from '../../../src/wire/protocol';
import type { Span } from '../../../src/timeline/span';
import { assertGolden } from '../../support/golden';
import { recordedSpans } from '../../support/recordedSpans';
import { readSaved } from '../../support/savedRun';

describe('timeline: recorded agents', () => {
  for (const folder of ['transcripts', 'acp', 'streams']) {
    for (const file of readdirSync(join('test/fixtures', folder)).filter((name) => name.endsWith('.ndjson'))) {
      it(`${folder}: ${file}`, () => {
        const protocol = protocolOf(folder, file);
        const spans = recordedSpans(join('test/fixtures', folder, file), protocol);
        const text = spans.map((span) => spanText(span, spans));
        assertGolden(join('test/golden/spans', file.replace(/\.ndjson$/, '.txt')), `${text.join('\n')}\n`);
      });
    }
  }

  // Real agents with hooks: before tools, one blocks the tests; before the end, one wants more.
  for (const file of readdirSync('test/fixtures/saved').filter((name) => /-(?:hooks|blocked|questions)\./.test(name))) {
    it(`saved: ${file}`, () => {
      const spans = readSaved(join('test/fixtures/saved', file)).spans();
      const text = spans.map((span) => spanText(span, spans).replace(/, records .*/, ''));
      assertGolden(join('test/golden/spans/saved', file.replace(/\.jsonl$/, '.txt')), `${text.join('\n')}\n`);
    });
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
