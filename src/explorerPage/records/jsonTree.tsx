import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DataNode, DataPath } from '../../explorer/page/messages';
import type { Explorer } from '../explorer';
import { Icon } from '../kit/icons';

/** A record's data as a tree. Members are loaded in pages when a node is expanded. */
export function JsonTree({ explorer, root }: { readonly explorer: Explorer; readonly root: DataNode }): JSX.Element {
  return (
    <ul class="json">
      <Branch explorer={explorer} node={root} path={[]} isOpen />
    </ul>
  );
}

interface BranchProps {
  readonly explorer: Explorer;
  readonly node: DataNode;
  readonly path: DataPath;
  readonly isOpen?: boolean;
}

function Branch({ explorer, node, path, isOpen = false }: BranchProps): JSX.Element {
  const { t } = explorer.view;
  const key = path.join('.');
  const members = explorer.log.record.members.get(key);
  const [isUnfolded, unfold] = useState(isOpen);
  const isFoldable = node.size > 0;
  const isMissing = isUnfolded && isFoldable && !members;
  useEffect(() => {
    if (isMissing) explorer.log.record.loadMembers(path);
  }, [isMissing, key]);
  const line = (
    <>
      {node.key !== '' && <span class="key">{node.key}</span>}
      <Value explorer={explorer} node={node} path={path} isUnfolded={isUnfolded && isFoldable} />
    </>
  );
  if (!isFoldable) return <li class="leaf">{line}</li>;
  return (
    <li>
      <button type="button" class="fold" aria-expanded={isUnfolded} onClick={() => unfold(!isUnfolded)}>
        <Icon name={isUnfolded ? 'chevronDown' : 'chevronRight'} />
        {line}
      </button>
      {isUnfolded && (
        <ul>
          {members?.map((member, index) => (
            <Branch key={index} explorer={explorer} node={member} path={[...path, index]} />
          ))}
          {members && members.length < node.size && (
            <li class="leaf">
              <button type="button" class="link" onClick={() => explorer.log.record.loadMembers(path)}>
                {t('Show more ({0} left)', node.size - members.length)}
              </button>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

function Value({ explorer, node, path, isUnfolded }: BranchProps & { readonly isUnfolded: boolean }): JSX.Element {
  const { t } = explorer.view;
  const whole = explorer.log.record.texts.get(path.join('.'));
  if (isUnfolded) return <span class="quiet">{node.type === 'array' ? `[${node.size}]` : `{${node.size}}`}</span>;
  return (
    <>
      <span class={`value ${node.type}`}>{whole?.text ?? node.text}</span>
      {node.missing > 0 && !whole && node.type === 'string' && (
        <button type="button" class="link" onClick={() => explorer.log.record.loadValue(path)}>
          {t('Show {0} more characters', node.missing)}
        </button>
      )}
    </>
  );
}
