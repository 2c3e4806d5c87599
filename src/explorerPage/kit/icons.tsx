import type { JSX } from 'preact';
import bookmark from '@vscode/codicons/src/icons/bookmark.svg';
import chevronDown from '@vscode/codicons/src/icons/chevron-down.svg';
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg';
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import exportIcon from '@vscode/codicons/src/icons/export.svg';
import filter from '@vscode/codicons/src/icons/filter.svg';
import goToFile from '@vscode/codicons/src/icons/go-to-file.svg';
import info from '@vscode/codicons/src/icons/info.svg';
import json from '@vscode/codicons/src/icons/json.svg';
import lightbulb from '@vscode/codicons/src/icons/lightbulb.svg';
import listTree from '@vscode/codicons/src/icons/list-tree.svg';
import markdown from '@vscode/codicons/src/icons/markdown.svg';
import output from '@vscode/codicons/src/icons/output.svg';
import pause from '@vscode/codicons/src/icons/debug-pause.svg';
import play from '@vscode/codicons/src/icons/play.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import unfold from '@vscode/codicons/src/icons/unfold.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';

/** Paths of the codicons that the page uses. */
const icons = {
  bookmark,
  chevronDown,
  chevronRight,
  circleSlash,
  close,
  copy,
  error,
  export: exportIcon,
  filter,
  goToFile,
  info,
  json,
  lightbulb,
  listTree,
  markdown,
  output,
  pause,
  play,
  question,
  unfold,
  warning,
} as const;

export type IconName = keyof typeof icons;

/** A decorative icon, by its name or its paths. */
export function Icon({ name }: { readonly name: IconName | readonly string[] }): JSX.Element {
  const paths = typeof name === 'string' ? icons[name] : name;
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      {paths.map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  );
}

/** A decorative icon outside what Preact draws. */
export function iconElement(name: IconName): Element {
  const made = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  made.setAttribute('class', 'icon');
  made.setAttribute('viewBox', '0 0 16 16');
  made.setAttribute('fill', 'currentColor');
  for (const d of icons[name]) {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', d);
    made.append(path);
  }
  return made;
}

/** An icon button; the label is its tooltip and accessible name. */
export function IconButton(props: {
  readonly icon: IconName | readonly string[];
  readonly label: string;
  readonly isPressed?: boolean;
  readonly onPress: () => void;
}): JSX.Element {
  const { icon, label, isPressed, onPress } = props;
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}
