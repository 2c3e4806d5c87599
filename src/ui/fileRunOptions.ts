import type { FileRunOptions } from '../runs/files/fileRun';
import type { FileRunInfo } from '../runs/files/fileRunInfo';
import type { Configuration } from './configuration';

/**
 * How a file is read, within the limits of the settings. Our own journals have no secrets any more, unless they were written while the
 * person wanted them kept, or before they had patterns of their own; a file of others may.
 */
export function fileRunOptions(
  configuration: Pick<Configuration, 'level' | 'maxMemory' | 'redacts' | 'redactionPatterns'>,
  info: Pick<FileRunInfo, 'origin' | 'isRedacted'> | undefined,
): FileRunOptions {
  const patterns = configuration.redactionPatterns;
  const isClean = info?.origin === 'past' && info.isRedacted && patterns.isEmpty;
  return {
    level: configuration.level,
    maxMemory: configuration.maxMemory,
    ...(configuration.redacts && !isClean && { redaction: { patterns } }),
  };
}
