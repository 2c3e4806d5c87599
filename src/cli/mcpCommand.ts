import { Writable } from 'node:stream';
import { version } from '../../package.json';
import { savers } from '../agents/agents';
import { AnswerRuns } from '../answers/answerRuns';
import type { AnswerSources } from '../answers/answers';
import { Answers } from '../answers/answers';
import type { IsAsking } from '../answers/askingSession';
import { askingOf } from '../answers/askingSession';
import type { AskedQuestion } from '../answers/serveAnswers';
import { describeCheckUp } from '../mcpServers/check/checkReport';
import { PreparedCheckUp } from '../mcpServers/check/preparedCheckUp';
import { FileRuns } from '../past/files/fileRuns';
import { WorkFolders } from '../past/saved/list/workFolders';
import { Runs, RunViews } from '../runs/runs';
import { isObject } from '../text/json';
import { JournalFolder } from '../wire/journal/journalFolder';
import { tapFolder } from '../wire/journal/tapFolder';
import type { McpOptions } from './commands/mcp';
import type { Cli } from './context';
import { savedSessionsHere } from './sessionsCommand';

/** Approximate limit for a run's records in memory, in bytes, and how many runs stay open. Older records are left out, and answers say so. */
const maxMemory = 64 * 1024 * 1024;
const maxOpen = 4;
/** How many values beside a question are looked at for the ID of its session. */
const maxTexts = 500;

/** Serves what is known of runs to agents, as an MCP server over stdio. Writes nothing, and starts nothing. */
export async function mcp({ journals }: McpOptions, cli: Cli): Promise<number> {
  const { machine, redaction } = cli;
  const here = new WorkFolders([process.cwd()], machine.platform, cli.redactor());
  const taps = new JournalFolder(tapFolder(machine));
  const own = new JournalFolder(journals ?? '');
  const fileRuns = new FileRuns(own, taps, () => ({ level: 'debug', maxMemory, redaction }));
  const saved = savedSessionsHere(cli);
  const runs = new AnswerRuns(
    new RunViews(new Runs(), fileRuns),
    fileRuns,
    { isShown: true, load: () => Promise.resolve(saved) },
    { isHere: () => true, isFirst: ({ cwd }) => here.has(cwd), maxOpen },
  );
  const answers = new Answers(runs, { redaction: () => redaction, checkMcpServers: checkUps(cli, fileRuns) });
  const isAsking = ({ client, meta }: AskedQuestion): IsAsking => {
    const texts = new Set([...Object.values(machine.env), ...textsIn(meta)].filter((text) => text !== undefined));
    const asking = { texts, name: client, isFolder: (folder: string) => here.has(folder) };
    return askingOf(
      asking,
      savers.map(({ id }) => id),
    );
  };
  // The SDK is large.
  const { serveAnswers } = await import('../answers/serveAnswers');
  await serveAnswers({
    version,
    stdin: cli.stdin,
    stdout: outputOf(cli),
    answer: (question, token) => answers.answer(question.tool, question.input, isAsking(question), token),
    shown: (message) => cli.shown(message),
  });
  await fileRuns.dispose();
  return cli.exitCode;
}

/** Check-ups of the MCP servers of this folder and user, by their recordings. */
function checkUps(cli: Cli, fileRuns: FileRuns): AnswerSources['checkMcpServers'] {
  return async (names) => {
    const prepared = await PreparedCheckUp.prepare({
      places: { machine: cli.machine, folders: [process.cwd()] },
      names,
      redaction: cli.redaction,
      journals: async () => (await fileRuns.journals()).map(({ set }) => set),
    });
    return prepared.redacted(describeCheckUp(await prepared.runRecorded(new AbortController().signal)));
  };
}

function outputOf(cli: Cli): Writable {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _, done) => {
      cli.write(chunk.toString());
      void cli.flush().then(() => done(cli.hasGone ? new Error('The client has gone.') : undefined));
    },
  });
  // Of each answer that waits.
  output.setMaxListeners(0);
  return output;
}

function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const waiting = [value];
  for (let looked = 0; waiting.length > 0 && looked < maxTexts; looked++) {
    const one = waiting.pop();
    if (typeof one === 'string') texts.push(one);
    else if (isObject(one)) waiting.push(...Object.values(one).slice(0, maxTexts));
  }
  return texts;
}
