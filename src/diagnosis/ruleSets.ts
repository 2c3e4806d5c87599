import { acpLint } from './lint/acpLint';
import { LateUpdates, unknownSessions } from './lint/sessions';
import type { Protocol } from '../wire/protocol';
import { mcpLint } from './lint/mcpLint';
import { messageSizes } from './lint/messageSizes';
import { ProgressLint } from './lint/progressLint';
import type { Rule } from './rule';
import { AskedAgain } from './rules/work/askedAgain';
import { Compactions } from './rules/work/compactions';
import { Connections } from './rules/connections';
import { FailedRequests } from './rules/failedRequests';
import { FullContexts } from './rules/work/fullContexts';
import { hookTimeouts } from './rules/work/hookTimeouts';
import { IgnoredCancels } from './rules/ignoredCancels';
import { junk } from './rules/junk';
import { LogLevels } from './rules/logLevels';
import { McpServers } from './rules/mcpServers';
import { OtherModels } from './rules/work/otherModels';
import { ProcessEnds } from './rules/processEnds';
import { recoveries } from './rules/recoveries';
import { authStatus, copilotLanguageServer, reportedTrouble } from './rules/reportedTrouble';
import { RepeatedCalls } from './rules/work/repeatedCalls';
import { streamTurns } from './rules/streamTurns';
import type { Timeouts } from './timeouts';
import { defaultTimeouts } from './timeouts';
import { Silence } from './rules/silence';
import { SlowEnds } from './rules/slowEnds';
import { SubagentTrouble } from './rules/subagentTrouble';
import { ToolFailures } from './rules/toolFailures';
import { turnEnds } from './rules/turnEnds';
import { UnreadCaches } from './rules/work/unreadCaches';
import { UnusableAnswers } from './rules/unusableAnswers';
import { Waits } from './rules/waits';
import { WaitingForUser } from './rules/work/waitingForUser';
import { versions } from './lint/versions';
import { wireLint } from './lint/wireLint';

/** How a protocol is diagnosed. Rules have state, so each run needs its own set. */
export interface RuleSet {
  readonly protocol: Protocol;
  readonly rules: readonly Rule[];
  /** The rule that knows why the process ended. */
  readonly processEnds: Pick<ProcessEnds, 'endCause' | 'isEndReported'>;
  /** The rule that knows what is wrong with the first answer; never anything if the protocol doesn't begin with a request. */
  readonly unusableAnswers: Pick<UnusableAnswers, 'unusableAnswer'>;
}

/** The rules for one run of a protocol. */
export function ruleSetFor(protocol: Protocol, timeouts: Timeouts = defaultTimeouts): RuleSet {
  const processEnds = new ProcessEnds();
  const unusableAnswers = new UnusableAnswers();
  const waiting = new WaitingForUser(timeouts);
  const always = [recoveries, junk, reportedTrouble, processEnds, new SlowEnds(), waiting];
  if (protocol === 'stream-json') {
    // Many streams report a message only when it is complete.
    const silence = new Silence(new Waits({ ...timeouts, turn: timeouts.slow }));
    return {
      protocol,
      processEnds,
      unusableAnswers,
      rules: [...always, silence, ...ofWork(), streamTurns, new ToolFailures(timeouts)],
    };
  }
  const jsonRpc = [wireLint, unusableAnswers, versions, new FailedRequests(), new Silence(new Waits(timeouts))];
  return { protocol, processEnds, unusableAnswers, rules: [...always, ...jsonRpc, ...rulesOf(protocol, timeouts)] };
}

/** Rules about the work of an agent, whatever its protocol. */
function ofWork(): readonly Rule[] {
  return [
    new McpServers(),
    new RepeatedCalls(),
    new AskedAgain(),
    new FullContexts(),
    new Compactions(),
    new OtherModels(),
    new UnreadCaches(),
    hookTimeouts,
  ];
}

function rulesOf(protocol: Exclude<Protocol, 'stream-json'>, timeouts: Timeouts): readonly Rule[] {
  switch (protocol) {
    case 'acp':
      return [
        acpLint,
        messageSizes,
        unknownSessions,
        new LateUpdates(),
        new LogLevels(),
        new SubagentTrouble(),
        authStatus,
        ...ofWork(),
        new IgnoredCancels(timeouts),
        turnEnds,
        new ToolFailures(timeouts),
      ];
    case 'mcp':
      return [
        new Connections(),
        mcpLint,
        new ProgressLint(),
        messageSizes,
        new ToolFailures(timeouts),
        new LogLevels(),
        new IgnoredCancels(timeouts),
      ];
    case 'lsp':
      return [copilotLanguageServer];
  }
}
