import * as vscode from 'vscode';
import { levels } from '../../log/level';
import { kindNames } from '../tree/format';

/** The texts of the page, in the display language. `{0}` and `{1}` are placeholders. */
export type PageStrings = ReturnType<typeof pageStrings>;

export function pageStrings() {
  return {
    ...shellStrings(),
    ...detailsStrings(),
    ...turnStrings(),
    wireTexts: wireTexts(),
    locale: vscode.env.language,
    levels,
    kinds: kindNames(),
    help: helpTexts(),
  };
}

function shellStrings() {
  return {
    filter: vscode.l10n.t('Filter'),
    filterPlaceholder: vscode.l10n.t('Filter, for example: level:warning -"cache miss" since:10m'),
    suggestions: vscode.l10n.t('Suggestions'),
    clearFilter: vscode.l10n.t('Clear filter'),
    levelChips: vscode.l10n.t('Levels'),
    histogram: vscode.l10n.t('Records over time'),
    rangeStart: vscode.l10n.t('Start of the time range'),
    rangeEnd: vscode.l10n.t('End of the time range'),
    log: vscode.l10n.t('Log'),
    wire: vscode.l10n.t('Wire'),
    tabs: vscode.l10n.t('Views of the run'),
    follow: vscode.l10n.t('Follow'),
    newRecords: vscode.l10n.t('{0} new'),
    exportShown: vscode.l10n.t('Export filtered records…'),
    keyboardHelp: vscode.l10n.t('Keyboard shortcuts'),
    grid: vscode.l10n.t('Log records'),
    count: vscode.l10n.t('{0} of {1}'),
    countAtLeast: vscode.l10n.t('≥ {0} of {1}'),
    dropped: vscode.l10n.t('{0} dropped'),
    nothing: vscode.l10n.t('No records yet.'),
    nothingMatches: vscode.l10n.t('No records match the filter.'),
    later: vscode.l10n.t('{0} later'),
    closedRun: vscode.l10n.t('The run of {0} was closed. These are the records that were in memory.'),
    openJournal: vscode.l10n.t('Open Journal'),
    openFile: vscode.l10n.t('Open Log File…'),
    reading: vscode.l10n.t('Reading the file: {0} %'),
    context: vscode.l10n.t('Showing the records around the match.'),
    backToFilter: vscode.l10n.t('Back to Filter'),
  };
}

function detailsStrings() {
  return {
    details: vscode.l10n.t('Details'),
    closeDetails: vscode.l10n.t('Close'),
    bookmark: vscode.l10n.t('Bookmark'),
    what: vscode.l10n.t('What happened'),
    why: vscode.l10n.t('Why'),
    advice: vscode.l10n.t('What to do'),
    evidence: vscode.l10n.t('Evidence'),
    before: vscode.l10n.t('Warnings and errors before it'),
    noAdvice: vscode.l10n.t('No remedy is known. The evidence below shows what the agent sent.'),
    occurrences: vscode.l10n.t('{0} times since {1}'),
    time: vscode.l10n.t('Time'),
    ownTime: vscode.l10n.t('Agent’s time'),
    session: vscode.l10n.t('Session'),
    logger: vscode.l10n.t('Logger'),
    level: vscode.l10n.t('Level'),
    message: vscode.l10n.t('Message'),
    data: vscode.l10n.t('Data'),
    rawLine: vscode.l10n.t('Raw line'),
    showRaw: vscode.l10n.t('Show raw line'),
    showAll: vscode.l10n.t('Show {0} more characters'),
    showMore: vscode.l10n.t('Show more ({0} left)'),
    missing: vscode.l10n.t('{0} more characters aren’t shown. Open Journal at Line has all of it.'),
    record: vscode.l10n.t('Record'),
    actions: vscode.l10n.t('Actions'),
    copyMessage: vscode.l10n.t('Copy Message'),
    copyJson: vscode.l10n.t('Copy as JSON'),
    openAsText: vscode.l10n.t('Open as Text'),
    revealInTree: vscode.l10n.t('Reveal in Tree'),
    showOutput: vscode.l10n.t('Show Output'),
    journalLine: vscode.l10n.t('Open Journal at Line'),
    showContext: vscode.l10n.t('Show the records around this one'),
    gone: vscode.l10n.t('This record is no longer in memory.'),
    resizeDetails: vscode.l10n.t('Resize details'),
  };
}

