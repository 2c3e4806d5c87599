import type { Level } from '../../text/level';
import { parseLevel, reaches } from '../../text/level';
import { boundedSessionId } from '../../protocols/sessionIds';
import type { JsonObject, RequestId } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import { asksToEnd, isBeginning } from '../../protocols/lifecycle';
import { LastEntries } from '../../protocols/stderr/lastEntries';
import type { OpenRequest } from '../../work/requests';
import { BoundedMap } from '../../text/boundedMap';
import { ownHead } from '../../text/ownText';
import type { WireProcessEvent } from '../../wire/wireEvent';
import { opensSession } from '../../work/methodRole';
import type { LogLine } from '../../protocols/logLine/logLine';
import { modelChosenBy } from './chosenModel';
import type { StderrTrouble } from './troubles';
import type { Oversized } from '../failures/clientLimits';
import { oversizedIn } from '../failures/clientLimits';
import { serversReadyIn } from '../failures/serverTrouble';
import { streamError } from '../failures/streamError';
import { logLine, noteStderr, readTrouble, readTroubles } from './troubles';
import type { Protocol } from '../../wire/protocol';
import type { EquipmentFact, TurnFact } from '../../work/activity';
import type { JunkFact, LineFact, NotificationFact, RequestFact, ResponseFact } from '../../work/facts';
import type { EndedTurn, Turn } from '../../work/turn';
import type { Work } from '../../work/work';

const maxSessions = 1000;
/** Maximum length of a kept command line, in characters. */
const maxCommand = 1000;
/** How many of the newest session IDs are searched for in a text. Shorter IDs may be part of a word. */
const maxSearched = 50;
const minDistinct = 12;
/** How many lines a stream may have after an error that ends it. */
const maxSinceError = 5;
/** How many log messages in a row are searched for a cause, so that floods stay fast. */
const maxLogs = 20;
/** How many MCP servers of a session are followed, and how much of their names. */
const [maxServers, maxName] = [50, 100];

interface Starting {
  readonly id: RequestId;
  /** When a server was ready, by its name. */
  readonly ready: Map<string, number>;
}

/** The state of the run that the rules share, bounded in size. */
export class Conversation {
  /** Sessions that the client opened. */
  private readonly sessions = new BoundedMap<string, true>(maxSessions);
  /** Sessions that the agent listed or opened for a subagent. Kept apart so that a long list can't evict the open session. */
  private readonly listed = new BoundedMap<string, true>(maxSessions);
  /** The parameters of the latest `initialize` that was answered, or of the first as soon as it is sent. */
  initializeParams: JsonObject | undefined;
  private offered: JsonObject | undefined;
  /** The latest response to `initialize`. */
  initializeResult: JsonObject | undefined;
  /** When a stream's agent was started, in milliseconds since the epoch; `undefined` once it has sent anything. */
  silentSince: number | undefined;
  /** The beginning of the command line that started the agent; empty if unknown. */
  startedWith = '';
  /** When the client last chose a model, in milliseconds since the epoch. */
  modelChosenAt = -Infinity;
  /** Turns that end with a later fact of the line that is judged, by session: until then, they run. */
  readonly ending = new Map<string, EndedTurn>();
  /** The turn that the current fact ended. */
  endedTurn: EndedTurn | undefined;
  /** When a message of the agent last couldn't be read, in milliseconds since the epoch. */
  unreadAt = -Infinity;
  /** The latest message, if it is the agent's and larger than what official clients read. */
  oversized: Oversized | undefined;
  /** When the latest turn ended, in milliseconds since the epoch. */
  lastTurnAt = 0;
  /** Whether the agent has opened a session, so it needs no login or is logged in. */
  hasOpenedSession = false;
  /** Whether the agent is a server that is reached over HTTP, so that nothing it says may become a command to run here. */
  isRemote = false;
  /** Whether the extension stopped the agent, so that whatever ends with it is no failure. */
  askedToEnd = false;
  /** Whether the stream reported its latest turn as failed or interrupted, which makes a nonzero exit code redundant. */
  hasReportedFailure = false;
  /** What the latest entry on standard error says about the model or its provider. */
  troubles: readonly StderrTrouble[] = [];
  /** How many log messages may still be searched for a cause before anything else arrives. */
  private logsLeft = maxLogs;
  /** The tools that the model gets, in order, and the MCP servers, as far as known. */
  tools: readonly string[] = [];
  mcpServers: readonly string[] = [];
  /** The request for a session that starts these servers, and when each was ready. */
  starting: Starting | undefined;
  /** Whether stdin was closed, and no signal was sent since. */
  private isInputOver = false;
  private error: { readonly words: string; since: number } | undefined;
  /** The newest entries on standard error. */
  readonly stderr = new LastEntries();
  /** What came on standard output since the last message, if it isn't a message. */
  readonly stdout = new LastEntries();

  constructor(
    readonly protocol: Protocol,
    readonly work: Work,
  ) {}

