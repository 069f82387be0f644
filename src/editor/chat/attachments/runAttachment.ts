import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { cutValue } from '#base/text/cutValue.ts';
import type { MessageAttachment } from '#pages/chat/transcript/transcript.ts';
import type { RunStory } from '#runs/events/runStory.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';

/** The run that a command was called with: a node of the tree, or its key. */
export function runOf(argument: unknown, runs: Runs): RunRecord {
	const key = typeof argument === 'string' ? argument : (argument as { run?: { key?: unknown } } | undefined)?.run?.key;
	const run = typeof key === 'string' ? runs.get(key) : undefined;
	if (!run) {
		throw new Problem('no-run', vscode.l10n.t('That run is no longer in the history. Pick one in the tree.'));
	}
	return run;
}

/** More of a run's inputs and of its outputs, of a value of a node, and of an error is left out, in UTF-16 units. */
const most = { ofRun: 40_000, ofNode: 8000, ofError: 4000 };

/**
 * A run as context for a question: how it ended, the nodes that failed or hang with their errors, inputs and outputs, and the run's own; each cut
 * to a size that models take, with a word on it. `story`: what this editor kept of it; what is missing there is asked of the service.
 */
export async function runAttachment(run: RunRecord, story: RunStory, connections: Connections): Promise<MessageAttachment> {
	const { agent, status, node, error, elapsedSeconds, totalTokens, totalSteps, runId } = run;
	const isTold = story.inputs !== undefined && run.outputs !== undefined;
	const detail = isTold ? {} : await detailOf(run, connections);
	const known = {
		agent,
		run_id: runId,
		status,
		node,
		error: cutValue(error, most.ofError),
		failing_nodes: story.nodes.map(({ error, inputs, outputs, ...facts }) => ({
			...facts,
			error: cutValue(error, most.ofError),
			inputs: cutValue(inputs, most.ofNode),
			outputs: cutValue(outputs, most.ofNode),
		})),
		...(story.more > 0 ? { more_failing_nodes: story.more } : {}),
		elapsed_time: elapsedSeconds,
		total_tokens: totalTokens,
		total_steps: totalSteps,
		inputs: cutValue(story.inputs ?? detail.inputs, most.ofRun),
		outputs: cutValue(run.outputs ?? detail.outputs, most.ofRun),
	};
	const text = JSON.stringify(known, null, 2);
	return { id: randomUUID(), part: { kind: 'file', name: vscode.l10n.t('Run of {0}', agent), language: 'json', text } };
}

/** Inputs and outputs, where the history does not hold them. What the service does not tell is left out: the rest is worth a question too. */
async function detailOf(
	{ connectionId, agent, runId }: RunRecord,
	connections: Connections,
): Promise<{ inputs?: unknown; outputs?: unknown }> {
	if (!runId) {
		return {};
	}
	try {
		const client = await connections.client(connectionId, { ask: false });
		const { inputs, outputs } = await client.getRun(runId, { model: agent });
		return { inputs, outputs };
	} catch {
		return {};
	}
}
