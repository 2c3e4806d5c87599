/** By the first line, decoded as UTF-8: what a file is, and what to do. */
const formats: readonly (readonly [beginning: RegExp, what: string])[] = [
  [/^\x1f\ufffd/, 'is compressed with gzip. Decompress it first, such as with gunzip.'],
  [/^\(\ufffd\/\ufffd/, 'is compressed with Zstandard. Decompress it first, such as with zstd -d.'],
  [/^\ufffd7zXZ\0/, 'is compressed with xz. Decompress it first, such as with unxz.'],
  [/^BZh\d1AY&SY/, 'is compressed with bzip2. Decompress it first, such as with bunzip2.'],
  [/^PK(?:\x03\x04|\x05\x06)/, 'is a ZIP archive. Unpack it first, and name one of its files.'],
  [
    /^(?:\ufffd\ufffd(?:[^\0]\0|\0[^\0])|[^\0]\0[^\0]\0|\0[^\0]\0[^\0])/,
    'is text in UTF-16. Convert it to UTF-8 first, such as with iconv -f UTF-16 -t UTF-8, or in PowerShell with Get-Content FILE | Set-Content -Encoding utf8 COPY.',
  ],
  [/^version https:\/\/git-lfs\./, 'is a pointer of Git LFS. Get the file itself first, with git lfs pull.'],
  [/^\s*<(?:!doctype html|html)\b/i, 'is a web page. Name the file of the run itself.'],
];

/**
 * Why a file isn't read, as the end of a sentence, and what to do; `undefined` if it may be a run.
 * @param first its first line
 */
export function otherFormat(first: string): string | undefined {
  return formats.find(([beginning]) => beginning.test(first))?.[1];
}
