import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasGraph } from '#agentFile/appModes.ts';
import { isEvent, type WorkflowEvent } from '#contract/events.ts';
import type { RunData } from '#contract/workflows.ts';
import type { FinishedRun } from '../runs/liveRun.ts';
import type { RunEventReader } from '../runs/runReplay.ts';
import type { ConversationStore } from '../store/conversationStore.ts';
import type { RunRow } from '../store/runRows.ts';
import { getAnswerText, TurnEvents, type TurnForm } from './turnEvents.ts';

/** A reader to which the end of the events can be reported. */
export interface EndedReader extends RunEventReader {
	endStream(): void | Promise<void>;
}

/**
 * Returns a reader that converts a run's events to those of its chat turn, or `reader` itself if the run doesn't belong to a chat.
 * @param fromStart true if it also receives the events before the last pause
 */
export function createChatReader(
	conversations: ConversationStore,
	run: RunRow,
	agent: TurnForm,
	reader: EndedReader,
	fromStart: boolean,
): EndedReader {
	const turn = conversations.getTurnOfRun(run.id);
	const conversation = turn && conversations.getBySeq(turn.conversation);
	if (!conversation) {
		return reader;
	}
	const ids = {
		task_id: run.task_id,
		...(hasGraph(agent.mode) && { workflow_run_id: run.id }),
		message_id: turn.id,
		conversation_id: conversation.id,
		created_at: Math.floor(turn.created_at / 1000),
	};
	const goesOn = turn.status === 'paused' || turn.status === 'running';
	const events = new TurnEvents(ids, agent, json => reader.send(json), goesOn && !fromStart ? turn : undefined);
	let finished: RunData | undefined;
	return {
		waitForRoom: () => reader.waitForRoom(),
		send(json) {
			const event = JSON.parse(json) as WorkflowEvent;
			if (event.event === 'ping') {
				reader.send(json);
				return;
			}
			if (isEvent(event, 'error')) {
				events.reportFailure({ status: event.status, code: event.code, message: event.message });
				return;
			}
			events.forwardEvent(event);
			if (isEvent(event, 'workflow_finished')) {
				finished = event.data;
			}
		},
		async endStream() {
			if (finished) {
				// wait until the turn of a run that has just ended is saved
				await nextTurn();
				sendEnd(events, finished, getStoredMetadata(conversations, run));
			}
			await reader.endStream();
		},
	};
}

function sendEnd(events: TurnEvents, data: RunData, kept: Readonly<Record<string, unknown>> | undefined): void {
	const whole = getAnswerText(data);
	if (whole !== undefined) {
		events.sendWholeAnswer(whole);
	}
	const { failure, metadata } = events.getTurnResult({ data, variables: {}, citations: [] } satisfies FinishedRun);
	if (failure) {
		events.reportFailure(failure);
	} else {
		events.close(kept ?? metadata);
	}
}

/** Returns the stored metadata of the turn if it has ended normally. */
function getStoredMetadata(conversations: ConversationStore, run: RunRow): Readonly<Record<string, unknown>> | undefined {
	const turn = conversations.getTurnOfRun(run.id);
	if (turn?.status !== 'normal') {
		return undefined;
	}
	const { agent_thoughts: _, ...metadata } = JSON.parse(turn.metadata) as Readonly<Record<string, unknown>>;
	return metadata;
}
