import type { Purpose } from './purpose';

/** What an answer may say about a failed call, in lower case. */
export interface Subject {
  /** Commands, programs, files and tools. */
  readonly names: readonly string[];
  readonly purposes: ReadonlySet<Purpose>;
  readonly exitCode: number | undefined;
  readonly output: string;
  /** Nothing else failed, so that "it failed" is about this. */
  readonly isOnly: boolean;
  /** The prompt is a question. */
  readonly isQuestion: boolean;
}

/** Longer answers aren't read completely. */
const maxAnswer = 8000;
const maxSentence = 600;
const minWord = 5;

/** Ends of sentences; the dot of a file name isn't one. */
const ends = /[.!?;](?=\s)|[\n。！？；]|\s[–—]\s/;

/** That something is bad, in the languages that agents are most often used in. */
const bad = new RegExp(
  [
    // English
    String.raw`\b(?:fail(?:s|ed|ing|ures?)?|errors?|errored|crash(?:es|ed|ing)?|broken?|breaks|unable|unsuccessful(?:ly)?|impossible|missing|unavailable|unreachable|timed out|times out|timeout|denied|refused|rejected|forbidden|blocked|aborted|killed|unresolved|incomplete|skipped|problems?|blockers?|red|conflicts?|unauthori[sz]ed|mismatch|did not|does not|do not|is not|are not|was not|were not|has not|have not|cannot|can not|could not|will not|no (?:such|matching|space|access|permission|network|internet|connection|route)|there (?:is|are|was|were) no|nothing \w+|needs? (?:you )?to|need you to|please (?:run|log|install|check|start|set)|before I can|by hand|manually|not (?:be )?(?:found|installed|available|possible|present|allowed|permitted|supported|yet|verified|run|tested|accessible|set)|(?:limit|quota) (?:is |was )?(?:reached|exceeded)|exceeded|out of (?:memory|disk)|non-?zero|unfortunately|instead of)\b`,
    String.raw`\b(?:did|does|do|is|are|was|were|has|have|ca|could|wo|would)n't\b`,
    // German
    String.raw`\b(?:fehl(?:er|ern|geschlagen|schlägt|t|en|te)|schl(?:ug|ägt|ugen|agen)(?: \S+){0,4} fehl|(?:ge)?scheiter\w*|konnten?|kann nicht|nicht (?:gefunden|möglich|installiert|verfügbar|erreichbar|vorhanden|bestanden|gelungen|erlaubt|geprüft)|abge(?:stürzt|brochen|lehnt)|leider|kaputt|verweigert|gibt es nicht|existiert nicht|läuft (?:nicht|kein\w*)|ohne erfolg|rot|tote?[rn]?)\b`,
    // French, Spanish, Portuguese, Italian, Dutch, Polish, Turkish
    String.raw`(?:échou|échec|erreur|n'a pas|n'ont pas|n'est pas|n'existe pas|impossible|introuvable|plant[ée]|refusé|fall[óao]|fallan|fallaron|fallid|falló|no se (?:pudo|pudieron|encontr|puede)|no (?:pude|existe|está|funcion|pas|hay)|imposible|falh|erro(?![a-z])|não (?:foi|consegui|funcion|encontr|existe|está|pass|há)|fallit|errore|non (?:è|sono|riesc|funzion|trovat|esiste|pass|ho potuto)|mislukt|fout|niet (?:gelukt|gevonden|geïnstalleerd)|nie (?:udało|powiodł|działa|znalezion|przeszł|istnieje)|błąd|błęd|başarısız|hata(?![a-z])|bulunamadı)`,
    // Russian, Ukrainian
    String.raw`(?:ошибк|не (?:удал|смог|работа|найден|про[шх]|установлен|существует|получил|пройден|выполн|запуст|вдал|знайд)|провал|упал|пада[юе]|сбой|неудач|отказан|помилк|заверш\S{0,8} с)`,
    // Japanese, Chinese, Korean
    String.raw`(?:失敗|エラー|でき(?:ません|ず|なかった|ない)|落ち|通(?:りません|らない|っていません)|見つか(?:りません|らな)|ありません|存在しま|失败|错误|錯誤|无法|無法|未能|不能|找不到|未找到|未通过|没有通过|不存在|报错|未安装|没有安装|超时|拒绝|실패|오류|에러|못했|못합|없습니다|없었|않습니다|않았)`,
    String.raw`[❌✗✘⚠🔴]`,
  ].join('|'),
  'iu',
);

