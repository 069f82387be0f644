import type { RunData } from '#contract/workflows.ts';
import type { RunProgress } from './runProgress.ts';
import type { ToolReply } from './servedTools.ts';

/** Characters of what an agent puts out that a caller is given: models take no more, and most far less. */
const longest = 1_000_000;

/** What came of a run, for its caller. */
export interface EndedCall {
	readonly agent: string;
	readonly runId: string;
	readonly data: Pick<RunData, 'status' | 'error' | 'outputs'>;
	readonly progress: RunProgress;
	/** Of a turn of a chat. */
	readonly turn?: { readonly answer: string; readonly conversation: string };
}

/** The reply to a call whose run has ended or waits. */
export function replyOf(call: EndedCall): ToolReply {
	const { agent, runId, data, progress, turn } = call;
	switch (data.status) {
		case 'succeeded':
		case 'partial-succeeded':
			return turn ? answerOf(turn, runId) : outputsOf(data.outputs ?? {}, runId);
		case 'paused':
			return {
				text: [
					`The agent "${agent}" waits for a person${progress.forms.length > 0 ? ` at ${progress.forms.map(form => `"${form}"`).join(', ')}` : ''}. It goes on when its form is answered in Agent Workbench; its run is ${runId}.`,
				],
				structured: { status: 'paused', run_id: runId },
				failed: false,
				runId,
			};
		case 'stopped':
			return failureOf(`The run of the agent "${agent}" was stopped${data.error ? `: ${data.error}` : ''}.`, runId);
		default:
			return failureOf(
				`The agent "${agent}" failed${progress.failed === undefined ? '' : ` at its node ${progress.failed}`}: ${data.error || 'no reason was told'}`,
				runId,
			);
	}
}

/** The reply to a call that failed. */
export function failureOf(text: string, runId?: string): ToolReply {
	return { text: [text], failed: true, ...(runId !== undefined && { runId }) };
}

/** A chat is gone on with by its conversation: those who read only text are told of it too. */
function answerOf({ answer, conversation }: NonNullable<EndedCall['turn']>, runId: string): ToolReply {
	const structured = { answer, conversation_id: conversation };
	return withinLimit({ text: [answer, `conversation_id: ${conversation}`], structured, failed: false, runId });
}

function outputsOf(outputs: Readonly<Record<string, unknown>>, runId: string): ToolReply {
	const values = Object.values(outputs);
	const [only] = values;
	const text = values.length === 1 && typeof only === 'string' ? only : JSON.stringify(outputs, undefined, 1);
	return withinLimit({ text: [text], structured: outputs, failed: false, runId });
}

function withinLimit(reply: ToolReply & { readonly runId: string }): ToolReply {
	const { text, runId } = reply;
	const [main = '', ...rest] = text;
	if (main.length <= longest) {
		return reply;
	}
	const note = `(Cut off after ${longest} of ${main.length} characters: the run ${runId} has all of it.)`;
	return { text: [main.slice(0, longest), note, ...rest], failed: false, runId };
}
