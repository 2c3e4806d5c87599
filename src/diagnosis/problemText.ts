import type { DiagnosisCode } from './diagnosis';
import type { Words } from '../text/translator';
import { t } from '../text/translator';
import type { RunProtocol } from '../wire/protocol';
import { inTermsOf, maybeStuck, peer, peerFirst } from '../protocols/terms';

/** Title and cause of a kind of problem. */
export interface ProblemText {
  readonly title: Words;
  readonly why: Words;
  /** What to do, if the record doesn't say it. */
  readonly advice?: Words;
}

/** The texts about a kind of problem in a run, in its terms; `undefined` for a kind that a newer version has recorded. */
export function problemText(code: string, protocol: RunProtocol): ProblemText | undefined {
  const texts = problemTexts[code];
  if (!texts) return undefined;
  const { title, why, advice } = texts;
  const said = (words: Words): Words => inTermsOf(words, protocol);
  return { title: said(title), why: said(why), ...(advice && { advice: said(advice) }) };
}

const problemTexts: Readonly<Partial<Record<string, ProblemText>>> = {
  'failed-turn': {
    title: t('Turn failed'),
    why: t(
      'The agent or its model reported an error during the turn. Agents often still answer such a turn as completed.',
    ),
  },
  'turn-cut-short': {
    title: t('Turn cut short'),
    why: t('The model reached a limit, such as its maximum number of tokens or requests, or it refused to continue.'),
    advice: t(
      'Send another prompt to continue. A limit can be raised in the agent’s settings; a refusal may need other words.',
    ),
  },
  'empty-turn': {
    title: t('Empty turn'),
    why: t('The turn ended without an answer. Agents that swallow an error of the model end a turn like this.'),
  },
  'mcp-server-trouble': {
    title: t('MCP server trouble'),
    why: t(
      'The agent could not start one of its MCP servers, or waits for it. It goes on without the tools of a server that fails.',
    ),
  },
  'tool-failed': {
    title: t('Tool failed'),
    why: t(
      'A tool or command failed, whatever status the {0} reported, and nothing that followed dealt with it. Failures that were dealt with are notices.',
      peer,
    ),
  },
  'failed-request': {
    title: t('Request failed'),
    why: t('The other side couldn’t be reached, or answered the request with an error.'),
  },
  retrying: {
    title: t('Retrying'),
    why: t('A request failed or the connection was lost, and it is being tried again.'),
  },
  'rate-limited': {
    title: t('Rate limited'),
    why: t('No more requests are accepted for now: there were too many in a short time, or a quota is used up.'),
  },
  'model-fallback': {
    title: t('Different model in use'),
    why: t('The agent uses another model, or other model settings, than requested.'),
  },
  'authentication-required': {
    title: t('Not logged in'),
    why: t('The {0}, or the service that it uses, has no valid credentials.', peer),
  },
  'version-not-spoken': {
    title: t('No common protocol version'),
    why: t('The {0} and its client support different versions of the protocol.', peer),
  },
  'missing-executable': {
    title: t('Program not found'),
    why: t('A program that is needed isn’t installed, or isn’t on the PATH that VS Code was started with.'),
  },
  'missing-folder': {
    title: t('Folder not found'),
    why: t('The {0} is started in a folder that doesn’t exist.', peer),
  },
  'agent-ended': {
    title: t('{0} exited unexpectedly', peerFirst),
    why: t('The process exited or was killed without being stopped from VS Code. Its last output usually says why.'),
  },
  'slow-to-end': {
    title: t('{0} slow to exit', peerFirst),
    why: t('{0}s should exit when standard input ends or on SIGTERM, and stop their child processes.', peerFirst),
  },
  'unanswered-request': {
    title: t('Request not answered'),
    why: t('The request has been waiting for its response for a long time. The other side may be busy or stuck.'),
  },
  silence: {
    title: t('No activity'),
    why: t('No activity for a long time while work was open. {0}.', maybeStuck),
  },
  'repeated-call': {
    title: t('Same call again and again'),
    why: t(
      'The agent made the same tool call, or the same two in turn, many times in a row with the same input. It usually doesn’t notice that it gets nowhere.',
    ),
  },
  'waiting-for-user': {
    title: t('Waiting for you'),
    why: t('The {0} asked for a permission or an answer, and goes on only when you have answered.', peer),
  },
  'context-nearly-full': {
    title: t('Context nearly full'),
    why: t(
      'Little of the model’s context is left. The agent will compact the conversation, forget parts of it, or fail.',
    ),
  },
  'compacts-again': {
    title: t('Compacts again and again'),
    why: t(
      'What compacting leaves nearly fills the context: instructions, descriptions of tools, or a large output. So it is full again at once.',
    ),
  },
  'cache-never-read': {
    title: t('Cache never read'),
    why: t(
      'The agent writes the conversation to the provider’s cache in each request, and never reads it from there. Input that is written to a cache costs more than other input.',
    ),
  },
  'hook-timed-out': {
    title: t('Hook timed out'),
    why: t(
      'A hook is a program that the agent runs before or after its own steps. This one didn’t end within its time limit, and the agent went on without it.',
    ),
  },
  'asked-again': {
    title: t('Asked again'),
    why: t('You chose “always” for the same thing before in this session, and the agent asked again.'),
  },
  'cancel-ignored': {
    title: t('Cancellation ignored'),
    why: t('The {0} continued after the cancellation, or didn’t answer as cancelled.', peer),
  },
  'stdout-junk': {
    title: t('Unexpected text on stdout'),
    why: t('Standard output is reserved for protocol messages. Logs belong on standard error.'),
  },
  'malformed-message': {
    title: t('Malformed message'),
    why: t('The line is JSON, but not a message of the protocol.'),
  },
  'oversize-message': {
    title: t('Message too large'),
    why: t('The line is longer than the limit for one message.'),
  },
  'unasked-log': {
    title: t('Log message not asked for'),
    why: t('The {0} sends log messages although the client hasn’t asked for any.', peer),
  },
  'log-below-level': {
    title: t('Log message below the level'),
    why: t('The {0} sends log messages that are less severe than the level it was asked for.', peer),
  },
  'unknown-session': {
    title: t('Unknown session'),
    why: t('The message names a session that was never opened on this connection.'),
  },
  'unknown-response': {
    title: t('Response without a request'),
    why: t('The response has the ID of no open request.'),
  },
  'protocol-violation': {
    title: t('Protocol violation'),
    why: t('The message isn’t allowed by the protocol in this form or at this point.'),
  },
  alert: {
    title: t('Alert'),
    why: t('It matches one of your alerts.'),
    advice: t(
      'The evidence below shows what matched. To change the alert, edit {0} in your user settings.',
      'agentLogs.alerts',
    ),
  },
} satisfies Record<DiagnosisCode, ProblemText>;