/** That something isn't bad, or no longer, although a word of it would say so. */
const good = new RegExp(
  [
    String.raw`\b(?:no|zero|0|without(?: any)?|free of|any) (?:\w+ ){0,2}?(?:errors?|failures?|failing|failed|problems?|issues?|conflicts?)(?: or (?:errors?|warnings?|failures?))?\b`,
    String.raw`\b(?:fix(?:ed|es|ing)?|resolv(?:ed|es|ing)|solv(?:ed|es)|correct(?:ed|s)|repair(?:ed|s)|eliminat(?:ed|es)|handl(?:es|ed|ing)|prevent(?:s|ed|ing)?|add(?:ed|s)|improv(?:ed|es)|address(?:ed|es)|remov(?:ed|es))\b[^,;.]{0,60}?\b(?:fail(?:s|ed|ing|ures?)?|errors?|crash(?:es|ing)?|broken|missing|problems?|conflicts?|timeouts?)\b`,
    String.raw`\b(?:previously|formerly|once|originally|earlier)[ -](?:failing|failed|broken|missing)\b|\bno longer (?:\w+ )?(?:fails?|failing|crash(?:es|ing)?|broken|missing|errors?)\b`,
    String.raw`\berror[ -](?:handl\w*|messages?|pages?|class(?:es)?|codes?|boundar\w*|cases?|responses?|types?|states?|paths?|log\w*|report\w*|toasts?|texts?)\b`,
    String.raw`\b(?:so (?:that )?it|which|that|it|now) (?:now )?(?:throws|returns|raises|reports|shows|logs|rejects) (?:\w+ ){0,3}?errors?\b`,
    String.raw`\b(?:did|does|do|is|are|was|were)(?: not|n't) (?:change|touch|modify|need|require|affect|alter|break|add|remove|necessary|needed|affected)\b`,
    String.raw`\bfail(?:s|ed|ing)?\b[^.;]{0,80}?\b(?:is|are|was|were|has been|have been|now) (?:now )?(?:fixed|resolved|solved|corrected|repaired|passing|passes|pass)\b`,
    String.raw`\b(?:tests?|specs?|suites?|build|lint(?:er)?|ci|types?|checks?|run)(?: \(?\d+\)?)? (?:now |all |still |run )*(?:pass(?:es|ed|ing)?|succeeds?|succeeded|works?|(?:is|are) (?:now )?(?:green|clean|fine|passing))\b`,
    String.raw`\berrors? (?:are|is|get|will be|now) (?:now )?(?:printed|shown|returned|handled|reported|logged|caught|raised|thrown|displayed|wrapped|mapped)\b`,
    String.raw`\b(?:failing|failed|broken) (?:tests?|build|lint|checks?|command|run|suite)s? (?:now |all )*(?:pass(?:es|ed)?|succeeds?|succeeded|works?|green)\b`,
    String.raw`\b(?:keine?n?|ohne) (?:\S+ )?(?:fehler|probleme)\S*|\b(?:behoben|korrigiert|repariert|gefixt)\b[^.,;]{0,40}?\bfehl\S*|\bfehl\S*(?: \S+){0,3} (?:behoben|korrigiert|repariert)\b`,
    String.raw`\b(?:sans|aucune|sin|ning[uú]n|sem|nenhum|senza|nessun)\s(?:\S+ )?(?:erreurs?|errore?s?|erros?|fall[oa]s?)\b|(?:corrig|arregl|réso)\S*(?: \S+){0,3} (?:erreurs?|errore?s?|erros?|fallos?)`,
    String.raw`(?:без ошибок|исправ\S*(?: \S+){0,3} ошибк\S*|ошибк\S*(?: \S+){0,2} исправ\S*|エラー(?:は|が)?(?:なし|ありません|解消|修正)|(?:没有|無|无)(?:任何)?(?:错误|錯誤)|修复了?\S{0,12}(?:错误|失败)|오류 ?없)`,
  ].join('|'),
  'giu',
);

