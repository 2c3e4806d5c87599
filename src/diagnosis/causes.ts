import type { Words } from '../text/translator';
import { t } from '../text/translator';
import type { FailureClass } from '../work/failures/failurePatterns';

/** The causes of problems in two or three words, shown first in rows. */
export const causes = {
  folderMissing: t('folder not found'),
  noServer: t('no server there'),
  accessRefused: t('access refused'),
  connectionRefused: t('connection refused'),
  cutShort: t('cut short'),
  unsupported: t('unsupported version'),
  wrongProtocol: t('wrong protocol'),
  retrying: t('retrying'),
  reconnecting: t('reconnecting'),
  connectionLost: t('connection lost'),
  noResult: t('no result'),
  emptyTurn: t('empty turn'),
  noAnswer: t('no answer'),
  hook: t('blocked by a hook'),
  cancelIgnored: t('cancel ignored'),
  invalidSubagent: t('invalid subagent'),
  subagentSilent: t('subagent silent'),
  otherModel: t('another model'),
  compactsAgain: t('compacts again and again'),
  clientHungUp: t('client hung up'),
  hookTimedOut: t('hook timed out'),
  cacheNeverRead: t('cache never read'),
  waitingForUser: t('waiting for you'),
  askedAgain: t('asked again'),
  questionLost: t('question never arrived'),
} as const;

const ofFailures: Readonly<Record<FailureClass, Words | undefined>> = {
  certificate: t('certificate not trusted'),
  clock: t('clock is wrong'),
  proxy: t('proxy error'),
  dns: t('host not found'),
  'disk-full': t('disk full'),
  'out-of-memory': t('out of memory'),
  'tool-schema': t('tool refused'),
  history: t('history refused'),
  'no-session': t('session not found'),
  authentication: t('not logged in'),
  'rate-limit': t('rate limited'),
  'mcp-server': t('MCP server ended'),
  network: t('network error'),
  overloaded: t('overloaded'),
  unavailable: t('provider unavailable'),
  'missing-executable': t('program not found'),
  model: t('model not available'),
  'context-length': t('context too long'),
  policy: t('blocked by policy'),
  aborted: t('aborted'),
  other: undefined,
};

export function causeOf(failure: FailureClass): Words | undefined {
  return ofFailures[failure];
}
