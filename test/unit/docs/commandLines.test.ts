import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCommandLine, usage } from '../../../src/cli/commandLine';
import { textsOf } from '../../../src/text/json';
import { parsedJson } from '../../../src/text/jsonText';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync('docs').map((file) => join('docs', file)),
];
/** What a document writes for the reader to replace, and an example of it. */
const examples: Readonly<Record<string, string>> = {
  COMMAND: 'tail',
  KEY: 'agent',
  URL: 'https://collector.example.com',
};
/** What prose leaves out at the end. */
const rests = [[], ['RUN'], ['agent'], ['--', 'AGENT']];
/** Options of other programs that the documents name. */
const others = new Set(['--acp', '--debug', '--include-hook-events', '--print-logs', '--verbose']);

/** The command lines of `agent-logs` in a document, without the program. */
function commandLines(text: string): readonly (readonly string[])[] {
  const blocks = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans].flatMap((line) => {
    const [, list] = /"args": (\[[^\]]*agent-logs\.cjs"[^\]]*\])/.exec(line) ?? [];
    if (list !== undefined) return [textsOf(...(parsedJson(list) as unknown[])).slice(1)];
    const [, shell] = /(?:^|[\s;])(?:node \S*agent-logs\.cjs|agent-logs) ([a-z-].*)$/.exec(line) ?? [];
    return shell === undefined ? [] : [wordsOf(shell)];
  });
}

/** The words of the first command of a shell's line. */
function wordsOf(shell: string): readonly string[] {
  const [own = ''] = shell.replace(/\[([^\]]*)\]/g, '$1').split(/\s(?:[#|]|>>?\s)/);
  return [...own.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? examples[plain] ?? plain);
}

/** Whether `agent-logs` takes a command line, or would if it went on. Otherwise its errors. */
function takes(words: readonly string[]): true | string {
  const errors = rests.map((rest) => {
    try {
      return void parseCommandLine([...words, ...rest]);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  });
  return errors.includes(undefined) || `${words.join(' ')}: ${errors.join(' ')}`;
}

describe('the command lines in the documents', () => {
  for (const path of documents) {
    const text = readFileSync(path, 'utf8');
    const lines = commandLines(text);
    if (lines.length === 0) continue;
    it(`${path}: agent-logs takes ${lines.length}`, () => {
      assert.deepEqual(
        lines.map(takes).filter((error) => error !== true),
        [],
      );
    });
  }

  it('are found', () => {
    const all = documents.flatMap((path) => commandLines(readFileSync(path, 'utf8')));
    const names = new Set(all.map(([name]) => name));
    assert.deepEqual(
      [...usage().matchAll(/^ {2}agent-logs ([a-z][a-z-]*) /gm)]
        .map(([, name]) => name)
        .filter((name) => !names.has(name)),
      [],
    );
    for (const wrong of [['tail', '--jsn', 'run.ndjson'], ['sessions', '--by', 'day'], ['tale'], ['tail', 'a', 'b']]) {
      assert.notEqual(takes(wrong), true, wrong.join(' '));
    }
  });

  it('have options that there are', () => {
    const help = usage();
    const options = documents
      .filter((path) => path.startsWith('docs'))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/`(--[a-z][a-z-]+)/g)].map(([, option = '']) => option),
      );
    assert.deepEqual(
      [...new Set(options)].filter((option) => !others.has(option) && !new RegExp(`${option}\\b(?!-)`).test(help)),
      [],
    );
  });
});
