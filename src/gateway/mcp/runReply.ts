import type { RunData } from '#contract/workflows.ts';
import type { RunProgress } from './runProgress.ts';
import type { ToolReply } from './servedTools.ts';

/** Maximum characters of an agent's output in a reply. No model accepts more, and most accept far less. */
const longest = 1_000_000;

/** Result of a run, for the caller. */
export interface EndedCall {
	readonly agent: string;
	readonly runId: string;
	readonly data: Pick<RunData, 'status' | 'error' | 'outputs'>;
	readonly progress: RunProgress;
	/** Set for a chat turn. */
	readonly turn?: { readonly answer: string; readonly conversation: string };
}

/** Creates the reply to a call whose run has ended or is paused. */
export function createToolReply(call: EndedCall): ToolReply {
	const { agent, runId, data, progress, turn } = call;
	switch (data.status) {
		case 'succeeded':
		case 'partial-succeeded':
			return turn ? toAnswerReply(turn, runId) : toOutputsReply(data.outputs ?? {}, runId);
		case 'paused':
			return {
				text: [
					`The agent '${agent}' is paused and waiting for input${progress.forms.length > 0 ? ` at ${progress.forms.map(form => `'${form}'`).join(', ')}` : ''}. It continues once its form is submitted in Agent Workbench. The run ID is ${runId}.`,
				],
				structured: { status: 'paused', run_id: runId },
				failed: false,
				runId,
			};
		case 'stopped':
			return createFailedReply(`The run of the agent '${agent}' was stopped${data.error ? `: ${data.error}` : ''}.`, runId);
		default:
			return createFailedReply(
				`The agent '${agent}' failed${progress.failed === undefined ? '' : ` at node ${progress.failed}`}: ${data.error || 'unknown error'}`,
				runId,
			);
	}
}

/** Creates the reply to a call that failed. */
export function createFailedReply(text: string, runId?: string): ToolReply {
	return { text: [text], failed: true, ...(runId !== undefined && { runId }) };
}

/** Creates the reply to a chat turn. The text also includes the conversation ID, for clients that only read the text. */
function toAnswerReply({ answer, conversation }: NonNullable<EndedCall['turn']>, runId: string): ToolReply {
	const structured = { answer, conversation_id: conversation };
	return limitReply({ text: [answer, `conversation_id: ${conversation}`], structured, failed: false, runId });
}

function toOutputsReply(outputs: Readonly<Record<string, unknown>>, runId: string): ToolReply {
	const values = Object.values(outputs);
	const [only] = values;
	const text = values.length === 1 && typeof only === 'string' ? only : JSON.stringify(outputs, undefined, 1);
	return limitReply({ text: [text], structured: outputs, failed: false, runId });
}

function limitReply(reply: ToolReply & { readonly runId: string }): ToolReply {
	const { text, runId } = reply;
	const [main = '', ...rest] = text;
	if (main.length <= longest) {
		return reply;
	}
	const note = `(Truncated to ${longest} of ${main.length} characters. The run ${runId} has the full output.)`;
	return { text: [main.slice(0, longest), note, ...rest], failed: false, runId };
}
