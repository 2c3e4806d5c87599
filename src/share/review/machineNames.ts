import { homedir, hostname, userInfo } from 'node:os';
import { basename } from 'node:path';
import type { PersonalNames } from '../../redact/review/personal';

/** The names of this machine and its user. */
export function machineNames(): PersonalNames {
  const host = hostname();
  return {
    users: [...new Set([...accountName(), basename(homedir())])],
    hosts: [...new Set([host, host.split('.')[0] ?? host])],
  };
}

function accountName(): readonly string[] {
  try {
    return [userInfo().username];
  } catch {
    return []; // In a container, the user may have no name.
  }
}
