import * as vscode from 'vscode';
import type { PersonalKind } from '../../../redact/review/personal';
import { personalKinds } from '../../../redact/review/personal';
import type { ShareChoice } from '../../../share/review/choice';
import type { ShareFormat } from '../../../share/shareFormat';
import type { ContentSize, Findings, Found } from '../../../share/review/findings';
import type { ReviewGroup, ReviewItem, ReviewPlace, ReviewTick, ReviewView } from '../../../share/review/messages';
import type { TextPlace } from '../../../share/review/place';
import type { SharedContent } from '../../../share/sharedRun';
import { sharedContents } from '../../../share/sharedRun';
import { shownLine } from '../../../text/text';
import { shownCount, shownSize, translate } from '../../kit/translate';

/** What the review is about, and how far it is. */
export interface ReviewState {
  readonly title: string;
  readonly findings: Findings | undefined;
  readonly choice: ShareChoice;
  readonly format: ShareFormat;
  /** The size of the file in bytes, once it is known. */
  readonly size: number | undefined;
  readonly isSaving: boolean;
}

const maxItems = 100;
const maxText = 160;

/** What the page of the review shows. */
export function reviewView({ title, findings, choice, format, size, isSaving }: ReviewState): ReviewView {
  return {
    locale: vscode.env.language,
    title,
    intro: [introOf(format), ...(choice.include.size < sharedContents.length ? [quotationsNote()] : [])].join(' '),
    ...(findings && {
      review: {
        contents: {
          legend: vscode.l10n.t('Include'),
          presets: [
            {
              id: 'full',
              label: vscode.l10n.t('Full'),
              hint: vscode.l10n.t('Includes all content'),
            },
            {
              id: 'minimal',
              label: vscode.l10n.t('Minimal'),
              hint: vscode.l10n.t('Only steps, times, levels, loggers, outcomes and problems, without quotations'),
            },
          ],
          groups: sharedContents.map((content) => contentGroup(content, findings.contents[content], choice)),
        },
        findings: [suspectGroup(findings, choice), personalGroup(findings, choice), redactionGroup(findings)],
        formats: {
          legend: vscode.l10n.t('Format'),
          choices: [
            { id: 'html', label: vscode.l10n.t('HTML file'), isChecked: format === 'html' },
            { id: 'markdown', label: vscode.l10n.t('Markdown'), isChecked: format === 'markdown' },
          ],
        },
        save: format === 'html' ? vscode.l10n.t('Save HTML File…') : vscode.l10n.t('Save Markdown File…'),
      },
    }),
    status: statusOf(findings, size, isSaving),
    isBusy: size === undefined || isSaving,
    cancel: vscode.l10n.t('Cancel'),
    failure: {
      message: vscode.l10n.t('This can’t be shown because of an internal error.'),
      retry: vscode.l10n.t('Try Again'),
      restart: vscode.l10n.t('Cancel'),
    },
  };
}

function introOf(format: ShareFormat): string {
  switch (format) {
    case 'html':
      return vscode.l10n.t(
        'Writes one HTML file with the log, the messages and the turns, which opens in any browser. Nothing is written before you save it.',
      );
    case 'markdown':
      return vscode.l10n.t(
        'Writes a text for an issue or a pull request: what went wrong, then the turns, as much as GitHub takes. Nothing is written before you save it.',
      );
  }
}

/** What is left out with any content. */
function quotationsNote(): string {
  return vscode.l10n.t(
    'Texts that may quote what you leave out go with it: log messages, errors, titles, what problems quote, the run’s name and how it ended. Bodies of messages and standard error stay only if prompts, answers and tools stay.',
  );
}

function statusOf(findings: Findings | undefined, size: number | undefined, isSaving: boolean): string {
  if (!findings) return vscode.l10n.t('Reading the run…');
  if (isSaving) return vscode.l10n.t('Saving…');
  return size === undefined ? vscode.l10n.t('Measuring the file…') : vscode.l10n.t('File size: {0}', shownSize(size));
}

function contentGroup(content: SharedContent, size: ContentSize, { include }: ShareChoice): ReviewGroup {
  const { label, one } = contentWords(content);
  const { count, characters, largest } = size;
  const items = largest.map(({ text, characters: length, place }) => ({
    text,
    note: shownSize(length),
    places: [placeOf(place, text)],
    more: '',
  }));
  const isAll = count <= items.length;
  return {
    title: isAll ? one : vscode.l10n.t('The largest {0} of {1}', shownCount(items.length), shownCount(count)),
    note: count === 0 ? vscode.l10n.t('none') : `${shownCount(count)} · ${shownSize(characters)}`,
    tick: { id: content, label, isChecked: include.has(content) },
    items,
    more: '',
  };
}

