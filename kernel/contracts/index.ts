export { Address } from './address.js';
export { causeOf, noteCause } from './answer-cause.js';
export { noteRoutePlace, routePlaceOf } from './route-place.js';
export { ReadAtStart } from './read-at-start.js';
export { BeforeStop, ReadinessCheck } from './readiness.js';
export { AppInfo } from './app-info.js';
export type { DoctorCheck, DoctorContext, Finding } from './doctor.js';
export type { Candidate, CommandAction, CommandCall, CommandCompletion, CommandOutput, Progress } from './command.js';
export { brief, type Page, pageOf } from './page.js';
export { LocalRecords } from './local-records.js';
export { Clock, monotonicMs, systemClock } from './clock.js';
export { DashboardLive, DashboardPage, type DashboardPageApi, type MountDashboardPage } from './dashboard.js';
export { afterNext, direct, isDirect, type DirectMiddleware } from './direct-middleware.js';
export { failureOf, isYes, toldOf, yesOnly } from './callbacks.js';
export { isThenable } from './thenable.js';
export {
  DocsPage,
  ModelCatalogue,
  ROUTE_DOC,
  RouteGuard,
  type DocsPageFacts,
  type DocsPageFile,
  type InputGroup,
  type InputSource,
  type JsonSchema,
  type ModelFacts,
  type ModelFieldFacts,
  type RouteDoc,
  type RouteDocMark,
} from './docs.js';
export {
  EVENT_PRIORITY,
  EventBackend,
  EventBus,
  EventBusSettings,
  MESSAGE_KEY,
  STOP_PROPAGATION,
  type DispatchRecord,
  type EmitResult,
  type EventBackendStats,
  type EventListener,
  type EventMessage,
  type EventMetrics,
  type EventName,
  type EventPhase,
  type ListenerErrorPolicy,
  type ListenerOptions,
  type MessageHandler,
  type SubscribeOptions,
} from './events.js';
export {
  HTTP_METHODS,
  HttpMiddleware,
  HttpRoutes,
  HttpServer,
  HttpUpgrade,
  OBSERVE_BODY,
  UNCODED_BODY,
  type AnyMiddleware,
  type BlockingRequest,
  type BlockingWorker,
  type GroupOptions,
  type HandlerResult,
  type HttpContext,
  type HttpContextFields,
  type AppTypes,
  type CallerClaims,
  type RequestState,
  type UserClaims,
  type HttpMethod,
  type InputOf,
  type Middleware,
  type PathParams,
  type CurrentState,
  type RouteContext,
  type RouteHandler,
  type RouteAccess,
  RouteAuthenticator,
  type RouteInfo,
  type RouteInput,
  type RouteMethod,
  type RouteModule,
  type RouteOptions,
  type RouteResult,
  type Router,
  type StaticOptions,
  type WebSocketConnection,
  type WebSocketHandler,
  type WebSocketRouteOptions,
} from './http.js';
export {
  Answer,
  answer,
  successStatus,
  type AnswerHeaders,
  type AnswersOf,
  type RouteResponse,
  type RouteResponses,
} from './answers.js';
export type { Sendable } from './sendable.js';
export { LocalDoors, type Door, type DoorRequest } from './local-doors.js';
export { LogTap, type LogLine } from './log-tap.js';
export { Logger, type LogFields } from './logger.js';
export {
  ToolContribution,
  defineTool,
  type Confirmation,
  type ServedCategory,
  type Tool,
  type ToolContext,
  type ToolEffect,
  type ToolReach,
  type ToolResult,
} from './tool.js';
export { declareSecret, isDeclaredSecret } from './secret-names.js';
