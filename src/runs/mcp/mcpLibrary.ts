// The parts of the official MCP client library that we use. It's large, so it's bundled separately and loaded on first use.
export type {
  AddClientAuthentication,
  ElicitRequestParams,
  ElicitResult,
  FetchLike,
  JSONRPCMessage,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  RequestOptions,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
  Transport,
} from '@modelcontextprotocol/client';
export {
  auth,
  AuthorizationServerMismatchError,
  Client,
  computeScopeUnion,
  createPrivateKeyJwtAuth,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  OAuthError,
  ProtocolError,
  RegistrationRejectedError,
  SdkHttpError,
  // Some servers have nothing newer.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  SSEClientTransport,
  StreamableHTTPClientTransport,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