  /** The process has ended. */
  end(): void {
    this.silentSince = undefined;
  }

  /** The running turn of a session, as of the current fact. */
  turnOf(sessionId: string | undefined): Turn | undefined {
    return sessionId === undefined ? undefined : (this.ending.get(sessionId) ?? this.work.turnOf(sessionId));
  }

  /** The running turns, as of the current fact, oldest first. */
  get turns(): readonly Turn[] {
    const { turns } = this.work;
    return this.ending.size === 0 ? turns : [...this.ending.values(), ...turns];
  }

  get hasTurns(): boolean {
    return this.work.hasTurns || this.ending.size > 0;
  }

  get hasOpen(): boolean {
    return this.work.requests.hasJudged || this.hasTurns || this.silentSince !== undefined;
  }

  knowsSession(sessionId: string): boolean {
    return this.sessions.has(sessionId) || this.listed.has(sessionId);
  }

  /** Whether the user has just chosen a model, so that a change of model is expected. */
  hasChosenModel(t: number): boolean {
    return t - this.modelChosenAt < 60_000;
  }

  /** The session whose ID occurs in the text. */
  sessionIn(text: string): string | undefined {
    return this.sessionsIn(text)[0];
  }

  /** The turn of the session whose ID occurs in the text; without an ID, the only running turn. */
  turnNamedIn(text: string): Turn | undefined {
    const { turns } = this;
    if (turns.length === 0) return undefined;
    const sessionId = this.sessionIn(text);
    if (sessionId !== undefined) return this.turnOf(sessionId);
    return turns.length === 1 ? turns[0] : undefined;
  }

  /** All sessions whose IDs occur in the text, longest ID first, because one ID may be part of another. */
  sessionsIn(text: string): readonly string[] {
    const recent = [...this.sessions.keys().slice(-maxSearched), ...this.listed.keys().slice(-maxSearched)];
    const named = recent.filter((id) => id.length >= minDistinct && text.includes(id));
    return [...new Set(named)].sort((a, b) => b.length - a.length);
  }

  /** Whether this is the ACP 2 draft, which has different messages and turns. */
  get isAcpVersion2(): boolean {
    return this.initializeResult?.['protocolVersion'] === 2;
  }

  get clientCapabilities(): JsonObject {
    return objectOf(this.initializeParams?.['clientCapabilities'] ?? this.initializeParams?.['capabilities']);
  }

  /** The least severe level that the client requested with `initialize`. */
  get askedLevel(): Level | undefined {
    return parseLevel(objectOf(this.clientCapabilities['logging'])['level']);
  }

  get agentCapabilities(): JsonObject {
    return objectOf(this.initializeResult?.['agentCapabilities'] ?? this.initializeResult?.['capabilities']);
  }

  /** Whether a log message may say why the turn fails, or which MCP server is ready. */
  needsLog({ level }: Pick<LogLine, 'level'>): boolean {
    if (this.logsLeft <= 0 || this.protocol !== 'acp') return false;
    return this.starting !== undefined || (this.work.hasTurns && reaches(level, 'warning'));
  }

  /** Notes what a log message says about a failure of its turn, or about the MCP servers that are being started. */
  seeLog({ params, sessionId, event }: NotificationFact): void {
    if (this.logsLeft <= 0) return;
    this.logsLeft--;
    const line = logLine(params);
    this.noteReady(line.message, event.t);
    const turn = sessionId === undefined ? this.turnNamedIn('') : this.turnOf(sessionId);
    const trouble = turn && readTrouble(line);
    if (trouble) noteStderr(this.work, turn, trouble);
  }

  private noteReady(text: string, at: number): void {
    if (!this.starting) return;
    const { ready } = this.starting;
    for (const server of serversReadyIn(text, this.mcpServers)) if (!ready.has(server)) ready.set(server, at);
  }

  /** The error that a stream's last lines report, in whatever form. */
  get lastError(): string | undefined {
    return this.error && this.error.since < maxSinceError ? this.error.words : undefined;
  }

