import * as vscode from 'vscode';
import type { DiagnosisCode } from '../../diagnosis/diagnosis';

/** Title and cause of a kind of problem. */
export interface ProblemText {
  readonly title: string;
  readonly why: string;
  /** What to do, if the record doesn't say it. */
  readonly advice?: string;
}

/** By kind; a newer version may have recorded others. */
export const problemTexts: Readonly<Partial<Record<string, ProblemText>>> = {
  'failed-turn': {
    title: vscode.l10n.t('Turn failed'),
    why: vscode.l10n.t(
      'The agent or its model reported an error during the turn. Agents often still answer such a turn as completed.',
    ),
  },
  'turn-cut-short': {
    title: vscode.l10n.t('Turn cut short'),
    why: vscode.l10n.t(
      'The model reached a limit, such as its maximum number of tokens or requests, or it refused to continue.',
    ),
    advice: vscode.l10n.t(
      'Send another prompt to continue. A limit can be raised in the agent’s settings; a refusal may need other words.',
    ),
  },
  'empty-turn': {
    title: vscode.l10n.t('Empty turn'),
    why: vscode.l10n.t(
      'The turn ended without output and without tool calls. Agents that swallow an error of the model end a turn like this.',
    ),
  },
  'mcp-server-trouble': {
    title: vscode.l10n.t('MCP server trouble'),
    why: vscode.l10n.t(
      'The agent could not start one of its MCP servers, or waits for it. It goes on without the tools of a server that fails.',
    ),
  },
  'tool-failed': {
    title: vscode.l10n.t('Tool failed'),
    why: vscode.l10n.t(
      'A tool or command failed, whatever status the agent reported, and the turn ended as if nothing had happened. Failures that the agent dealt with are notices.',
    ),
  },
  'failed-request': {
    title: vscode.l10n.t('Request failed'),
    why: vscode.l10n.t('The other side couldn’t be reached, or answered the request with an error.'),
  },
  retrying: {
    title: vscode.l10n.t('Retrying'),
    why: vscode.l10n.t('A request to the model failed, and the agent is trying again.'),
  },
  'rate-limited': {
    title: vscode.l10n.t('Rate limited'),
    why: vscode.l10n.t(
      'The model provider accepts no more requests for now: too many in a short time, or a quota is used up.',
    ),
  },
  'model-fallback': {
    title: vscode.l10n.t('Different model in use'),
    why: vscode.l10n.t('The agent uses another model, or other model settings, than requested.'),
  },
  'authentication-required': {
    title: vscode.l10n.t('Not logged in'),
    why: vscode.l10n.t('The agent or its model provider has no valid credentials.'),
  },
  'version-not-spoken': {
    title: vscode.l10n.t('No common protocol version'),
    why: vscode.l10n.t('The agent and Agent Logs support different versions of the protocol.'),
  },
  'missing-executable': {
    title: vscode.l10n.t('Program not found'),
    why: vscode.l10n.t('A program that is needed isn’t installed, or isn’t on the PATH that VS Code was started with.'),
  },
  'missing-folder': {
    title: vscode.l10n.t('Folder not found'),
    why: vscode.l10n.t('The agent is started in a folder that doesn’t exist.'),
  },
  'agent-ended': {
    title: vscode.l10n.t('Agent exited unexpectedly'),
    why: vscode.l10n.t(
      'The process exited or was killed without being stopped from VS Code. Its last output usually says why.',
    ),
  },
  'slow-to-end': {
    title: vscode.l10n.t('Agent slow to exit'),
    why: vscode.l10n.t('Agents should exit when standard input ends or on SIGTERM, and stop their child processes.'),
  },
  'unanswered-request': {
    title: vscode.l10n.t('Request not answered'),
    why: vscode.l10n.t(
      'The request has been waiting for its response for a long time. The other side may be busy or stuck.',
    ),
  },
  silence: {
    title: vscode.l10n.t('No activity'),
    why: vscode.l10n.t('No activity during a turn for a long time. The model may be slow, or the agent stuck.'),
  },
  'repeated-call': {
    title: vscode.l10n.t('Same call again and again'),
    why: vscode.l10n.t(
      'The agent made the same tool call, or the same two in turn, many times in a row with the same input. It usually doesn’t notice that it gets nowhere.',
    ),
  },
  'waiting-for-user': {
    title: vscode.l10n.t('Waiting for you'),
    why: vscode.l10n.t('The agent asked for a permission or an answer, and goes on only when you have answered.'),
  },
  'context-nearly-full': {
    title: vscode.l10n.t('Context nearly full'),
    why: vscode.l10n.t(
      'Little of the model’s context is left. The agent will compact the conversation, forget parts of it, or fail.',
    ),
  },
  'compacts-again': {
    title: vscode.l10n.t('Compacts again and again'),
    why: vscode.l10n.t(
      'What compacting leaves nearly fills the context: instructions, descriptions of tools, or a large output. So it is full again at once.',
    ),
  },
  'asked-again': {
    title: vscode.l10n.t('Asked again'),
    why: vscode.l10n.t('You chose “always” for the same thing before in this session, and the agent asked again.'),
  },
  'cancel-ignored': {
    title: vscode.l10n.t('Cancellation ignored'),
    why: vscode.l10n.t('The agent continued after the cancellation, or didn’t answer as cancelled.'),
  },
  'stdout-junk': {
    title: vscode.l10n.t('Unexpected text on stdout'),
    why: vscode.l10n.t('Standard output is reserved for protocol messages. Logs belong on standard error.'),
  },
  'malformed-message': {
    title: vscode.l10n.t('Malformed message'),
    why: vscode.l10n.t('The line is JSON, but not a message of the protocol.'),
  },
  'oversize-message': {
    title: vscode.l10n.t('Message too large'),
    why: vscode.l10n.t('The line is longer than the limit for one message.'),
  },
  'unasked-log': {
    title: vscode.l10n.t('Log message not asked for'),
    why: vscode.l10n.t('The agent sends log messages although the client hasn’t asked for any.'),
  },
  'log-below-level': {
    title: vscode.l10n.t('Log message below the level'),
    why: vscode.l10n.t('The agent sends log messages that are less severe than the level it was asked for.'),
  },
  'unknown-session': {
    title: vscode.l10n.t('Unknown session'),
    why: vscode.l10n.t('The message names a session that was never opened on this connection.'),
  },
  'unknown-response': {
    title: vscode.l10n.t('Response without a request'),
    why: vscode.l10n.t('The response has the ID of no open request.'),
  },
  'protocol-violation': {
    title: vscode.l10n.t('Protocol violation'),
    why: vscode.l10n.t('The message isn’t allowed by the protocol in this form or at this point.'),
  },
  alert: {
    title: vscode.l10n.t('Alert'),
    why: vscode.l10n.t('It matches one of your alerts.'),
    advice: vscode.l10n.t(
      'The evidence below shows what matched. To change the alert, edit {0} in your user settings.',
      'agentLogs.alerts',
    ),
  },
} satisfies Record<DiagnosisCode, ProblemText>;
