import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { cutValue } from '#base/text/cutValue.ts';
import type { MessageAttachment } from '#pages/chat/transcript/transcript.ts';
import type { RunStory } from '#runs/events/runStory.ts';
import { hasSecretPlaceholders } from '#runs/request/secrets.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';

/** Returns the run that a command's argument refers to: a tree node or the run's key. */
export function findRunOfArgument(argument: unknown, runs: Runs): RunRecord {
	const key = typeof argument === 'string' ? argument : (argument as { run?: { key?: unknown } } | undefined)?.run?.key;
	const run = typeof key === 'string' ? runs.get(key) : undefined;
	if (!run) {
		throw new Problem('no-run', vscode.l10n.t('This run is no longer in the run history. Select another one.'));
	}
	return run;
}

/** Maximum lengths in UTF-16 units: for a run's inputs and its outputs, for a node's value, and for an error. */
const most = { ofRun: 40_000, ofNode: 8000, ofError: 4000 };

/**
 * Creates an attachment that describes a run: its status, its failed and unfinished nodes with their values, and its inputs and outputs.
 * Cuts long values and marks them as cut. `story` is what this editor stored; missing values are fetched from the service.
 */
export async function createRunAttachment(run: RunRecord, story: RunStory, connections: Connections): Promise<MessageAttachment> {
	const { agent, status, node, error, elapsedSeconds, totalTokens, totalSteps, runId } = run;
	// the service would return the values with the secrets that are masked here
	const isComplete = (story.inputs !== undefined && run.outputs !== undefined) || hasSecretPlaceholders(story.inputs);
	const detail = isComplete ? {} : await fetchRunDetails(run, connections);
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
	return { id: randomUUID(), part: { kind: 'file', name: vscode.l10n.t("Run of '{0}'", agent), language: 'json', text } };
}

/** Fetches inputs and outputs that aren't stored here. Returns an empty object on errors, because the rest is still useful. */
async function fetchRunDetails(
	{ connectionId, agent, runId }: RunRecord,
	connections: Connections,
): Promise<{ inputs?: unknown; outputs?: unknown }> {
	if (!runId) {
		return {};
	}
	try {
		const client = await connections.getClient(connectionId, { ask: false });
		const { inputs, outputs } = await client.getRun(runId, { model: agent });
		return { inputs, outputs };
	} catch {
		return {};
	}
}
