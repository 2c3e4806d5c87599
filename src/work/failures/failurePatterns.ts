import { osErrors } from './osErrors';

const perTime = String.raw`(?:\bper[- _](?:min(?:ute)?|day|hour|second)\b|\b[TR]P[MD]\b)`;
/** What an account has a limited amount of. */
const account = String.raw`\b(?:(?:extra|included|token|api|plan|account|hourly|daily|weekly|monthly) usage(?: cap)?|credits?|balance|allowance|spend\w*(?: cap)?|(?:monthly|daily|max) budget|(?:premium|chat|agent) (?:requests|messages|limit)|invoices?)\b`;

/** The kind of failure that an error is about. */
export type FailureClass =
  /** This machine doesn't trust the certificate that it got. */
  | 'certificate'
  /** This machine's time differs too much from the server's. */
  | 'clock'
  | 'proxy'
  /** A host's name has no address. */
  | 'dns'
  | 'disk-full'
  | 'out-of-memory'
  /** The provider refuses the description of a tool. */
  | 'tool-schema'
  /** The provider refuses the messages so far, such as a tool call without a result. */
  | 'history'
  | 'no-session'
  | 'authentication'
  | 'rate-limit'
  /** An MCP server of the agent has ended. */
  | 'mcp-server'
  | 'network'
  /** The provider has more requests than it can answer: 503 and 529. */
  | 'overloaded'
  /** The provider answered with another 5xx. */
  | 'unavailable'
  | 'missing-executable'
  /** The model doesn't exist, or isn't available to this account. */
  | 'model'
  | 'context-length'
  | 'policy'
  /** The result of a cancelled request. */
  | 'aborted'
  | 'other';

/** An HTML page instead of an API response, from a proxy, firewall or load balancer. */
export const htmlPage = /<!doctype html|<html[\s>]|Unexpected token '?<|is not valid JSON.{0,20}<!|<title>/i;

/**
 * Failures by their words. The first match decides, so narrow patterns come before wide ones. Collected from providers (OpenAI, Anthropic, Google,
 * Azure, Bedrock, OpenRouter, Ollama, GitHub), agents and network libraries; the texts are in test/fixtures/diagnosis/errorTexts.json.
 */