function contentWords(content: SharedContent): { readonly label: string; readonly one: string } {
  const one = vscode.l10n.t('Show');
  switch (content) {
    case 'prompts':
      return { label: vscode.l10n.t('Prompts'), one };
    case 'answers':
      return { label: vscode.l10n.t('Answers and thoughts'), one };
    case 'tools':
      return { label: vscode.l10n.t('Tool inputs and outputs'), one };
    case 'wire':
      return { label: vscode.l10n.t('Bodies of messages'), one };
    case 'stderr':
      return { label: vscode.l10n.t('Standard error'), one };
  }
}

function suspectGroup({ suspects, harmless }: Findings, { cutsSuspects }: ShareChoice): ReviewGroup {
  const known = [
    harmless.uuid > 0 ? vscode.l10n.t('UUIDs: {0}', shownCount(harmless.uuid)) : [],
    harmless.hash > 0 ? vscode.l10n.t('hashes: {0}', shownCount(harmless.hash)) : [],
    harmless.id > 0 ? vscode.l10n.t('IDs: {0}', shownCount(harmless.id)) : [],
    harmless.data > 0 ? vscode.l10n.t('Base64 data: {0}', shownCount(harmless.data)) : [],
  ].flat();
  return {
    title: vscode.l10n.t('May be a secret: {0}', shownCount(suspects.length)),
    note: [
      suspects.length > 0
        ? vscode.l10n.t('Long random texts without a known name or form.')
        : vscode.l10n.t('No long random texts without a known name or form.'),
      known.length > 0 ? vscode.l10n.t('Not listed, because harmless – {0}.', known.join(', ')) : '',
    ]
      .join(' ')
      .trim(),
    ...ticked(suspects.length, 'suspects', vscode.l10n.t('Cut them from the file'), cutsSuspects),
    ...listed(suspects.map((found) => itemOf(found, shortened(found.what)))),
  };
}

function personalGroup({ personal }: Findings, { replacesPersonal }: ShareChoice): ReviewGroup {
  const words: Readonly<Record<PersonalKind, string>> = {
    home: vscode.l10n.t('home folder'),
    user: vscode.l10n.t('user name'),
    host: vscode.l10n.t('host name'),
    email: vscode.l10n.t('e-mail address'),
  };
  const items = personalKinds.flatMap((kind) => personal[kind].map((found) => itemOf(found, found.what, words[kind])));
  return {
    title: vscode.l10n.t('Personal paths and names: {0}', shownCount(items.length)),
    note: items.length === 0 ? vscode.l10n.t('None were found.') : '',
    ...ticked(
      items.length,
      'personal',
      vscode.l10n.t('Replace with {0}', ['~', 'user', 'host', 'email'].join(', ')),
      replacesPersonal,
    ),
    ...listed(items),
  };
}

function redactionGroup({ redactions }: Findings): ReviewGroup {
  return {
    title: vscode.l10n.t('Already redacted: {0}', shownCount(redactions.reduce((sum, { count }) => sum + count, 0))),
    note:
      redactions.length === 0
        ? vscode.l10n.t('No known kinds of secrets were found.')
        : vscode.l10n.t('Secrets that were removed before anything was stored.'),
    ...listed(redactions.map((found) => itemOf(found, translate(found.what)))),
  };
}

function ticked(count: number, id: ReviewTick, label: string, isChecked: boolean): Pick<ReviewGroup, 'tick'> {
  return count === 0 ? {} : { tick: { id, label, isChecked } };
}

function listed(items: readonly ReviewItem[]): Pick<ReviewGroup, 'items' | 'more'> {
  return { items: items.slice(0, maxItems), more: moreOf(items.length - maxItems) };
}

function itemOf({ count, places }: Found<unknown>, text: string, kind?: string): ReviewItem {
  const times = count === 1 ? '' : vscode.l10n.t('{0} places', shownCount(count));
  const shown = shownLine(text, maxText);
  return {
    text: shown,
    note: [kind, times].filter((word) => word !== undefined && word !== '').join(' · '),
    places: places.map((place) => placeOf(place, shown)),
    more: moreOf(count - places.length),
  };
}

function moreOf(count: number): string {
  return count > 0 ? vscode.l10n.t('and {0} more', shownCount(count)) : '';
}

function placeOf(place: TextPlace, text: string): ReviewPlace {
  const label = labelOf(place);
  return { ...place, label, name: `${label}: ${shownLine(text, 60)}` };
}

function labelOf({ tab, seq }: TextPlace): string {
  if (seq === undefined) return vscode.l10n.t('run');
  if (tab === 'log') return `#${seq}`;
  return `${tab === 'wire' ? vscode.l10n.t('Wire') : vscode.l10n.t('Turns')} #${seq}`;
}

/** Enough of a token to recognize it. */
function shortened(token: string): string {
  const size = vscode.l10n.t('{0} characters', shownCount(token.length));
  return token.length > 32 ? `${token.slice(0, 16)}…${token.slice(-6)} (${size})` : token;
}
