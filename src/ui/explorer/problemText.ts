import * as vscode from 'vscode';
import type { DiagnosisCode } from '../../diagnosis/diagnosis';
import type { ProblemText } from './record/recordDetails';

/** The title and the cause of a kind of problem. */
export function problemText(code: DiagnosisCode): ProblemText | undefined {
  switch (code) {
    case 'failed-turn':
      return {
        title: vscode.l10n.t('Turn failed'),
        why: vscode.l10n.t(
          'The agent or its model reported an error during the turn. Agents often still answer such a turn as completed.',
        ),
      };
    case 'turn-cut-short':
      return {
        title: vscode.l10n.t('Turn cut short'),
        why: vscode.l10n.t(
          'The model reached a limit, such as its maximum number of tokens or requests, or it refused to continue.',
        ),
      };
    case 'empty-turn':
      return {
        title: vscode.l10n.t('Empty turn'),
        why: vscode.l10n.t(
          'The turn ended without output and without tool calls. Agents that swallow an error of the model end a turn like this.',
        ),
      };
    case 'tool-failed':
      return {
        title: vscode.l10n.t('Tool failed'),
        why: vscode.l10n.t(
          'The output of the tool shows a failure, such as an exit code other than 0. The status that the agent reported may say otherwise.',
        ),
      };
    case 'failed-request':
      return {
        title: vscode.l10n.t('Request failed'),
        why: vscode.l10n.t('The other side answered the request with an error.'),
      };
    case 'retrying':
      return {
        title: vscode.l10n.t('Retrying'),
        why: vscode.l10n.t('A request to the model failed, and the agent is trying again.'),
      };
    default:
      return modelText(code) ?? processText(code) ?? messageText(code);
  }
}

function modelText(code: DiagnosisCode): ProblemText | undefined {
  switch (code) {
    case 'rate-limited':
      return {
        title: vscode.l10n.t('Rate limited'),
        why: vscode.l10n.t(
          'The model provider accepts no more requests for now: too many in a short time, or a quota is used up.',
        ),
      };
    case 'model-fallback':
      return {
        title: vscode.l10n.t('Different model in use'),
        why: vscode.l10n.t('The agent uses another model, or other model settings, than requested.'),
      };
    case 'authentication-required':
      return {
        title: vscode.l10n.t('Not logged in'),
        why: vscode.l10n.t('The agent or its model provider has no valid credentials.'),
      };
    default:
      return undefined;
  }
}

function processText(code: DiagnosisCode): ProblemText | undefined {
  switch (code) {
    case 'version-not-spoken':
      return {
        title: vscode.l10n.t('No common protocol version'),
        why: vscode.l10n.t('The agent and Agent Logs support different versions of the protocol.'),
      };
    case 'missing-executable':
      return {
        title: vscode.l10n.t('Program not found'),
        why: vscode.l10n.t(
          'A program that is needed isn’t installed, or isn’t on the PATH that VS Code was started with.',
        ),
      };
    case 'agent-ended':
      return {
        title: vscode.l10n.t('Agent exited unexpectedly'),
        why: vscode.l10n.t(
          'The process exited or was killed without being stopped from VS Code. Its last output usually says why.',
        ),
      };
    case 'slow-to-end':
      return {
        title: vscode.l10n.t('Agent slow to exit'),
        why: vscode.l10n.t(
          'Agents should exit when standard input ends or on SIGTERM, and stop their child processes.',
        ),
      };
    case 'unanswered-request':
      return {
        title: vscode.l10n.t('Request not answered'),
        why: vscode.l10n.t(
          'The request has been waiting for its response for a long time. The other side may be busy or stuck.',
        ),
      };
    case 'silence':
      return {
        title: vscode.l10n.t('No activity'),
        why: vscode.l10n.t('No activity during a turn for a long time. The model may be slow, or the agent stuck.'),
      };
    case 'cancel-ignored':
      return {
        title: vscode.l10n.t('Cancellation ignored'),
        why: vscode.l10n.t('The agent continued after the cancellation, or didn’t answer as cancelled.'),
      };
    default:
      return undefined;
  }
}

function messageText(code: DiagnosisCode): ProblemText | undefined {
  switch (code) {
    case 'stdout-junk':
      return {
        title: vscode.l10n.t('Unexpected text on stdout'),
        why: vscode.l10n.t('Standard output is reserved for protocol messages. Logs belong on standard error.'),
      };
    case 'malformed-message':
      return {
        title: vscode.l10n.t('Malformed message'),
        why: vscode.l10n.t('The line is JSON, but not a message of the protocol.'),
      };
    case 'oversize-message':
      return {
        title: vscode.l10n.t('Message too large'),
        why: vscode.l10n.t('The line is longer than the limit for one message.'),
      };
    case 'unasked-log':
      return {
        title: vscode.l10n.t('Log message not asked for'),
        why: vscode.l10n.t('The agent sends log messages although the client hasn’t asked for any.'),
      };
    case 'log-below-level':
      return {
        title: vscode.l10n.t('Log message below the level'),
        why: vscode.l10n.t('The agent sends log messages that are less severe than the level it was asked for.'),
      };
    case 'unknown-session':
      return {
        title: vscode.l10n.t('Unknown session'),
        why: vscode.l10n.t('The message names a session that was never opened on this connection.'),
      };
    case 'unknown-response':
      return {
        title: vscode.l10n.t('Response without a request'),
        why: vscode.l10n.t('The response has the ID of no open request.'),
      };
    case 'protocol-violation':
      return {
        title: vscode.l10n.t('Protocol violation'),
        why: vscode.l10n.t('The message isn’t allowed by the protocol in this form or at this point.'),
      };
    default:
      return undefined;
  }
}