export const failurePatterns: readonly (readonly [FailureClass, RegExp])[] = [
  // Before the certificate, because a wrong clock makes certificates look invalid.
  [
    'clock',
    all([
      String.raw`\bcertificate is not yet valid|\bCERT_NOT_YET_VALID|\bNotValidYet|\bis not yet valid: current time \S+ is before\b`,
      String.raw`\bRequestTimeTooSkewed|\bRequestExpired\b|\brequest time\b.{0,40}\btoo (?:large|skewed)|\bSignature (?:not yet current|expired):`,
      String.raw`\bclock[- ]?skew|\b(?:system|local|machine['’]?s?|your) (?:clock|time)\b.{0,40}\b(?:wrong|incorrect|behind|ahead|skew\w*|out of sync|not synchroni[sz]ed)|\b(?:token|jwt) (?:was )?(?:used|issued) (?:too early|before issued|in the future)|\b(?:reasonable timeframe|iat and exp values)\b`,
    ]),
  ],
  [
    'certificate',
    all([
      String.raw`\bself[- ]signed certificate|\bSELF_SIGNED_CERT|\bUNABLE_TO_(?:GET|VERIFY)|\bunable to (?:get (?:local )?issuer|verify the first)|\bcertificate (?:has expired|verify failed|signed by unknown|is not trusted|not trusted|problem)|CERT_HAS_EXPIRED|CERTIFICATE_VERIFY_FAILED|CERT_(?:UNTRUSTED|SIGNATURE_FAILURE)|DEPTH_ZERO_SELF_SIGNED|\bERR_(?:TLS_)?CERT|\bx509: |\binvalid peer certificate|certificate's altnames|\bSSL certificate|\bno alternative certificate subject name|\bUnknownIssuer\b|\b(?:untrusted|unknown) (?:root|issuer|certificate authority)|\bunknown_ca\b|\bunknown ca\b`,
      String.raw`\bPKIX path|\bcertificate chain\b.{0,60}\b(?:not trusted|untrusted|terminated in a root)|\bcurl: \((?:60|77)\)|\bSSL: CERTIFICATE|\bremote certificate (?:is|was) (?:invalid|rejected)|\bSEC_E_UNTRUSTED_ROOT`,
    ]),
  ],
  [
    'proxy',
    all([
      String.raw`\b407\b.{0,60}prox`,
      String.raw`prox.{0,60}\b407\b`,
      'proxy auth',
      'captive portal',
      String.raw`\btunnel(?:l?ing)? (?:socket|connection)|\bunsuccessful tunnel\b|\bHTTP CONNECT failed\b|\bconnect to (?:the )?proxy\b|\bresolve proxy\b|\bProxy(?: \w+)? (?:response|connection)|\bProxyError|\bERR_(?:PROXY|TUNNEL)|\bproxy ?connect\b|\bcurl: \((?:5|56)\).{0,40}prox`,
    ]),
  ],
  [
    'dns',
    all([
      String.raw`\bgetaddrinfo\b|\b(?:ENOTFOUND|EAI_AGAIN|EAI_NONAME|ENODATA|ESERVFAIL|NXDOMAIN)\b|\bERR_NAME_NOT|\bcurl: \(6\)|\(os error 11001\)`,
      String.raw`\bno such host|\bNo such host is known|\bhostname could not be found|(?:could not|failed to|couldn['’]t|can['’]t|unable to) (?:resolve|lookup) (?:the )?(?:(?:remote |proxy )?(?:host|name|address|domain)|\S+\.\w)|\bfailed to lookup|\bdns error|\bNameResolutionError|\bname resolution|\bName or service not known|\bnodename nor servname|\bUnknownHostException|\blookup \S+(?: on \S+)?:|\bdns lookup failed|\bname does not resolve|\bNo address associated with hostname|\b(?:host|remote|domain) name could not be resolved`,
    ]),
  ],
  ['disk-full', all([osErrors.noSpace])],
  [
    'out-of-memory',
    all([
      String.raw`\bheap out of memory\b|\bJS heap\b.{0,20}\bmemory|\b(?:java\.lang\.)?OutOfMemory(?:Error|Exception)\b|\bMemoryError\b|\bENOMEM\b|\bcannot allocate memory|\bmemory allocation of \d+ bytes failed|\b(?:runtime(?: error)?|fatal error): out of memory|\bOut of memory: Killed\b|\bbuffer allocation failed\b|\bstd::bad_alloc\b|\(os error 12\)|\bOOM[- ]?kill(?:ed|er)?\b`,
    ]),
  ],
  // Before the context, because names that are too long read alike.
  [
    'tool-schema',
    all([
      String.raw`\btools(?:\.\d+|\[\d+\])\.(?:\w+\.)?(?:input_?schema|parameters|name|description|strict|function|custom|function_?declarations|toolSpec)\b`,
      String.raw`\btools\[\d+\]\.(?:function_?declarations)\b|\bfunction_?declarations\[\d+\]\.(?:parameters|name)|\btoolConfig\.tools\b`,
      String.raw`\binput_?schema\b.{0,40}\b(?:does not support|is invalid|must|should match)\b|\binvalid_function_parameters\b|\bInvalid (?:JSON )?schema for (?:function|tool|response_format)\b|\bFailed to validate tool\b|\btool parameters array type must have items\b`,
      String.raw`\bInvalid ['"\x60]?tools['"\x60]?: (?:array|too many|empty)|\bTool names must be unique\b|\b(?:Invalid|Duplicate) function (?:name|declaration)\b|\btoo many tools\b|\bmaximum (?:number )?of \d+ (?:tools|functions)\b`,
      String.raw`\bfunction[ _]?declarations?\b.{0,60}\b(?:schema|more than the maximum)\b|\b(?:tool|function) ['"\x60][\w.-]{1,128}['"\x60] has (?:an )?invalid\b|\b['"\x60]?tools['"\x60]? ?: (?:Input should be less|maximum number of items)|['"]tools['"], \d+, ['"]function|\btool has an invalid .?input_?schema`,
    ]),
  ],
  [
    'history',
    all([
      String.raw`\btool_use\b.{0,60}\b(?:without|must have)\b.{0,40}\btool_result\b|\bunexpected .?tool_use_id\b|\btool_result\b.{0,60}\bmust have a corresponding\b|\btool_use.{0,3} ids must be unique|\bmultiple .?tool_result.? blocks\b|\btool[ _]call[ _]id is duplicated\b`,
      String.raw`\b(?:redacted_)?thinking\b.{0,80}\b(?:cannot be modified|but found)|\bInvalid .?signature.? in .?thinking|\bExpected .?thinking.?\b|\bmust start with a thinking block|\bthought_?signature\b|\bthinking\.signature\b|\b(?:invalid_encrypted_content|encrypted content\b.{0,60}\bcould not be)`,
      String.raw`\btool_call_ids? did not have response|\bmust be followed by tool messages|\binsufficient tool messages|\bmust be a response to a prece+ding message with .?tool_calls|\bno previous assistant message with a tool call|\btool_call_id\b.{0,40}\bnot found\b|\bMissing corresponding tool response\b|\bno matching (?:function|tool)_?call\b`,
      String.raw`\bNo tool (?:output|call) found for function call|\bwithout its required (?:following|preceding) item|\bItems are not persisted\b|\bDuplicate item found with id\b|\bPrevious response with id\b.{0,80}\bnot found\b`,
      String.raw`\bfunction response parts\b|\bfunction (?:call|response) turn\b|\bnumber of function calls and responses\b|\bExpected toolResult blocks|\btoolResult blocks\b.{0,60}\bexceeds?\b|\bcontents?\.parts must not be empty\b`,
      String.raw`\broles must alternate\b|\bUnexpected role\b.{0,20}\bafter role\b|\bmessages must have non-?empty content\b|\btext content blocks must be non-?empty\b|\bfirst message must use the .?user.? role\b|\bconversation must (?:start|end) with a user message\b|\bExpected last role\b|\bfinal assistant content cannot end with\b|\bat least one message is required\b|\bassistant messages at the end of the list\b`,
    ]),
  ],
  [
    'no-session',
    all([
      String.raw`\bNo conversation found\b|\bno rollout found\b|\bNo saved session found\b|\bno such (?:session|thread|conversation)\b|\bInvalid session identifier\b|\bSession_?not_?found\b`,
      String.raw`\b(?:session|thread|conversation) (?:with (?:the )?id )?(?:\S+ )?(?:was |could )?not (?:be )?found\b|\b(?:unknown|no|invalid) (?:session|thread|conversation)(?: with)?(?:[ _-]?id\b|: \S)|\b(?:session|thread|conversation)(?: with (?:the )?id)?(?: \S+)? (?:no longer |does not |doesn['’]t )exists?\b|\bcould not find (?:session|thread|conversation)\b|\brollout file does not exist\b`,
    ]),
  ],
  // Before the context, because both are counted in tokens.
  [
    'rate-limit',
    all([
      String.raw`\b(?:limit|quota|exceed\w*|allow\w*|used)\b.{0,80}${perTime}|${perTime}.{0,60}\b(?:limit|quota|exceed\w*|too many|reached)\b`,
    ]),
  ],
  [
    'context-length',
    all([
      'context_length_exceeded',
      String.raw`\b(?:maximum|max|model's|exceeds? the|exceeded the|available|of the) context (?:length|window|size)`,
      String.raw`context (?:length|window|size|limit)\b.{0,30}\b(?:exceed|full|too|limit)`,
      String.raw`exceeds? (?:the )?(?:maximum )?(?:context|number of tokens allowed)`,
      String.raw`\bprompt is too long`,
      String.raw`\binput (?:is|token count).{0,40}(?:too long|exceeds)`,
      String.raw`ran out of room in the model|\b(?:auto-?)?compact(?:ion|ing)? (?:is|keeps) thrashing`,
      String.raw`\binput length and .{0,20}max_tokens|\bmax_new_tokens\b.{0,20}must be`,
      String.raw`\b(?:prompt|input|requested|messages?|conversation)\b.{0,60}\b(?:tokens?|length)\b.{0,60}\b(?:exceed\w*|too (?:long|large)|greater than|longer than|resulted in)\b`,
      String.raw`\b(?:exceed\w*|greater than|longer than)\b.{0,40}\b(?:context (?:length|window|size|limit)|(?:model|input|prompt) (?:token )?(?:limit|length)|limit of \d+ tokens)`,
      String.raw`\bmaximum (?:prompt|input|context) length|\breduce the length of|\blength is \d+ while limit is \d+|\bstring too long\b.{0,40}maximum length|\brequest_too_large|\b\d{4,7} ?(?:tokens )?> ?\d{4,7}\b|\bprompt exceeds`,
      String.raw`\bexceed\w* the configured limit of \d+ tokens`,
    ]),
  ],
  [
    'missing-executable',
    all([
      String.raw`ENOENT\b(?=.*\bspawn\b)`,
      String.raw`\bspawn \S+ ENOENT`,
      String.raw`\bexecutable (?:file )?not found`,
      String.raw`\bcommand not found|^[\w.-]{1,40}: not found$`,
      // bash in other languages
      osErrors.noCommand,
      String.raw`^\S*(?:ba|da|z|k|fi)?sh: .{0,40}not found`,
      String.raw`\bUnknown command: \S+$`,
      'is not recognized as an internal or external command',
      'is not recognized as (?:the|a) name of a cmdlet',
      String.raw`\b(?:program|binary|executable|command|CLI) ["'\x60]?[^"'\x60]{0,100}["'\x60]? ?(?:was |is |could )?not (?:be )?(?:found|installed)`,
      String.raw`\b(?:could not|couldn't|cannot|unable to) (?:find|locate) (?:the )?["'\x60]?[\w.-]{1,60}["'\x60]? (?:executable|binary|command|CLI)\b`,
      String.raw`\b(?:could not|unable to) determine executable`,
      String.raw`\bnot installed or not (?:in|on) (?:your |the )?PATH`,
      String.raw`\b(?:needs? to|must) be installed`,
      String.raw`no such file or directory \(os error 2\)`,
      String.raw`cannot find the file specified.{0,20}(?:os error 2)?`,
      String.raw`\bFileNotFoundError: \[(?:Errno|WinError) 2\] .{0,60}: '[\w.-]{1,60}'`,
      String.raw`^\S*env: .{1,80}: No such file or directory`,
      String.raw`\bprogram not found`,
      String.raw`\bCannot run program "|\bnot found (?:in|on) (?:the |your |\$|%)?PATH\b|\b(?:is|are) not installed\b|\bplease install \S+ (?:to|first|and|before)\b`,
      String.raw`No such file or directory: ["'][\w.-]{1,60}["']`,
      String.raw`\b(?:could not|couldn't|cannot|can't) find (?:(?:the )?executable\b|["'\x60]?[\w.-]{1,60}["'\x60]? in PATH\b)|\bNo such command: \S`,
      // cmd in French, German, Spanish, Italian and Portuguese
      String.raw`^["'][^"']{1,100}["'] (?:n['’]est pas reconnu|ist entweder falsch geschrieben|no se reconoce|non [èe] riconosciuto|n[ãa]o [ée] reconhecido)`,
    ]),
  ],
  [
    'model',
    all([
      'model_not_found',
      String.raw`\bmodel\b.{0,80}(?:(?:not|n['’]t)(?: be)? (?:exist|found|supported|available|enabled|recogni[sz]ed)\b|is no longer|has been (?:deprecated|retired|decommissioned|disabled|removed))`,
      String.raw`^model: \S+$|\b(?:verified|required|permission|access|allowed|available) (?:to use|for) the (?:selected )?model\b|\bmodel\b.{0,40}\bnot (?:included|allowed)\b`,
      String.raw`\bmodels?/\S+ is not found|\bnot found: models?/`,
      String.raw`\bnot_found_error\b.{0,40}\bmodel`,
      String.raw`\b(?:not a (?:valid|known|supported)|invalid|unknown|unsupported|no such) model\b`,
      String.raw`\bprovided model identifier is invalid`,
      String.raw`\bNo endpoints found`,
      'DeploymentNotFound',
      'API deployment for this resource does not exist',
      'ModelNotFoundError',
      String.raw`\bissue with the selected model`,
      String.raw`\baccess to the (?:requested )?model\b`,
      String.raw`\btry pulling it first`,
    ]),
  ],
  [
    'policy',
    all([
      'content[ _](?:filter|management policy|policy_violation)',
      String.raw`\bsafety system`,
      String.raw`\bviolat\w+ (?:our|the) (?:usage|content) polic`,
      'PROHIBITED_CONTENT|DataInspectionFailed|ResponsibleAIPolicy|Content Exists Risk',
      String.raw`\b(?:blocked|inappropriate|prohibited|harmful) content\b|\bfinish_?reason\W{1,3}(?:SAFETY|RECITATION|BLOCKLIST)|\b(?:prompt|content|request|input|response|message) (?:was |is |has been )?flagged\b`,
      'unable to respond to this request, which appears to violate',
    ]),
  ],
  [
    'rate-limit',
    all([
      String.raw`\brate[ _-]?limit(?:s|ed|ing|_?error|_?exceeded|Exceeded)?\b`,
      String.raw`\btoo many (?:requests|tokens|connections|concurrent)`,
      String.raw`\bresource[ _](?:has been |is )?exhausted`,
      String.raw`\b(?:usage|request|token|session|weekly|hourly|hour|spend\w*|message|plan|concurrency|key|billing hard) limit`,
      String.raw`(?<!\bdisk )\bquota (?:exceeded|exhausted|limit)|\bquota_?exceeded|exceeded (?:your |the )?(?:\w+ )?(?:\w+ )?quota|insufficient_quota|\bno quota|quota will reset`,
      String.raw`\bexceeded .{0,30}(?:rate|allowance|token usage|capacity|requests)`,
      String.raw`\bexhausted (?:your|the|all) (?:[\w-]+ ){0,3}(?:capacity|quota|allowance|credits|budget|requests)`,
      String.raw`\b(?:hit|reached) (?:your|the|its) (?:[\w-]+ ){0,3}limit`,
      String.raw`\blimit reached\b`,
      String.raw`${account}\b.{0,40}\b(?:exceeded|exhausted|depleted|used up|reached|run out|ran out|insufficient|unpaid|overdue)\b|\b(?:exceeded|exhausted|depleted|used up|reached|run out of|ran out of|insufficient|unpaid|overdue|low on) (?:[\w-]+ ){0,3}${account}`,
      String.raw`\bbudget has been exceeded|\bcredit balance is too low|\binsufficient (?:credits?|balance|funds)|\b(?:requires|out of|more|no|any|enough) (?:\w+ )?credits\b|balance is insufficient`,
      String.raw`\bbilling details`,
      String.raw`\bthrottl(?:ed|ing)`,
      String.raw`\brequest rate is too high|\bRate exceeded\b|\bslow down\b`,
      String.raw`\bServiceQuotaExceeded`,
      String.raw`\bPayment Required`,
      String.raw`\btokens per min\b`,
    ]),
  ],
  [
    'authentication',
    all([
      String.raw`\bauth(?:entication|orization)? (?:is |token )?(?:required|failed|error|fails)`,
      String.raw`\b(?:requires?|required|invalid|no|missing|failed|could not resolve|without|set an?) auth(?:entication|orization)?\b`,
      String.raw`\bsession was not created with authentication`,
      String.raw`\bauthentication token (?:found but )?(?:could not|has been|is)`,
      String.raw`\bnot (?:currently )?(?:logged|signed) (?:in(?:to)?|on)\b|\b(?:need to|must|have to) (?:be )?(?:log|sign)(?:ged|ed)?[ -]?in\b|\bnot authenticated|NotSignedIn|\bsigned out\b`,
      String.raw`\bunauthori[sz]ed\b|\bunauthenticated\b|\bauthentication_(?:failed|error|required)|\bpermission_error|\bPERMISSION_DENIED|\binvalid_grant\b|\bauth_?required\b`,
      String.raw`\b(?:invalid|incorrect|missing|wrong|expired|no)[ _](?:\S+ )?(?:x-)?(?:api|subscription)[ _-]?(?:key|token)|\binvalid (?:bearer|access|auth|security) ?token|API_KEY_INVALID|\bInvalidApiKey`,
      String.raw`\b(?:(?:api|subscription)[ _-]?key|credentials?|(?:access |oauth |refresh |bearer |security |authentication )?token|SSO session)\b.{0,40}\b(?:(?:is|are|was|has|have|were) )?(?:been )?(?:already used|missing|not (?:set|found|configured|provided|valid|loaded)|required|invalid|expired|incorrect|revoked|invalidated)\b`,
      String.raw`\b(?:missing|no|incorrect|bad|invalid) (?:\w+ ){0,2}(?:api[ _-]?key|credentials|bearer)|\b(?:could not|unable to|cannot) (?:load|locate|find|retrieve) (?:the )?(?:\w+ )?credentials|\bNoCredentials|CredentialsProviderError|DefaultAzureCredential|UnrecognizedClientException`,
      String.raw`\bdidn['’]t provide an api key|\bmust specify the \w+_API_KEY|\b[A-Z]+_(?:API_KEY|TOKEN) (?:is|was) (?:not set|missing|required|unset)|\bset(?:ting)? (?:the |an? )?\w+_(?:API_KEY|TOKEN)\b`,
      String.raw`\b(?:please )?(?:log|sign)[ -]?in (?:first|to |again|with|via|at)|\blog ?in (?:is )?required|\bsign-?in (?:is )?required|\brun [\x60'"]?(?:\/login|\S+ (?:auth )?login\b)|\blog out and sign in|\b(?:visit|open|go to|enter)\b.{0,120}\bto (?:log|sign)[ -]?in\b`,
      String.raw`\bReauthentication is needed|\bAADSTS\d+`,
      String.raw`\bis not authorized to perform|\bdoes not have (?:permission|access) to|\bunregistered callers|\brequest signature we calculated`,
      String.raw`\bauthentication is .{0,20}not supported|\baccount is not eligible|\bUser not found\.|\bnot authorized\b`,
      String.raw`\bAuthentication Fails\b|\bsession (?:has |is |was )?(?:been )?(?:expired|invalidated|revoked)`,
    ]),
  ],
  [
    'mcp-server',
    all([
      String.raw`\b(?:extension|MCP (?:server|client)) [\x60'"‘“]?[\w.@/-]{1,80}[\x60'"’”]? (?:is not (?:available|connected|running)|(?:has )?(?:exited|stopped|crashed)|(?:is |was )?disconnected)\b`,
      String.raw`\bMCP error -32000: Connection closed\b`,
    ]),
  ],
  // Before the network, because load balancers word it like a lost connection.
  [
    'overloaded',
    all([
      String.raw`\boverloaded(?:_error|Error|Exception)?\b|\bno capacity\b|\bat (?:full |max(?:imum)? )?capacity\b|\bcapacity_?exhausted|\bserver (?:is )?busy|\bmaximum pending requests|\b(?:experiencing|due to) (?:\w+ )?high demand`,
      String.raw`\bservice[ _]?(?:is )?(?:temporarily |currently )?unavailable|\bUNAVAILABLE\b(?=.{0,40}\b503)|\(UNAVAILABLE\)|\bstatus\W{1,4}UNAVAILABLE\b|\bstatus(?:[ _]?code)?["']?\W{0,3}(?:503|529)\b`,
    ]),
  ],
  [
    'network',
    all([
      String.raw`\b(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPROTO|ConnectionRefused|FailedToOpenSocket)\b`,
      String.raw`\b(?:fetch failed|socket hang up|other side closed|premature[ _]close|appears to be offline|deadline[ _]exceeded|upstream connect error|stream error: stream ID|IncompleteMessage|could not reach|stream (?:disconnected|closed before)|transport error)`,
      String.raw`\bUND_ERR_|\bERR_(?:STREAM_PREMATURE|TLS|INTERNET|CONNECTION|NETWORK)`,
      String.raw`\b(?:connect|headers|body|connection|tls handshake|i\/o|read|request|operation) time(?:d )?-?out\b|\btimeout of \d+ ?ms exceeded|\bnetwork timeout|\b(?:Connect|Read|Headers|Body|Connection|APIConnection)Time[dD]?out|\bnet\/http: |\bClient\.Timeout`,
      String.raw`\bconnection (?:error|refused|reset|timed out|closed|aborted|attempts? failed|was closed|could be made)|\bAPIConnectionError|\bConnect(?:ion)?Error\b|\b(?:unable|failed|could not|couldn['’]t|cannot|can['’]t) (?:to )?connect\b|\bFailed to establish a new connection|Connect call failed`,
      String.raw`\bnetwork (?:error|is unreachable|connection)|\bno route to host|\bserver can['’]?not be reached`,
      String.raw`\btls: |\bwrong version number|\bsecure TLS connection`,
      String.raw`\berror sending request|\berror trying to connect|\btcp connect error|\bclient error \(Connect\)|\berror decoding response body|\bconnection closed before message`,
      String.raw`\bMax retries exceeded with url|\bRemoteDisconnected|\bwithout sending (?:a response|complete message)|\bServerDisconnected|\bCannot connect to host|\bAll connection attempts failed|\burlopen error|\b(?:httpx|aiohttp|requests|urllib3)\.\S*(?:Connect|Timeout|Disconnect|Protocol)\w*`,
      String.raw`\bdial tcp\b|\bhttp2: |\bunexpected EOF\b|\bGOAWAY\b`,
      String.raw`\bcurl: \((?:5|7|28|35|52|56)\)|\bEmpty reply from server|\bactively refused|\bdid not properly respond`,
      String.raw`\bsocket connection was closed|\bcomputer able to access the url|\bsocket disconnected|\bRequest timed out\b`,
      // Java and .NET
      String.raw`\b(?:NoRouteToHost|Socket(?:Timeout)?|SSL(?:Handshake)?|HttpRequest|WebSocket)Exception\b|\bnet\.\w*ConnectException\b`,
      // Windows and POSIX error numbers, as Rust prints them
      String.raw`\(os error (?:10[01]|104|11[013]|100[56]\d|11001)\)`,
      'TypeError: terminated',
    ]),
  ],
  [
    'aborted',
    all([
      String.raw`\bAbortError\b|\bABORT_ERR\b|\b(?:was|been|is|got|request|operation|stream|prompt|turn|call|user|by|task|execution|chat) ?(?:was |has been |is )?(?:aborted|cancell?ed|interrupted)\b|^\W*(?:aborted|cancell?ed|interrupted)\W*$|\bSIG(?:INT|TERM)\b|\bERR_CANCELED\b|\bcontext cancell?ed|\bCancell?edError\b|\bRequestCancell?ed`,
    ]),
  ],
  [
    'unavailable',
    all([
      String.raw`\bbad gateway|\bgateway time-?out|\bInternalServerError\b|\bapi_error\b|\bserver_error\b`,
      String.raw`\bunable to process your request|\bserver had an error|\bProvider returned error`,
      String.raw`\b(?:upstream|provider|server|backend)\b(?: \w+){0,2} (?:returned|had|encountered|received) an?(?: \w+)? error|\breceived a server error|\bupstream error|\bInternalServer(?:Exception|Failure)`,
    ]),
  ],
];

