import * as vscode from 'vscode';
import { shownLine, withEscapes } from '../../../text/text';
import type { PermissionAsker, PermissionRequest } from '../../../live/acp/permissions';
import { DisposableOwner } from '../../kit/disposables';
import { labelText, showInformation } from '../../kit/notify';
import type { Choice, Heading } from '../../kit/pick';
import { pick } from '../../kit/pick';
import type { PermissionText } from '../../../live/acp/permissionText';
import { permissionText } from '../../../live/acp/permissionText';
import { shownCount } from '../../kit/translate';
import { openFile } from '../../kit/openFile';

const scheme = 'agent-logs-permission';

type Token = Parameters<PermissionAsker>[1];
type PermissionOption = PermissionRequest['options'][number];

/** What picking a row does. */
type Act = { readonly type: 'answer'; readonly optionId: string } | { readonly type: 'show' };

const icons: Readonly<Record<PermissionOption['kind'], string>> = {
  allow_once: '$(check)',
  allow_always: '$(check-all)',
  reject_once: '$(x)',
  reject_always: '$(circle-slash)',
};

/** Asks the user for permission. Dismissing the picker rejects the request, and *Allow* is offered only if the whole request can be seen. */
export async function askPermission(
  agent: string,
  request: PermissionRequest,
  token: Token,
): Promise<string | undefined> {
  const text = permissionText(request);
  const title = shownLine(text.title, 150);
  const document = new PermissionDocument(agent, text);
  const asker = askerOf(agent, request);
  try {
    let picked: Act | undefined;
    do {
      if (picked) await document.show();
      const canAllow = text.isWhole || document.isShown;
      const choices = choicesOf(request.options, canAllow);
      picked = await pick<Act>([...choices, ...detailsOf(text, document.isShown)], {
        title: vscode.l10n.t('{0} asks for permission: {1}', asker, title),
        placeholder: placeholderOf(text, canAllow),
        isAgentQuestion: true,
        guarded: true,
        token,
      });
    } while (picked?.type === 'show');
    if (picked === undefined && !token.isCancellationRequested) {
      void showInformation(vscode.l10n.t('Rejected: {0}. The prompt from {1} was dismissed.', title, asker));
    }
    return picked?.optionId;
  } finally {
    document.dispose();
  }
}

/** The names of the asking subagent, its ancestors, and the agent. */
function askerOf(agent: string, { subagents = [] }: PermissionRequest): string {
  const names = subagents.slice(0, 3).map((name) => shownLine(withEscapes(name), 40));
  return [...names, agent].join(' ← ');
}

function placeholderOf({ input, rows }: PermissionText, canAllow: boolean): string {
  if (!canAllow) return vscode.l10n.t('Show all of it before you allow it · Escape rejects');
  return input === '' || rows.length > 0
    ? vscode.l10n.t('Escape rejects')
    : vscode.l10n.t('Escape rejects · {0}', shownLine(input));
}

function choicesOf(options: readonly PermissionOption[], canAllow: boolean): readonly Choice<Act>[] {
  // Rejecting comes first, so that pressing Enter by mistake allows nothing.
  const sorted = [...options].sort((a, b) => Number(isAllowing(a)) - Number(isAllowing(b)));
  return sorted.filter((option) => canAllow || !isAllowing(option)).map(choiceOf);
}

/** Rows for what doesn't fit into the picker's header. Each opens a document with the whole request. */
function detailsOf(text: PermissionText, isShown: boolean): readonly (Choice<Act> | Heading)[] {
  if (text.rows.length === 0 && text.isWhole) return [];
  const value: Act = { type: 'show' };
  const label = text.document
    ? `$(go-to-file) ${vscode.l10n.t('Show All in an Editor')}`
    : `$(error) ${vscode.l10n.t('Nested too deeply to be shown: it can only be rejected')}`;
  const length = shownCount(text.title.length + text.input.length);
  const show = { label, description: text.document ? vscode.l10n.t('{0} characters', length) : '', value };
  if (isShown) return [show];
  const heading = text.isWhole ? vscode.l10n.t('What it asks for') : vscode.l10n.t('The beginning of what it asks for');
  return [show, { heading }, ...text.rows.map((row) => ({ label: labelText(row), value }))];
}

function isAllowing({ kind }: PermissionOption): boolean {
  return kind === 'allow_once' || kind === 'allow_always';
}

/** Shows what an option actually does, because the agent chooses its label. */
function choiceOf({ optionId, name, kind }: PermissionOption): Choice<Act> {
  return {
    label: `${icons[kind]} ${labelText(name)}`,
    description: meanings()[kind],
    value: { type: 'answer', optionId },
  };
}

function meanings(): Readonly<Record<PermissionOption['kind'], string>> {
  return {
    allow_once: vscode.l10n.t('allows it this time'),
    allow_always: vscode.l10n.t('allows it from now on'),
    reject_once: vscode.l10n.t('rejects it this time'),
    reject_always: vscode.l10n.t('rejects it from now on'),
  };
}

/** The whole permission request as a read-only document, which closes when the request is answered. */
class PermissionDocument extends DisposableOwner {
  private readonly uri: vscode.Uri;
  isShown = false;

  constructor(
    agent: string,
    private readonly text: PermissionText,
  ) {
    super();
    const name = labelText(agent, 40).replace(/[^\p{L}\p{N} ._-]/gu, '');
    // JSON Lines, because VS Code would mark wrapped strings as errors in JSON.
    this.uri = vscode.Uri.from({ scheme, path: `/${name} permission ${Date.now()}.jsonl` });
  }

  /** Shows the document behind the picker, if the request can be serialized. */
  async show(): Promise<void> {
    const content = this.text.document;
    if (!content) return;
    if (!this.isShown) {
      this.own(
        vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: () => content() }),
      );
    }
    await openFile(this.uri, { preserveFocus: true });
    this.isShown = true;
  }

  override dispose(): void {
    super.dispose();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const shown = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === this.uri.toString(),
    );
    if (shown.length > 0) void vscode.window.tabGroups.close(shown, true);
  }
}
