import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Problem } from '../common/problems.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { RunRecord, Runs } from '../workflows/runTypes.ts';
import { textByteLimit } from './attachments.ts';
import type { Attachment } from './transcript.ts';

/** The run that a command was called with: a node of the tree, or its key. */
export function runOf(argument: unknown, runs: Runs): RunRecord {
	const key = typeof argument === 'string' ? argument : (argument as { run?: { key?: unknown } } | undefined)?.run?.key;
	const run = typeof key === 'string' ? runs.get(key) : undefined;
	if (!run) {
		throw new Problem('no-run', vscode.l10n.t('That run is no longer in the history. Pick one in the tree.'));
	}
	return run;
}

/** A run as context for a question: how it ended, at which node, and its inputs and outputs as the service tells them. */
export async function runAttachment(run: RunRecord, connections: Connections): Promise<Attachment> {
	const { agent, status, node, error, elapsedSeconds, totalTokens, totalSteps, outputs, runId } = run;
	const known = {
		agent,
		run_id: runId,
		status,
		node,
		error,
		elapsed_time: elapsedSeconds,
		total_tokens: totalTokens,
		total_steps: totalSteps,
		outputs,
	};
	const text = JSON.stringify({ ...known, ...(await detailOf(run, connections)) }, null, 2);
	if (Buffer.byteLength(text) > textByteLimit) {
		throw new Problem(
			'attachment',
			vscode.l10n.t('The run of "{0}" holds more than {1} MB, which is too much to ask about at once.', agent, textByteLimit / 1048576),
		);
	}
	return { id: randomUUID(), part: { kind: 'file', name: vscode.l10n.t('Run of {0}', agent), language: 'json', text } };
}

/** Inputs and outputs, which the history does not hold. What the service does not tell is left out: the rest is worth a question too. */
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
