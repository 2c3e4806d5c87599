import type { PageFile } from '../../../store/pageReader';
import type { FileRunOptions } from '../../../past/files/fileRun';
import type { FileRunInfo } from '../../../past/files/fileRunInfo';
import type { Configuration } from '../configuration';

/**
 * How to read a file, within the limits of the settings. Our own journals need no redaction, unless redaction was off when they were written
 * or the user has patterns, which may be newer.
 */
export function fileRunOptions(
  configuration: Pick<Configuration, 'level' | 'maxMemory' | 'redaction'>,
  info: Pick<FileRunInfo, 'origin' | 'isRedacted'> | undefined,
  spill?: () => PageFile,
): FileRunOptions {
  const { redaction } = configuration;
  const isClean = info?.origin === 'past' && info.isRedacted && redaction?.patterns.isEmpty === true;
  return {
    level: configuration.level,
    maxMemory: configuration.maxMemory,
    ...(spill && { spill }),
    redaction: isClean ? undefined : redaction,
  };
}
