import type { CancellationToken } from 'vscode-jsonrpc/node';
import { parseSessionFilter } from '../past/saved/list/sessionFilter';
import { hintWords } from '../query/hintWords';
import type { Redaction } from '../redact/redactorFor';
import { HumanError } from '../text/humanError';
import type { JsonObject } from '../text/json';
import { inEnglish } from '../text/translator';
import type { AnswerRuns } from './answerRuns';
import type { IsAsking } from './askingSession';
import { compareRuns } from './compareRuns';
import { listRuns } from './listRuns';
import { problemsOf } from './problems';
import { readRecords } from './readRecords';
import { readTurns } from './readTurns';
import { safeAnswer } from './safeRecords';
import type { ToolInput } from './toolInput';
import { toolInput } from './toolInput';
import type { AnswerToolName } from './tools';
import { answerTools } from './tools';
import { boundedText, pageOf } from './toolText';

/** A text for a model: redacted, with a warning of prompt injection, at most 16 KB. */
export interface Answer {
  readonly text: string;
  /** True if it says what is wrong with the question. */
  readonly isError: boolean;
}

/** What an answer needs beside the runs. */
export interface AnswerSources {
  /** The user's, whether or not it is switched on. */
  redaction(): Redaction;
  /**
   * A check-up of the MCP servers with these names, or all, in English.
   * @throws HumanError
   */
  checkMcpServers(names: readonly string[], token: CancellationToken): Promise<string>;
}

/** Answers what agents ask of runs with tools. */
export class Answers {
  constructor(
    private readonly runs: AnswerRuns,
    private readonly sources: AnswerSources,
  ) {}

  /** @throws Cancelled, or if a file can't be read */
  async answer(tool: AnswerToolName, given: JsonObject, isAsking: IsAsking, token: CancellationToken): Promise<Answer> {
    try {
      const said = await this.said(tool, toolInput(answerTools[tool], given), isAsking, token);
      return { text: this.safe(said), isError: false };
    } catch (error) {
      if (!(error instanceof HumanError)) throw error;
      return { text: this.safe(error.message), isError: true };
    }
  }

  private safe(text: string): string {
    return boundedText(safeAnswer(text, this.sources.redaction()));
  }

  private async said(
    tool: AnswerToolName,
    input: ToolInput,
    isAsking: IsAsking,
    token: CancellationToken,
  ): Promise<string> {
    const redaction = this.sources.redaction();
    const run = (): ReturnType<AnswerRuns['find']> => this.runs.find(input.run, isAsking, token);
    switch (tool) {
      case 'list_runs': {
        const filter = parseSessionFilter(input.filter ?? '');
        const notes = (filter?.hints ?? []).slice(0, 3).map((hint) => `Note: ${inEnglish(hintWords(hint))}`);
        return [...notes, listRuns(await this.runs.all(isAsking, filter), input)].join('\n');
      }
      case 'read_records':
        return readRecords(await run(), input, redaction);
      case 'read_turns':
        return readTurns(await run(), input, redaction);
      case 'problems':
        return problemsOf(await run(), input, redaction);
      case 'compare_runs': {
        const other = await this.runs.find(input.other, isAsking, token);
        return compareRuns(await run(), other, input, redaction);
      }
      case 'check_mcp_servers': {
        const text = await this.sources.checkMcpServers(input.servers ?? [], token);
        return pageOf(text.split('\n'), input.cursor).join('\n');
      }
    }
  }
}
