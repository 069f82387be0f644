import type { ChatEvent } from '#contract/chat.ts';
import { isTerminalEvent, type WorkflowEvent } from '#contract/events.ts';
import type { ChatCompletionsChunk } from '#contract/openai/receivedChatCompletions.ts';
import type { CompletionsStreamEvent } from '#contract/text/completions.ts';
import type { GenerateContentResponse } from '#contract/text/content.ts';
import type { MessagesStreamEvent } from '#contract/text/messages.ts';
import { readErrorPayload } from '../errors/errorBodies.ts';
import { normalizeContentChunk, normalizeRunEvent } from '../readers.ts';
import type { EventRole, StreamErrorBody, StreamRules } from './eventReader.ts';

/** Event stream of a workflow run (A1; contract, "Events"). */
export const workflowStream: StreamRules<WorkflowEvent> = {
	nameField: 'event',
	ending: 'workflow_finished',
	final: 'workflow_finished',
	endsWithDone: false,
	getRole: event => (event.event === 'error' ? 'error' : isTerminalEvent(event) ? 'end' : undefined),
	getError: readAgentError,
	normalize: normalizeRunEvent,
};

/**
 * Event stream of a chat turn. In Dify, `message_end` comes last, even with a run's events in between. A turn that waits for human input
 * ends when it pauses.
 */
export const chatStream: StreamRules<ChatEvent> = {
	nameField: 'event',
	ending: 'message_end',
	final: 'message_end',
	endsWithDone: false,
	getRole: (_event, name) => (name === 'message_end' || name === 'workflow_paused' ? 'end' : getErrorRole(name)),
	getError: readAgentError,
	normalize: normalizeRunEvent,
};

/** Event stream of messages (C1; wire facts 2.2). */
export const messagesStream: StreamRules<MessagesStreamEvent> = {
	nameField: 'type',
	ending: 'message_stop',
	endsWithDone: true,
	getRole: (_event, name) => (name === 'message_stop' ? 'end' : getErrorRole(name)),
	getError: event => readErrorPayload(event) ?? { codes: [] },
	normalize() {},
};

/** Event stream of text completions (D1). The last event has a `stop_reason` (wire facts 3). */
export const completionsStream: StreamRules<CompletionsStreamEvent> = {
	nameField: 'type',
	ending: 'an event with a stop_reason',
	endsWithDone: true,
	getRole: (event, name) => ('stop_reason' in event && event.stop_reason !== null ? 'end' : getErrorRole(name)),
	getError: event => readErrorPayload(event) ?? { codes: [] },
	normalize() {},
};

/** Event stream of chat completions: unnamed chunks, the usage after the finish reason, then `[DONE]`. */
export const chatCompletionsStream: StreamRules<ChatCompletionsChunk> = {
	nameField: undefined,
	ending: 'a choice with a finish_reason, or [DONE]',
	endsWithDone: true,
	getRole(chunk) {
		if (chunk.error !== undefined && chunk.error !== null) {
			return 'error';
		}
		return chunk.choices?.some(choice => choice.finish_reason) ? 'end' : undefined;
	},
	getError: chunk => readErrorPayload(chunk) ?? { codes: [] },
	normalize() {},
};

/**
 * Event stream of generated content (E2): unnamed chunks. The last one has the finish reason, or says that the prompt was blocked (wire
 * facts 4.2).
 */
export const contentStream: StreamRules<GenerateContentResponse> = {
	nameField: undefined,
	ending: 'a candidate with a finishReason',
	endsWithDone: true,
	getRole(chunk) {
		if (Array.isArray(chunk) || chunk['error'] !== undefined) {
			return 'error';
		}
		const finished = chunk.candidates?.some(candidate => candidate.finishReason !== undefined);
		return finished || chunk.promptFeedback?.blockReason !== undefined ? 'end' : undefined;
	},
	getError(chunk) {
		const payload: GenerateContentResponse | undefined = Array.isArray(chunk) ? chunk[0] : chunk;
		const code = (payload?.['error'] as { code?: unknown } | undefined)?.code;
		return { ...(readErrorPayload(chunk) ?? { codes: [] }), status: typeof code === 'number' ? code : undefined };
	},
	normalize: normalizeContentChunk,
};

function getErrorRole(name: string | undefined): EventRole {
	return name === 'error' ? 'error' : undefined;
}

function readAgentError(event: object): StreamErrorBody {
	const { status } = event as { status?: unknown };
	return { ...(readErrorPayload(event) ?? { codes: [] }), status: typeof status === 'number' ? status : undefined };
}