/** Words that rule out a login problem, whatever the code says. */
export const concrete =
  /\b(?:database|sqlite|locked|busy|disk|ENOSPC|E(?:ACCES|PERM|MFILE|EXIST|NOENT|IO)|memory|time(?:d )?-?out|not found|no such|does not exist|already|unsupported|not supported|parse|syntax|schema|undefined|null|TypeError|ReferenceError|RangeError|assert\w*|panic\w*|crash\w*|deadlock|conflict|corrupt\w*|stopped|shutting down|closed|unexpected|not (?:ready|initiali[sz]ed)|invalid (?:param|arg|request|path|value|json|cwd)|missing (?:param|arg|field)|too (?:many|large|old|long)|max(?:imum)?|exceed\w*|failed to (?:load|open|read|write|start|spawn|create|parse|save|initiali[sz]e)|bug|overflow|migration|config\w*|permission denied|read-only)\b/i;

/** Reports of a remaining quota or of a limit that wasn't reached. */
const allIsWell =
  /\brate[ _-]?limits?\b.{0,30}\b(?:remaining|left|reset\w*|ok|status|info|headers?|policy|window)\b|ratelimit-(?:remaining|limit|reset)|\b\d+ (?:of|\/) \d+ (?:requests|tokens)? ?(?:remaining|left)|\b(?:remaining|left)[:=]? \d+|\b(?:not|no|without|un) ?rate[ _-]?limit|\b(?:within|below|under|near(?:ing)?|approaching) (?:the |your |its )?(?:rate |usage |daily )?(?:limit|quota)|\d ?% of (?:the |your )?(?:\w+ )?(?:quota|limit)\b|\bretry succeeded|\brecovered\b|\b(?:refresh|rotation|renewal) scheduled|\b(?:token|session) (?:was |has been )?(?:refreshed|renewed)|\bsuccessfully\b/i;
