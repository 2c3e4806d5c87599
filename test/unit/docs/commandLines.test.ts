import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCommandLine, usage } from '../../../src/cli/commandLine';
import { textsOf } from '../../../src/text/json';
import { parsedJson } from '../../../src/text/jsonText';

const pages = readdirSync('docs').map((file) => join('docs', file));
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages];
/** What a document writes for the reader to replace, and an example of it. */
const examples = new Map([
  ['COMMAND', 'tail'],
  ['KEY', 'agent'],
  ['URL', 'https://collector.example.com'],
]);
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
  return [...own.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? examples.get(plain) ?? plain);
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
  const all = documents.map((path) => [path, commandLines(readFileSync(path, 'utf8'))] as const);
  for (const [path, lines] of all) {
    if (lines.length === 0) continue;
    it(`${path}: agent-logs takes ${lines.length}`, () => {
      for (const words of lines) assert.equal(takes(words), true);
    });
  }

  it('are found', () => {
    const names = new Set(all.flatMap(([, lines]) => lines.map(([name]) => name)));
    for (const [, name] of usage().matchAll(/^ {2}agent-logs ([a-z][a-z-]*) /gm)) assert.ok(names.has(name), name);
    for (const wrong of [['tail', '--jsn', 'run.ndjson'], ['sessions', '--by', 'day'], ['tale'], ['tail', 'a', 'b']]) {
      assert.notEqual(takes(wrong), true, wrong.join(' '));
    }
  });

  it('have options that there are', () => {
    const help = usage();
    for (const [, option = ''] of pages.flatMap((path) => [
      ...readFileSync(path, 'utf8').matchAll(/`(--[a-z][a-z-]+)/g),
    ])) {
      assert.ok(others.has(option) || new RegExp(`${option}\\b(?!-)`).test(help), option);
    }
  });
});
