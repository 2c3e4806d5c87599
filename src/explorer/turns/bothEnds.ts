import { localClock } from '../../text/format';
import { indentedJson, parsedJson } from '../../text/jsonText';
import { shownLine, shownText } from '../../text/text';
import type { Translator } from '../../text/translator';
import type { CallEnd, FieldChange, Loss } from '../../timeline/joins/losses';
import { lossesOf } from '../../timeline/joins/losses';
import type { CallText } from '../../work/tools/callText';
import { wholeLength } from '../../work/tools/callText';
import type { FarEnd } from '../../runLog/joins/joinedRun';
import type { WireText } from '../wire/wireMessages';
import type { BothEnds, CallSide, Difference } from './turnMessages';

const maxName = 200;

/** A tool call or a request, in its run. */
export type NearEnd = Pick<FarEnd, 'run' | 'span'>;

/** @param requests those that the call caused, oldest first, at least one */
export function bothEnds(call: NearEnd, requests: readonly NearEnd[], l10n: Translator): BothEnds {
  const asked = callEnd(call);
  const got = requests.map(callEnd);
  const [server, last] = [requests.at(-1), got.at(-1)];
  if (!server || !last) throw new RangeError('No request.');
  const { length } = requests;
  const retried =
    length > 1 ? [{ text: l10n.t('{0} requests, the last is shown: retries.', length), isLoss: false }] : [];
  return {
    sides: [
      side(call, asked, l10n.t('Agent: {0}', nameOf(call)), l10n),
      side(server, last, l10n.t('MCP server: {0}', nameOf(server)), l10n, [[l10n.t('Method'), 'tools/call']]),
    ],
    differences: [...lossesOf(asked, got).map((loss) => difference(loss, l10n)), ...retried],
  };
}

/** As text, to be copied: what differs, then one end below the other. */
export function endsText({ sides, differences }: BothEnds): readonly string[] {
  return [
    ...differences.map(({ text }) => text),
    ...sides.flatMap(({ title, fields, texts }) => [
      `\n${title}`,
      ...fields.map(([name, value]) => `${name}: ${value}`),
      ...texts.map((part) => `${part.title}\n${part.text}${part.missing > 0 && !part.text.endsWith('…') ? '…' : ''}`),
    ]),
  ];
}

function callEnd({ run, span }: NearEnd): CallEnd {
  const { id, toolName, title, startedAt, endedAt, outcome } = span;
  const { args, result } = run.log.textsOf(id) ?? {};
  return { name: toolName ?? title, args, result, startedAt, endedAt, outcome };
}

function nameOf({ run }: NearEnd): string {
  return shownText(shownLine(run.name, maxName));
}

function side(
  { run, span }: NearEnd,
  { name, args, result, startedAt, endedAt }: CallEnd,
  title: string,
  l10n: Translator,
  more: CallSide['fields'] = [],
): CallSide {
  const show = (text: string): string => shownText(run.log.store.sessionIds.inText(text, span.sessionId));
  const part = (label: string, text: CallText | undefined): WireText => {
    const size = text ? ` · ${l10n.t('{0} characters', wholeLength(text).toLocaleString(l10n.locale))}` : '';
    return { title: `${label}${size}`, text: text ? show(indented(text)) : '', missing: text?.missing ?? 0 };
  };
  const took = endedAt === undefined ? '' : { ms: endedAt - startedAt };
  return {
    title,
    fields: [
      ...more,
      [l10n.t('Name'), show(shownLine(name, maxName))],
      [l10n.t('Time'), localClock(startedAt)],
      [l10n.t('Duration'), took === '' ? l10n.t('running') : l10n.t('{0}', took)],
    ],
    texts: [part(l10n.t('Arguments'), args), part(l10n.t('Result'), result)],
  };
}

function indented({ text, missing }: CallText): string {
  const value = missing > 0 ? undefined : parsedJson(text);
  return (typeof value === 'object' && value !== null ? indentedJson(value) : undefined) ?? text;
}

function difference(loss: Loss, l10n: Translator): Difference {
  const count = (size: number): string => size.toLocaleString(l10n.locale);
  const lost = (text: string): Difference => ({ text, isLoss: true });
  const known = (text: string): Difference => ({ text, isLoss: false });
  switch (loss.type) {
    case 'name':
      return known(l10n.t('Name: {0} in the agent, {1} at the server.', shown(loss.asked), shown(loss.got)));
    case 'arguments':
      return lost(
        loss.fields.length === 0
          ? l10n.t('The server got other arguments than the agent shows.')
          : l10n.t('Arguments changed on the way: {0}', loss.fields.map((field) => fieldText(field, l10n)).join(', ')),
      );
    case 'arguments-unknown':
      return known(l10n.t('The agent doesn’t show the arguments.'));
    case 'result-cut':
      return lost(l10n.t('Result cut: the agent shows {0} of {1} characters.', count(loss.kept), count(loss.of)));
    case 'result-changed':
      return lost(
        l10n.t(
          'Result changed: the agent shows another text ({0} characters) than the server sent ({1}).',
          count(loss.kept),
          count(loss.of),
        ),
      );
    case 'result-unknown':
      return known(l10n.t('The agent doesn’t show the result.'));
    case 'outcome':
      return lost(
        loss.isServers
          ? l10n.t('The server reported an error, the agent a success.')
          : l10n.t('The server reported a success, the agent an error.'),
      );
    case 'waited':
      return known(
        loss.after === undefined
          ? l10n.t('Waited in the agent: {0} before the request.', { ms: loss.before })
          : l10n.t(
              'Waited in the agent: {0} before the request, {1} after the answer.',
              { ms: loss.before },
              { ms: loss.after },
            ),
      );
    case 'late':
      return known(l10n.t('The agent reported the call {0} after its request.', { ms: loss.by }));
  }
}

function shown(name: string): string {
  return shownText(shownLine(name, maxName));
}

function fieldText({ name, how }: FieldChange, l10n: Translator): string {
  switch (how) {
    case 'changed':
      return l10n.t('{0} (changed)', shown(name));
    case 'removed':
      return l10n.t('{0} (removed)', shown(name));
    case 'added':
      return l10n.t('{0} (added)', shown(name));
  }
}
