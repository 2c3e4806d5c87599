import { AcpLint } from './acp/acpLint';
import { AcpTurns } from './acp/acpTurns';
import { LateUpdates } from './acp/lateUpdates';
import { isLogMethod } from '../protocols/acp/logMessage';
import type { Protocol } from '../log/protocol';
import type { Conversation } from './conversation';
import { McpLint } from './mcp/mcpLint';
import { McpTools } from './mcp/mcpTools';
import type { Rule } from './rule';
import { Connections } from './rules/connections';
import { FailedRequests } from './rules/failedRequests';
import { IgnoredCancels } from './rules/ignoredCancels';
import { Junk } from './rules/junk';
import { LogLevels } from './rules/logLevels';
import { OtherProtocols } from './rules/otherProtocols';
import { ProcessEnds } from './rules/processEnds';
import type { Patience } from './patience';
import { defaultPatience } from './patience';
import { Silence } from './rules/silence';
import { ToolFailures } from './rules/toolFailures';
import { TroubleInUpdates } from './rules/troubleInUpdates';
import { TroubleOnStderr } from './rules/troubleOnStderr';
import { TurnEnds } from './rules/turnEnds';
import { UnknownResponses } from './rules/unknownResponses';
import { UnknownSessions } from './rules/unknownSessions';
import { UnusableAnswers } from './rules/unusableAnswers';
import { Versions } from './rules/versions';
import { WireLint } from './rules/wireLint';
import { ResultLines } from './stream/resultLines';
import { SilentEnds } from './stream/silentEnds';
import { StreamTurnEnds } from './stream/streamTurnEnds';
import { StreamTurns } from './stream/streamTurns';
import type { TurnReader } from './turnReader';
import { AuthStatus } from './vendors/authStatus';
import { Claude } from './vendors/claude';
import { OpencodeStream } from './vendors/opencodeStream';
import { QwenTurns } from './vendors/qwenTurns';
import { Codex } from './vendors/codex';
import { CodexStream } from './vendors/codexStream';
import { CopilotLanguageServer } from './vendors/copilotLanguageServer';

/** How a protocol is diagnosed. Rules remember what they have seen: a set is for one run. */
export interface RuleSet {
  readonly protocol: Protocol;
  /** Whether notifications of this method are log messages, and nothing else. */
  readonly isLog: (method: string) => boolean;
  readonly turns: (conversation: Conversation) => readonly TurnReader[];
  /** In this order: general rules come after the dialects that they build on. */
  readonly rules: readonly Rule[];
}

/** The rules for one run of a protocol. */
export function ruleSetFor(protocol: Protocol, patience: Patience = defaultPatience): RuleSet {
  const always = [new Junk(), new TroubleOnStderr(), new ProcessEnds()];
  const jsonRpc = jsonRpcRules(patience);
  switch (protocol) {
    case 'acp':
      return {
        protocol,
        isLog: isLogMethod,
        turns: (conversation) => [new AcpTurns(conversation), new QwenTurns(conversation)],
        rules: [
          ...always,
          ...jsonRpc,
          new AcpLint(),
          new UnknownSessions(),
          new LateUpdates(),
          new LogLevels(),
          new TroubleInUpdates(),
          new Codex(),
          new Claude(),
          new AuthStatus(),
          new ToolFailures(),
          new IgnoredCancels(),
          new TurnEnds(),
        ],
      };
    case 'mcp':
      return {
        protocol,
        isLog: (method) => method === 'notifications/message',
        turns: noTurns,
        rules: [
          ...always,
          ...jsonRpc,
          new Connections(),
          new McpLint(),
          new McpTools(),
          new LogLevels(),
          new IgnoredCancels(),
        ],
      };
    case 'lsp':
      return {
        protocol,
        isLog: (method) => method === 'window/logMessage',
        turns: noTurns,
        rules: [...always, ...jsonRpc, new CopilotLanguageServer()],
      };
    case 'stream-json':
      return {
        protocol,
        isLog: () => false,
        turns: (conversation) => [new StreamTurns(conversation)],
        rules: [...always, ...streamRules(patience)],
      };
  }
}

function jsonRpcRules(patience: Patience): readonly Rule[] {
  return [
    new WireLint(),
    new UnknownResponses(),
    new UnusableAnswers(),
    new OtherProtocols(),
    new Versions(),
    new FailedRequests(),
    new Silence(patience),
  ];
}

function streamRules(patience: Patience): readonly Rule[] {
  // Many of them tell of a message when it is whole.
  const silence = new Silence({ ...patience, turn: patience.tool });
  return [
    new SilentEnds(),
    silence,
    new Claude(),
    new ResultLines(),
    new CodexStream(),
    new OpencodeStream(),
    new StreamTurnEnds(),
  ];
}

function noTurns(): readonly TurnReader[] {
  return [];
}