/** Sentences that explain an error. */
const explains =
  /\b(?:means?(?: that)?|indicates?|usually|typically|often|refers? to|stands for|is (?:returned|thrown|raised|sent|shown|used) (?:when|if|by|for)|happens? (?:when|if)|occurs? (?:when|if)|for example|e\.g\.|in (?:src|test|lib)\/|nothing listens|the (?:client|page|user|caller|request) (?:sent|is|was|has|must|should)|bedeutet|signifie|significa)\b/i;

const namedBefore =
  /(?:\b(?:tests? (?:for|of|that)|testing|handl(?:es?|ing|ed)(?: of)?|add(?:s|ed)|document(?:s|ed)|fix(?:es|ed)|search(?:es|ed)? for|mentions?|expected|simulat(?:es?|ed|ing)|about) ["'\x60]?(?:\w+ ){0,2})$/i;
const namedAfter =
  /^\W{0,2}(?:\w+ ){0,2}(?:handlers?|handling|middleware|page|screen|dialog|button|tests?|logic|feature|helper|detection|docs?|code path|responses are|is handled|are handled)\b/i;

/** Whether the pattern occurs in a text as a name, such as that of a test or a handler. */
export function isNamed(text: string, pattern: RegExp): boolean {
  const found = pattern.exec(text);
  if (!found) return false;
  return (
    namedBefore.test(text.slice(Math.max(0, found.index - 60), found.index)) ||
    namedAfter.test(text.slice(found.index + found[0].length, found.index + found[0].length + 60))
  );
}

/** Whether a line mentions a failure without being one: it only reports or explains. */
export function isReport(text: string): boolean {
  const head = text.slice(0, 2000);
  return allIsWell.test(head) || explains.test(head);
}

function all(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), 'i');
}