function turnStrings() {
  return {
    turns: vscode.l10n.t('Turns'),
    noTurns: vscode.l10n.t('No turns or tool calls yet.'),
    noTurnsMatch: vscode.l10n.t('No turns or tool calls match the filter.'),
    turnFilter: vscode.l10n.t('Filter, for example: tool:bash status:error took:>10s'),
    exportTrace: vscode.l10n.t('Export trace…'),
    showRecords: vscode.l10n.t('Show records {0}'),
    compare: vscode.l10n.t('Compare With…'),
    zoomIn: vscode.l10n.t('Zoom in'),
    zoomOut: vscode.l10n.t('Zoom out'),
    olderSpans: vscode.l10n.t('{0} older turns and tool calls are no longer listed.'),
    noMoreProblems: vscode.l10n.t('No more problems'),
    noOtherSession: vscode.l10n.t('No record of another session'),
    turnColumns: { name: vscode.l10n.t('Name'), tokens: vscode.l10n.t('Tokens') },
    toolTable: vscode.l10n.t('Tools'),
    /** Tool, calls, errors, total, median, 95th percentile. */
    toolColumns: [
      vscode.l10n.t('Tool'),
      vscode.l10n.t('Calls'),
      vscode.l10n.t('Errors'),
      vscode.l10n.t('Total'),
      vscode.l10n.t('Median'),
      vscode.l10n.t('p95'),
    ],
    spanKinds: {
      turn: vscode.l10n.t('turn'),
      tool: vscode.l10n.t('tool'),
      permission: vscode.l10n.t('permission'),
      request: vscode.l10n.t('request'),
      subagent: vscode.l10n.t('subagent'),
      compaction: vscode.l10n.t('compaction'),
    },
    outcomes: {
      ok: vscode.l10n.t('ok'),
      error: vscode.l10n.t('failed'),
      cancelled: vscode.l10n.t('cancelled'),
      refused: vscode.l10n.t('refused'),
      unanswered: vscode.l10n.t('no answer'),
      open: vscode.l10n.t('running'),
    },
  };
}

function wireTexts() {
  return {
    grid: vscode.l10n.t('Requests'),
    filterPlaceholder: vscode.l10n.t('Filter, for example: method:session/* status:error took:>1s'),
    chips: vscode.l10n.t('Kinds of messages'),
    requests: vscode.l10n.t('Requests'),
    notifications: vscode.l10n.t('Notifications'),
    http: vscode.l10n.t('HTTP'),
    errors: vscode.l10n.t('Errors'),
    pending: vscode.l10n.t('Pending'),
    slowest: vscode.l10n.t('Slowest first'),
    pendingFirst: vscode.l10n.t('Pending first'),
    statuses: {
      none: '',
      pending: vscode.l10n.t('pending'),
      ok: vscode.l10n.t('ok'),
      error: vscode.l10n.t('failed'),
      cancelled: vscode.l10n.t('cancelled'),
      unanswered: vscode.l10n.t('no answer'),
    },
    directions: { out: vscode.l10n.t('to the agent'), in: vscode.l10n.t('from the agent') },
    nothing: vscode.l10n.t('No requests or notifications found.'),
    dropped: vscode.l10n.t('{0} older messages are no longer listed.'),
    copyPair: vscode.l10n.t('Copy Request and Answer'),
    showRecord: vscode.l10n.t('Show in Log'),
    loading: vscode.l10n.t('Reading the journal…'),
    columns: {
      method: vscode.l10n.t('Method'),
      status: vscode.l10n.t('Status'),
      took: vscode.l10n.t('Duration'),
      size: vscode.l10n.t('Size'),
      timeline: vscode.l10n.t('Timeline'),
    },
  };
}

function helpTexts(): readonly (readonly [keys: string, does: string])[] {
  return [
    ['↑ ↓ j k', vscode.l10n.t('Previous or next record')],
    ['PgUp PgDn', vscode.l10n.t('Previous or next page')],
    ['g G', vscode.l10n.t('First or last record')],
    ['Enter', vscode.l10n.t('Open details')],
    ['Esc', vscode.l10n.t('Close details, then clear the time range')],
    ['/', vscode.l10n.t('Go to the filter')],
    ['F8', vscode.l10n.t('Next problem (with Shift: previous)')],
    ['[ ]', vscode.l10n.t('Previous or next record of another session')],
    ['Space', vscode.l10n.t('Pause or follow')],
    ['c', vscode.l10n.t('Show the records around this one')],
    ['b', vscode.l10n.t('Bookmark (with Shift: go to the next bookmark)')],
    ['y', vscode.l10n.t('Copy the message; in Wire, the request and its answer; in Turns, the span')],
    ['1 2 3', vscode.l10n.t('Log, Wire, Turns')],
    ['s p', vscode.l10n.t('Wire: slowest or pending first')],
    ['l', vscode.l10n.t('Wire and Turns: show in Log')],
    ['← → z', vscode.l10n.t('Turns: fold and unfold, zoom to a span')],
    ['+ - < >', vscode.l10n.t('Turns: zoom in and out, earlier and later (or drag over the bars)')],
    ['t', vscode.l10n.t('Turns: time by tool')],
    ['d', vscode.l10n.t('Turns: compare with another turn')],
  ];
}
