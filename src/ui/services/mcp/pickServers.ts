import { homedir } from 'node:os';
import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import type { Redactor } from '../../../redact/redactor';
import type { ConfiguredServer } from '../../../mcpServers/configuredServers';
import { redactWords } from '../../../runLog/reading/redactEvent';
import { openFolders } from '../../kit/folders';
import type { Choice, PickItem } from '../../kit/pick';
import { pickItem, section } from '../../kit/pick';

type ServerItem = PickItem<ConfiguredServer>;

export interface ServerPickOptions {
  readonly title: string;
  readonly placeholder: string;
  /** Whether all are chosen at first. */
  readonly all: boolean;
  readonly redactor: Redactor;
}

/** Asks for servers, by client and file. Remote ones are listed, but can't be chosen. Returns `undefined` if the user dismisses the picker. */
export async function pickServers(
  servers: readonly ConfiguredServer[],
  { title, placeholder, all, redactor }: ServerPickOptions,
): Promise<readonly ConfiguredServer[] | undefined> {
  const picker = vscode.window.createQuickPick<ServerItem>();
  picker.title = title;
  picker.placeholder = placeholder;
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = itemsOf(servers, redactor);
  const canWatch = ({ value }: ServerItem): boolean => value?.start.type === 'process';
  picker.selectedItems = all ? picker.items.filter(canWatch) : [];
  try {
    return await new Promise((resolve) => {
      picker.onDidChangeSelection((selected) => {
        if (!selected.every(canWatch)) picker.selectedItems = selected.filter(canWatch);
      });
      picker.onDidAccept(() => {
        resolve(picker.selectedItems.filter(canWatch).flatMap(({ value }) => value ?? []));
        picker.hide();
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

function itemsOf(servers: readonly ConfiguredServer[], redactor: Redactor): readonly ServerItem[] {
  const headingOf = ({ client, file }: ConfiguredServer): string => `${client.label} · ${shortPath(file)}`;
  const headings = new Set(servers.map(headingOf));
  return [...headings]
    .flatMap((heading) =>
      section(
        heading,
        servers.filter((server) => headingOf(server) === heading).map((server) => choiceOf(server, redactor)),
      ),
    )
    .map(pickItem);
}

function choiceOf(server: ConfiguredServer, redactor: Redactor): Choice<ConfiguredServer> {
  const { name, start, isEnabled } = server;
  const state = isEnabled ? [] : [vscode.l10n.t('disabled')];
  if (start.type === 'http') {
    return {
      label: name,
      description: [vscode.l10n.t('remote'), ...state].join(' · '),
      detail: vscode.l10n.t("Can't be watched: no command starts it. Look for its calls in the agent's session."),
      value: server,
    };
  }
  const command = redactWords([start.command, ...start.args], redactor).join(' ');
  return { label: name, description: [command, ...state].join(' · '), value: server };
}

/** Relative to a folder of the workspace, or to the home folder. */
export function shortPath(file: string): string {
  const bases = [...openFolders().map(({ path }) => ({ path, name: '' })), { path: homedir(), name: `~${sep}` }];
  const base = bases.find(({ path }) => file.startsWith(path + sep));
  return base ? `${base.name}${relative(base.path, file)}` : file;
}
