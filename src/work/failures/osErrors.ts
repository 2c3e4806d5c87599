/**
 * What the system says about files, as patterns: the names and numbers of its errors, the English words, and those of the C library in the languages
 * that its programs are most often run in.
 */
export const osErrors = {
  /** The disk or the quota is full. */
  noSpace: String.raw`\bENOSPC\b|\bno space left on (?:the )?device|\bnot enough (?:space|room) on the disk|\bdisk (?:is )?(?:full|quota exceeded)|\bEDQUOT\b|\bdatabase or disk is full|\bSQLITE_FULL\b|\(os error (?:28|112|122)\)|kein Speicherplatz mehr|aucun espace disponible|no queda espacio|brak miejsca na urządzeniu|spazio esaurito|não há (?:mais )?espaço|aygıtta (?:boş )?yer kalmadı|не осталось свободного места|не залишилося? (?:вільного )?місця|空き領域がありません|设备上没有空间|장치에 남은 공간이 없`,
  readOnly: String.raw`\bEROFS\b|\bread-only file ?system|\(os error 30\)|Dateisystem ist (?:nur lesbar|schreibgeschützt)|système de fichiers (?:accessible )?en lecture seule|sistema de (?:ficheros|archivos) de sólo lectura|system plików (?:tylko|wyłącznie) do odczytu|file ?system in sola lettura|sistema de (?:ficheiros|arquivos) (?:só|somente|apenas)[ -](?:de )?leitura|salt okunur dosya sistemi|файловая система доступна только для чтения|файлова система (?:доступна )?(?:лише|тільки) для читання|読み(?:込み|取り)専用ファイルシステム|只读文件系统|읽기 전용 파일 시스템`,
  noAccess: String.raw`\bE(?:ACCES|PERM)\b|\bpermission denied\b|\boperation not permitted\b|\baccess is denied\b|\baccess to the path .{1,200} is denied|\bPermissionError\b|\(os error (?:1|5|13)\)|Keine Berechtigung|Vorgang nicht zulässig|permission non accordée|opération non permise|permiso denegado|operación no permitida|brak dostępu|operacja niedozwolona|permesso negato|operazione non permessa|permissão negada|operação não permitida|erişim engellendi|işleme izin verilmedi|отказано в доступе|операция не позволена|у? ?доступі відмовлено|відмовлено у доступі|許可がありません|権限がありません|权限不够|不允许的操作|허가 거부|명령을 허용하지 않음`,
  /** A shell finds no such command; English has its own patterns. */
  noCommand: String.raw`(?:Kommando|Befehl) (?:wurde )?nicht gefunden|commande introuvable|(?:orden|comando|instrucción) no encontrad[oa]|no se encontró la orden|comando non trovato|comando não encontrado|nie znaleziono polecenia|komut bulunamadı|команда не найдена|команду не знайдено|(?:未找到|找不到)命令|コマンドが見つかりません|명령어를 찾을 수 없`,
} as const;
