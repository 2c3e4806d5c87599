import type { Query, Term } from '../../src/query/query';
import { fileTest, globTest, isProblem, passesLevel, passesSession, termGroups } from '../../src/query/queryTest';
import { resolveTime } from '../../src/query/timeValue';
import type { LogRecord } from '../../src/text/record';
import type { RunLog } from '../../src/runLog/runLog';

/** The records of a run that match a query, by testing each one. */
export function naiveFilter(log: RunLog, query: Query, now: number): readonly LogRecord[] {
  const tests = termGroups(query.terms).map(({ terms, negated }) => {
    const each = terms.map((term) => termTest(term, log, now));
    return (record: LogRecord) => each.some((test) => test(record)) !== negated;
  });
  return log.store.query().filter((record) => tests.every((test) => test(record)));
}

function termTest(term: Term, log: RunLog, now: number): (record: LogRecord) => boolean {
  switch (term.key) {
    case 'text': {
      const text = term.text.toLowerCase();
      return ({ message, logger }) => [message, logger].some((one) => one?.toLowerCase().includes(text));
    }
    case 'regex': {
      const expression = new RegExp(term.source, term.ignoresCase ? 'i' : '');
      return ({ message, logger }) => expression.test(message) || (logger !== undefined && expression.test(logger));
    }
    case 'level':
      return ({ level }) => passesLevel(level, term.values);
    case 'session':
      return ({ sessionId }) => {
        const title = sessionId === undefined ? undefined : log.find(sessionId)?.title;
        return passesSession(sessionId === undefined ? undefined : { id: sessionId, title }, term.values);
      };
    case 'logger': {
      const tests = term.values.map(globTest);
      return ({ logger }) => logger !== undefined && tests.some((test) => test(logger));
    }
    case 'file': {
      const test = fileTest(term.values);
      const spans = log.spans({ kinds: ['tool'] }).filter(({ changes }) => changes?.some(({ path }) => test(path)));
      return ({ seq }) => spans.some(({ firstSeq, lastSeq }) => seq === firstSeq || seq === lastSeq);
    }
    case 'kind':
      return ({ kind }) => term.values.includes(kind);
    case 'since':
    case 'until': {
      const newest = Math.max(log.connection.lastAt, ...log.sessions.map(({ lastAt }) => lastAt));
      const times = term.values.map((value) => resolveTime(value, term.key, { now, newest }));
      return ({ receivedAt }) => times.some((time) => (term.key === 'since' ? receivedAt >= time : receivedAt <= time));
    }
    case 'is':
      return isProblem;
    case 'has':
      return ({ data }) => data !== undefined;
    case 'raw': {
      const texts = term.values.map((value) => value.toLowerCase());
      return ({ seq }) => {
        const raw = log.store.raw(seq)?.toLowerCase();
        return texts.some((text) => raw?.includes(text));
      };
    }
    case 'seq':
      return ({ seq }) => term.values.some(({ from = 0, to = Infinity }) => seq >= from && seq <= to);
  }
}