  see(seen: LineFact): void {
    this.logsLeft = maxLogs;
    if (seen.event.dir === 'a2c') this.seeOutput(seen);
    if (seen.event.dir === 'a2c' || seen.event.dir === 'c2a') this.oversized = oversizedIn(seen, this.protocol);
    switch (seen.type) {
      case 'junk':
        if (seen.dir === 'a2c' && mayBeMessage(seen)) this.unreadAt = seen.event.t;
        return;
      case 'request':
        if (seen.dir === 'c2a' && seen.request.role === 'greeting') {
          this.offered = seen.params;
          // A new offer applies once it is answered.
          if (!this.initializeResult) this.initializeParams = seen.params;
        }
        if (seen.dir === 'c2a' && modelChosenBy(seen)) this.modelChosenAt = seen.event.t;
        if (seen.dir === 'c2a' && opensSession(seen.request)) {
          addSession(this.sessions, seen.params['sessionId']);
          this.starts(seen);
        }
        return;
      case 'response':
        // The turn after the choice used the model.
        if (seen.request?.role === 'turn' && seen.request.startedAt > this.modelChosenAt) {
          this.modelChosenAt = -Infinity;
        }
        if (seen.request?.id === this.starting?.id) this.starting = undefined;
        if (seen.dir === 'a2c' && seen.request && !seen.error) this.seeResult(seen, seen.request);
        return;
      case 'object':
        this.seeObject(seen.msg);
        return;
      case 'stderr':
        this.troubles = readTroubles(seen.entry);
        this.noteReady(seen.entry.raw, seen.entry.t);
        this.stderr.keep(seen.entry);
        return;
      case 'process':
        if (isBeginning(seen.event)) this.begin(seen.event);
        if (asksToEnd(seen.event)) this.askedToEnd = true;
        if (seen.event.ev === 'stdin-close') this.isInputOver = true;
        if (seen.event.ev === 'signal') this.isInputOver = false;
        return;
      case 'notification':
        if (this.protocol === 'acp' && seen.dir === 'a2c') this.seeUpdate(seen);
        // LSP's request to exit.
        if (this.protocol === 'lsp' && seen.dir === 'c2a' && seen.method === 'exit') this.askedToEnd = true;
        return;
      default:
    }
  }

  private seeObject(msg: JsonObject): void {
    const words = streamError(msg);
    if (words !== undefined) this.error = { words, since: 0 };
    else if (this.error) this.error.since++;
  }

  /** An agent starts the MCP servers of a session before it answers. */
  private starts({ request, params }: RequestFact): void {
    const servers = arrayOf(params['mcpServers']).slice(0, maxServers).map(objectOf);
    this.mcpServers = servers.flatMap(({ name }) => textOf(name)?.slice(0, maxName) ?? []);
    this.starting = this.mcpServers.length === 0 ? undefined : { id: request.id, ready: new Map() };
  }

  equipped({ tools, servers }: EquipmentFact): void {
    this.tools = tools;
    this.mcpServers = servers.map(({ name }) => name);
  }

  /** A failure that a turn reported explains the exit, until the next turn. */
  turnChanged(fact: TurnFact): void {
    if (fact.change === 'started') this.hasReportedFailure = false;
    if (fact.change !== 'ended') return;
    // An agent without more input exits after an interrupted turn, so that explains its exit.
    if (fact.failure || fact.isInterrupted) this.hasReportedFailure = true;
    else if (!fact.isUnanswered) this.hasReportedFailure = false;
  }

  private seeOutput(seen: LineFact): void {
    // A command line that begins its work once stdin is closed wasn't asked to end.
    if (this.silentSince !== undefined && this.isInputOver) this.askedToEnd = false;
    this.silentSince = undefined;
    const isPrinted = seen.type === 'junk' && (seen.why === 'not-json' || seen.why === 'no-message');
    if (isPrinted) this.stdout.add(seen.event);
    else this.stdout.clear();
  }

  /** Resets the state when a new process replaces one that ended. */
  private begin({ t, ...event }: WireProcessEvent): void {
    this.isRemote = event.ev === 'connect';
    this.startedWith = 'command' in event ? ownHead(event.command.join(' '), maxCommand) : '';
    if (this.protocol === 'stream-json') this.silentSince = t;
    this.askedToEnd = this.isInputOver = false;
    this.hasReportedFailure = false;
    this.hasOpenedSession = false;
    this.starting = this.error = this.oversized = undefined;
    this.stderr.clear();
    this.stdout.clear();
  }

  private seeResult({ result }: ResponseFact, request: OpenRequest): void {
    const fields = objectOf(result);
    if (request.role === 'greeting') {
      this.initializeResult = fields;
      this.initializeParams = this.offered ?? this.initializeParams;
    }
    if (opensSession(request)) {
      this.hasOpenedSession = true;
      addSession(this.sessions, fields['sessionId'] ?? request.sessionId);
    }
    if (request.role === 'list') {
      for (const session of arrayOf(fields['sessions']).slice(0, maxSessions)) {
        addSession(this.listed, objectOf(session)['sessionId']);
      }
    }
  }

  /** The agent opens a subagent's session itself and announces it in the parent session. */
  private seeUpdate({ params }: NotificationFact): void {
    const update = objectOf(params['update']);
    if (update['sessionUpdate'] === 'subagent_update') addSession(this.listed, update['sessionId']);
  }
}

/** Whether a line that couldn't be read may have been a message: too long, cut, or two at once. */
function mayBeMessage({ why, event }: JunkFact): boolean {
  return why !== 'not-json' || event.line.trimStart().startsWith('{');
}

function addSession(sessions: BoundedMap<string, true>, id: unknown): void {
  const text = textOf(id);
  if (text !== undefined) sessions.set(boundedSessionId(text), true);
}