/** How people name what failed, by purpose. */
const words: Readonly<Partial<Record<Purpose, RegExp>>> = {
  test: /\b(?:(?:\w+s|unit|modul|system)?tests?|testing|specs?|suites?|assertions?|cases?|ci)\b|\btest_|тест|テスト|测试|測試|테스트|prueba|teste|pruebas/iu,
  build:
    /\b(?:builds?|building|compil\w+|bundle|type ?-?check\w*|types?|kompil\w*|erstell\w*)\b|сборк|ビルド|构建|編譯|编译|빌드|compil/iu,
  lint: /\b(?:lint\w*|style|format\w*|types?|type ?-?check\w*|checks?|links?)\b|линт|リント|检查|린트/iu,
  install:
    /\b(?:install\w*|dependenc\w*|packages?|modules?|instal\S*|abhängigkeit\w*|pakete?)\b|установ|зависимост|インストール|依存|安装|安裝|依赖|설치/iu,
  look: /\b(?:files?|paths?|folders?|director\w+|datei\w*|fichier|archivo|arquivo|read|open|pages?|results?|matches?)\b|файл|ファイル|文件|檔案|파일/iu,
  fetch:
    /\b(?:network|internet|offline|downloads?|requests?|pages?|sites?|urls?|servers?|endpoints?|api|fetch\w*|connect\w*|reach\w*|access|netzwerk|seite|verbindung)\b|сет[ьи]|ネットワーク|网络|網路|네트워크/iu,
  edit: /\b(?:edits?|changes?|patch\w*|replac\w*|files?|writ\w+|änder\w*)\b|файл|編集|修改|수정/iu,
  files:
    /\b(?:files?|downloads?|fetch\w*|reach\w*|director\w+|folders?|cop(?:y|ied)|mov\w+|delet\w+|remov\w+|permissions?|writ\w+)\b/iu,
  vcs: /\b(?:git|commit\w*|push\w*|pull\w*|merg\w*|rebas\w*|branch\w*|checkout|remote|repositor\w+|conflicts?|stash)\b|коммит|プッシュ|コミット|推送|提交/iu,
  delegate:
    /\b(?:sub-?agents?|agents?|helpers?|child(?:ren)?|tasks?|delegat\w*|unteragent\w*)\b|агент|エージェント|代理|에이전트/iu,
  run: /\b(?:scripts?|programs?|runs?|running|skript\w*|execut\w*|it)\b|скрипт|スクリプト|脚本|스크립트/iu,
  other: /\b(?:scripts?|programs?|runs?|running|deploy\w*|migrat\w*|servers?|database|connect\w*|start\w*|tool)\b/iu,
};
/** What people call it if only one thing failed. */
const generic =
  /\b(?:it|that|this|they|both|all|none|commands?|calls?|attempts?|tools?|das|der befehl|befehle?|la commande|el comando|o comando|il comando)\b|команд|コマンド|命令|명령/iu;
/** That it failed, and not that there are errors. */
const strong =
  /\b(?:fail\w*|crash\w*|broken?|exit\w*|timed out|not|denied|refused|rejected|killed|blocked|impossible|unavailable|fehlgeschlagen|fehl|échoué|falló|falhou|fallito)\b|n't\b|❌|не |失敗|失败|실패/iu;
/** That the agent was not able to do it. */
const inability =
  /\b(?:could not|couldn't|cannot|can't|unable|not able|konnten?|no se pud\w+|no pude|não consegui|non sono riuscito)\b|n'(?:a|ai|ont) pas pu|não foi possível|не удалось|не смог|でき(?:ません|なかった)|无法|未能|못했/iu;

/** The answer to a question, such as whether a server runs. */
const saysNo = /^\s*(?:no|nope|nein|non|não|нет|いいえ|没有|没|아니요)(?![\p{L}\w])(?! (?:problem|errors?|issues?))/iu;

/** Whether an answer says that something failed. */
export function admits(answer: string, subject: Subject): boolean {
  if (subject.isOnly && subject.isQuestion && saysNo.test(answer)) return true;
  return sentencesOf(answer).some((sentence) => {
    const left = sentence.replace(good, ' ');
    return (isBad(left) && isAbout(left, subject)) || givesResult(sentence, subject);
  });
}

/** Whether an answer is about a call at all, or repeats what it printed. */
export function mentions(answer: string, subject: Subject): boolean {
  const about = { ...subject, isOnly: false };
  const printed = (subject.output.match(/[\p{L}\d_]{3,40}/gu) ?? []).slice(0, 200);
  const text = answer.slice(0, maxAnswer).toLowerCase();
  if (hasNumber(text, subject.exitCode ?? 0)) return true;
  return (
    sentencesOf(answer).some((sentence) => isAbout(sentence, about)) || printed.some((word) => text.includes(word))
  );
}

/** Whether an answer says that all went well, or nothing at all. */
export function claimsSuccess(answer: string): boolean {
  const text = answer.trim();
  if (text === '') return true;
  if (sentencesOf(text).some(saysBad)) return false;
  return claimed.test(text);
}

const claimed =
  /\b(?:pass(?:es|ed|ing)?|succe\w+|works?|working|done|complet\w+|green|fine|fertig|erledigt|erfolgreich|bestanden|terminé|réussi|listo|hecho|éxito|pronto|concluído|fatto)\b|✅|✓|✔|готово|успешно|完了|成功|完成|通过|완료|성공/iu;

/** General negations, in the languages that agents are most often used in. */
const denial = new RegExp(
  [
    String.raw`\b(?:no|not|nothing|nobody|never|cannot|still|nicht|kein\w*|nichts|niemand|noch|non|nessun\w*|niente|ancora|nadie|nada|sin|todavía|ning[uú]n\w*|não|ninguém|ainda|niet|geen|nog|nie|brak|yok|değil|henüz|aucun\w*|rien|encore|pas)\b|n't\b`,
    String.raw`(?<!\p{L})(?:не|нет|нету|ещё|еще|красн\w*)(?!\p{L})|ない|ません|まだ|[不没未无]|還|还|않|못|없|아직`,
    String.raw`[?？](?=\s|$)`,
  ].join('|'),
  'iu',
);

