import { AcpLint } from './lint/acpLint';
import { LateUpdates } from './lint/lateUpdates';
import { isLogMethod } from '../protocols/acp/logMessage';
import type { Protocol } from '../log/protocol';
import { McpLint } from './lint/mcpLint';
import type { Rule } from './rule';
import { Connections } from './rules/connections';
import { FailedRequests } from './rules/failedRequests';
import { IgnoredCancels } from './rules/ignoredCancels';
import { Junk } from './rules/junk';
import { LogLevels } from './rules/logLevels';
import { OtherProtocols } from './rules/otherProtocols';
import { ProcessEnds } from './rules/processEnds';
import { ReportedFailures } from './rules/reportedFailures';
import { ReportedTrouble } from './rules/reportedTrouble';
import { SilentEnds } from './rules/silentEnds';
import { StreamTurnEnds } from './rules/streamTurnEnds';
import type { Patience } from './patience';
import { defaultPatience } from './patience';
import { Silence } from './rules/silence';
import { ToolFailures } from './rules/toolFailures';
import { TroubleOnStderr } from './rules/troubleOnStderr';
import { TurnEnds } from './rules/turnEnds';
import { UnknownResponses } from './lint/unknownResponses';
import { UnknownSessions } from './lint/unknownSessions';
import { UnusableAnswers } from './rules/unusableAnswers';
import { Versions } from './lint/versions';
import { WireLint } from './lint/wireLint';
import { AuthStatus } from './vendors/authStatus';
import { CopilotLanguageServer } from './vendors/copilotLanguageServer';

/** How a protocol is diagnosed. Rules remember what they have seen: a set is for one run. */
export interface RuleSet {
  readonly protocol: Protocol;
  /** Whether notifications of this method are log messages, and nothing else. */
  readonly isLog: (method: string) => boolean;
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
        rules: [
          ...always,
          ...jsonRpc,
          new AcpLint(),
          new UnknownSessions(),
          new LateUpdates(),
          new LogLevels(),
          new ReportedTrouble(),
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
        rules: [
          ...always,
          ...jsonRpc,
          new Connections(),
          new McpLint(),
          new ReportedFailures(),
          new LogLevels(),
          new IgnoredCancels(),
        ],
      };
    case 'lsp':
      return {
        protocol,
        isLog: (method) => method === 'window/logMessage',
        rules: [...always, ...jsonRpc, new CopilotLanguageServer()],
      };
    case 'stream-json':
      return {
        protocol,
        isLog: () => false,
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
  return [new SilentEnds(), silence, new ReportedTrouble(), new ReportedFailures(), new StreamTurnEnds()];
}