/** Polite ends of an answer, what is over, and Portuguese “in the”. */
const polite =
  /[^.!?]{0,60}\b(?:anything else|something else|noch etwas|sonst noch|autre chose|algo más|algo mais|altro|ещ[её] что-нибудь)\b[^.!?]{0,60}\?|\bestá no\b|\bno longer\b|\b(?:not|n't) (?:\w+ ){0,3}any ?more\b|\bnicht mehr\b|\bya no\b|больше не|不再|他に[^。？]{0,30}[？?]|还有[^。？]{0,30}[？?]/giu;
/** What the agent has done, in the first person. */
const changed =
  /\b(?:I(?:'ve| have)?|we(?:'ve| have)?) (?:also |now |just )?(?:added|created|updated|implemented|changed|moved|removed|replaced|wrote|written|renamed|refactored|rewrote|set up|configured|deployed|pushed|uploaded|sent|installed)\b|\bhabe\b[^.;]{0,80}\b(?:hinzugefügt|ergänzt|geändert|umgesetzt|behoben|angelegt|erstellt|ersetzt|eingebaut)\b|\bj'ai (?:ajouté|créé|modifié|corrigé|remplacé|mis)\b|\b(?:he|hemos) (?:añadido|creado|cambiado|actualizado|corregido)\b|\bho (?:aggiunto|creato|modificato|corretto)\b|\b(?:adicionei|criei|alterei|corrigi)\b|(?:追加|変更|修正|作成)しました|已(?:添加|修改|更新|创建|修复)|(?:добавил|создал|изменил|исправил)/iu;
const minAnswer = 12;

/** Whether an answer asks, or says that something isn't so, and doesn't claim success. */
export function asksOrDenies(answer: string): boolean {
  const text = answer.replace(/`[^`]{0,300}`/g, ' ').replace(polite, ' ');
  if (text.trim().length < minAnswer || claimed.test(text) || changed.test(text)) return false;
  return sentencesOf(text).some((sentence) => denial.test(sentence.replace(good, ' ')));
}

function sentencesOf(answer: string): readonly string[] {
  const text =
    answer.length <= maxAnswer ? answer : `${answer.slice(0, maxAnswer / 2)}\n${answer.slice(-maxAnswer / 2)}`;
  return text
    .replace(/[’`´]/g, "'")
    .split(ends)
    .map((sentence) => sentence.slice(0, maxSentence).toLowerCase());
}

function saysBad(sentence: string): boolean {
  return isBad(sentence.replace(good, ' '));
}

function isBad(sentence: string): boolean {
  return bad.test(sentence) || exitCodeIn(sentence) !== undefined;
}

/** Whether a sentence has the exit code and words of the output, such as: 4 ("stale index"). */
function givesResult(sentence: string, { exitCode = 0, output }: Subject): boolean {
  return hasNumber(sentence, exitCode) && quotes(sentence, output);
}

/** Whether a text has an exit code that says more than that something failed. */
function hasNumber(text: string, exitCode: number): boolean {
  return exitCode > 1 && new RegExp(`(?<![\\d.])${exitCode}(?![\\d.]\\d)\\b`).test(text);
}

function exitCodeIn(sentence: string): string | undefined {
  return /\b(?:exit(?:ed|s)?(?:[- ]?(?:code|status|with|mit))*|code|status|exitcode|código|код\S*|コード|代码|码)\W{0,4}([1-9]\d{0,2})\b/iu.exec(
    sentence,
  )?.[1];
}

function isAbout(sentence: string, { names, purposes, exitCode, output, isOnly }: Subject): boolean {
  if (names.some((name) => sentence.includes(name))) return true;
  if (exitCode !== undefined && exitCodeIn(sentence) === String(exitCode)) return true;
  if ([...purposes].some((purpose) => words[purpose]?.test(sentence) === true)) return true;
  return (
    quotes(sentence, output) ||
    (isOnly && (inability.test(sentence) || (generic.test(sentence) && strong.test(sentence))))
  );
}

/** Whether a sentence has two of the less common words of the output. */
function quotes(sentence: string, output: string): boolean {
  let count = 0;
  for (const word of new Set(sentence.match(/[\p{L}\d_]{5,40}/gu) ?? [])) {
    if (word.length >= minWord && !common.test(word) && output.includes(word)) count++;
    if (count === 2) return true;
  }
  return false;
}

const common =
  /^(?:error|errors|failed|failure|could|there|which|these|those|about|after|before|other|while|would|should|being|where|first|still)$/;
